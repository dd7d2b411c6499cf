import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  type PushDevice,
  type PushTestResult,
  pushDeviceSchema,
  pushTestResultSchema,
  vapidPublicKeySchema,
} from '#backend/contract/push.ts';
import { ApiError, apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import type { Toast } from '#renderer/toasts/toast-queue.ts';
import { forgetSentPush, noteSentPush, sentPush } from './sent-push.ts';
import { activeWorker, registerWorker } from './service-worker.ts';
import * as texts from './texts.ts';

/** What can fail when this browser subscribes to pushes. */
export type PushStep = 'worker' | 'subscription' | 'server';

/** A step towards pushes that failed; the message is what the browser or the server said. */
export class PushError extends Error {
  readonly step: PushStep;

  constructor(step: PushStep, message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'PushError';
    this.step = step;
  }
}

/** The browser's subscription, to which the server sends pushes; or that somebody took it off the list of devices. */
export type PushOutcome = { subscription: PushSubscription } | 'removed';

/**
 * Sees to it that the server sends pushes to this browser: registers the worker, makes a subscription with the server's
 * present key when there is none, and sends it, once in each session. From then on it only asks whether the server still
 * has it, and sends what the browser replaced as a renewal: what was removed from the list of devices must not come back by
 * itself.
 *
 * @throws {PushError} when one of these three fails; an ApiError or another Error when the server has no key for us
 */
export async function subscribeToPush(): Promise<PushOutcome> {
  const registration = await registerWorker()
    .then(() => navigator.serviceWorker.ready)
    .catch(failed('worker'));
  const { publicKey } = await apiGet('/api/push/vapid-public-key', vapidPublicKeySchema);
  const { subscription, isNew } = await subscribe(registration, publicKey).catch(failed('subscription'));
  const sent = sentPush();
  if (!isNew && sent === subscription.endpoint) {
    const devices = await fetchPushDevices().catch(failed('server'));
    return devices.some(({ isThisSession }) => isThisSession) ? { subscription } : 'removed';
  }
  const isRenewal = sent !== null;
  try {
    await apiSend('POST', '/api/push/subscribe', { body: { ...subscription.toJSON(), isRenewal } });
  } catch (error) {
    if (isRenewal && error instanceof ApiError && error.status === 409) return 'removed';
    throw new PushError('server', texts.failedToSendSubscriptionTo(messageOf(error)), { cause: error });
  }
  noteSentPush(subscription.endpoint);
  return { subscription };
}

/** The browser's subscription; made again when it was made for another key of the server. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<{ subscription: PushSubscription; isNew: boolean }> {
  const existing = await pushManager.getSubscription();
  if (existing && isOfKey(existing, publicKey)) return { subscription: existing, isNew: false };
  await existing?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  return { subscription: await pushManager.subscribe(options), isNew: true };
}

function isOfKey({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  // Without the key the subscription is trusted: the push service would refuse another key.
  if (!applicationServerKey) return true;
  const binary = String.fromCharCode(...new Uint8Array(applicationServerKey));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey;
}

/** Ends the browser's subscription, there and on the server. */
export async function endPush(): Promise<void> {
  forgetSentPush();
  const subscription = await (await activeWorker())?.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await Promise.allSettled([
    apiSend('DELETE', '/api/push/subscribe', { body: { endpoint } }),
    subscription.unsubscribe(),
  ]);
}

const failed =
  (step: PushStep) =>
  (error: unknown): never => {
    throw new PushError(step, messageOf(error), { cause: error });
  };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** What failed, and what to do. */
const STEPS: Record<PushStep, string> = {
  worker: texts.serviceWorkerRegistrationFailedCheck,
  subscription: texts.failedToCreatePushSubscription,
  server: texts.failedToSaveSubscriptionTo,
};

/** Why pushes could not be had, in one sentence. */
export const causeOf = (error: Error): string =>
  error instanceof PushError ? STEPS[error.step] : error.message || texts.unexpectedErrorOccurred;

/** The toast for pushes that could not be enabled. */
export const pushFailure = (error: Error): Toast => ({
  variant: 'destructive',
  title: texts.failedToEnableNotifications,
  description: texts.unableToEnablePushNotifications(causeOf(error)),
});

const deviceListSchema = z.array(pushDeviceSchema);

/** `GET /api/push/subscriptions`: the browsers that are notified of my alerts. Throws an ApiError. */
export const fetchPushDevices = (signal?: AbortSignal): Promise<PushDevice[]> =>
  apiGet('/api/push/subscriptions', deviceListSchema, { ...(signal && { signal }) });

/** The same, cached. */
export const pushDevicesQuery = queryOptions<PushDevice[]>({
  queryKey: ['/api/push/subscriptions'],
  queryFn: ({ signal }) => fetchPushDevices(signal),
  refetchOnMount: 'always',
});

/** `DELETE /api/push/subscriptions/{id}`: that browser is no longer notified. */
export function useRemovePushDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => deleteAt(`/api/push/subscriptions/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: pushDevicesQuery.queryKey }),
  });
}

/** `POST /api/push/test`: the server sends a test message to this browser. Throws an ApiError. */
export const sendTestPush = (endpoint: string): Promise<PushTestResult> =>
  apiSend('POST', '/api/push/test', { body: { endpoint }, schema: pushTestResultSchema });
