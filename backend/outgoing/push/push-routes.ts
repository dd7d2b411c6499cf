import { ECDH } from 'node:crypto';
import * as z from 'zod/mini';
import {
  endedPushSubscriptionSchema,
  newPushSubscriptionSchema,
  pushDeviceSchema,
  pushSubscriptionIdParamsSchema,
  pushSubscriptionSchema,
  pushTestResultSchema,
  pushTestSchema,
  vapidPublicKeySchema,
} from '#backend/contract/push.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { presentPushDevice, presentPushSubscription, type PushSubscriptionStore } from './push-subscriptions.ts';
import type { SharedCounts } from '#backend/platform/cluster/limiter.ts';
import { type AddressRule, faultOfEndpoint } from '#backend/platform/requests/guarded-request.ts';
import { type SendTestMessage, createTestThrottle } from './test-message.ts';

/** What the calls on web push need. */
export interface PushRoutesDeps {
  publicKey: string;
  subscriptions: PushSubscriptionStore;
  isAllowedAddress: AddressRule;
  sendTest: SendTestMessage;
  /** Where servers count test messages together; undefined for one server. */
  counts: SharedCounts | undefined;
}

/** Subscribe browsers to web push, list and end subscriptions, and send a test message. */
export function pushRoutes({
  publicKey,
  subscriptions,
  isAllowedAddress,
  sendTest,
  counts,
}: PushRoutesDeps): Endpoint[] {
  const countTest = createTestThrottle(counts);
  return [
    endpoint({
      method: 'GET',
      path: '/api/push/vapid-public-key',
      tag: 'push',
      summary: 'Returns the key with which a browser subscribes to web push.',
      access: 'member',
      responses: { 200: vapidPublicKeySchema },
      handle: async () => ok({ publicKey }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/push/subscribe',
      tag: 'push',
      summary:
        'Sends new alerts to a browser from now on, until the session ends. Sent again it takes the new keys; of more than ten the one longest without success is removed. What a browser renewed by itself (isRenewal) is refused where the member took it off the list.',
      access: 'member',
      body: newPushSubscriptionSchema,
      responses: { 200: pushSubscriptionSchema, 201: pushSubscriptionSchema },
      errors: [409],
      handle: async ({ actor, body, userAgent }) => {
        const fault = faultOfEndpoint(body.endpoint, isAllowedAddress);
        if (fault) throw notAcceptable('endpoint', fault);
        if (!isOnCurve(body.keys.p256dh)) throw notAcceptable('keys.p256dh', 'is not a point on the curve P-256');
        const { subscription, isNew } = await subscriptions.save(actor, body, userAgent);
        const receipt = presentPushSubscription(subscription);
        return isNew ? created(receipt) : ok(receipt);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/push/subscribe',
      tag: 'push',
      summary: 'Sends no more alerts to a browser.',
      access: 'member',
      body: endedPushSubscriptionSchema,
      responses: { 204: 'no content' },
      errors: [404],
      handle: async ({ actor, body }) => {
        if (!(await subscriptions.remove(actor, body.endpoint))) throw unknownEndpoint();
        return noContent();
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/push/subscriptions',
      tag: 'push',
      summary: 'Lists the browsers of the member that are notified of alerts, newest first.',
      access: 'member',
      responses: { 200: z.array(pushDeviceSchema) },
      handle: async ({ actor }) =>
        ok((await subscriptions.list(actor.id)).map((one) => presentPushDevice(one, actor.sessionId))),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/push/subscriptions/:id',
      tag: 'push',
      summary: 'Sends no more alerts to one of the member’s browsers.',
      access: 'member',
      params: pushSubscriptionIdParamsSchema,
      responses: { 204: 'no content' },
      errors: [404],
      handle: async ({ actor, params: { id } }) => {
        if (!(await subscriptions.removeById(actor, id))) {
          throw notFound('You have no push subscription with this id.');
        }
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/push/test',
      tag: 'push',
      summary:
        'Sends a test message to one of the member’s browsers now, whatever they decided about being notified, and reports how far it came.',
      access: 'member',
      body: pushTestSchema,
      responses: { 200: pushTestResultSchema },
      errors: [404, 429],
      handle: async ({ actor, body }) => {
        const subscription = await subscriptions.find(actor.id, body.endpoint);
        if (!subscription) throw unknownEndpoint();
        await countTest(actor.id);
        return ok(await sendTest(subscription));
      },
    }),
  ];
}

const unknownEndpoint = () => notFound('You have no push subscription with this endpoint.');

const notAcceptable = (path: string, message: string) =>
  unacceptable(`The body is not acceptable: ${path}: ${message}.`, [{ path, message }]);

/** Every message to a key that is no point would fail, and only then. */
function isOnCurve(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'compressed');
    return true;
  } catch {
    return false;
  }
}
