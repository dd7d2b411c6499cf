import type { PushDevice, PushSubscriptionReceipt } from '#backend/contract/push.ts';
import { deviceOf } from './device-of.ts';
import type { StoredPushSubscription } from './push-subscription-entity.ts';

/** A push subscription as it leaves the server: without its endpoint and keys, which are secrets. */
export const presentPushSubscription = ({ id, createdAt }: StoredPushSubscription): PushSubscriptionReceipt => ({
  id,
  createdAt: new Date(createdAt).toISOString(),
});

/** The same as a row of the member's devices. @param sessionId of who asks. */
export const presentPushDevice = (subscription: StoredPushSubscription, sessionId: string): PushDevice => ({
  id: subscription.id,
  device: deviceOf(subscription.userAgent),
  createdAt: new Date(subscription.createdAt).toISOString(),
  ...(subscription.lastSuccessAt !== null && { lastSuccessAt: new Date(subscription.lastSuccessAt).toISOString() }),
  isThisSession: subscription.sessionId === sessionId,
});
