import { vapidPublicKeySchema } from '#backend/contract/push.ts';
import { ApiError, apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { fetchPushDevices } from './push-devices.ts';
import { forgetSentPush, noteSentPush, sentPush } from './sent-push.ts';
import { activeWorker, registerWorker } from './service-worker.ts';

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
 * has it: what was removed from the list of devices must not come back by itself.
 *
 * @throws {PushError} when one of these three fails; an ApiError or another Error when the server has no key for us
 */
export async function subscribeToPush(): Promise<PushOutcome> {
  const registration = await registerWorker()
    .then(() => navigator.serviceWorker.ready)
    .catch(failed('worker'));
  const { publicKey } = await apiGet('/api/push/vapid-public-key', vapidPublicKeySchema);
  const { subscription, isNew } = await subscribe(registration, publicKey).catch(failed('subscription'));
  if (!isNew && sentPush() === subscription.endpoint) {
    const devices = await fetchPushDevices().catch(failed('server'));
    return devices.some(({ isThisSession }) => isThisSession) ? { subscription } : 'removed';
  }
  await apiSend('POST', '/api/push/subscribe', { body: subscription }).catch((error: unknown) => {
    const why = error instanceof ApiError ? error.statusText || error.message : messageOf(error);
    throw new PushError('server', `Failed to send subscription to server: ${why}`, { cause: error });
  });
  noteSentPush(subscription.endpoint);
  return { subscription };
}

/** The browser's subscription; made anew when it was made for another key of the server's. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<{ subscription: PushSubscription; isNew: boolean }> {
  const existing = await pushManager.getSubscription();
  if (existing && isOfKey(existing, publicKey)) return { subscription: existing, isNew: false };
  forgetSentPush();
  await existing?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  return { subscription: await pushManager.subscribe(options), isNew: true };
}

function isOfKey({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  // A browser that does not tell is believed: the push service would refuse another key.
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
