import type { PushSubscriptionReceipt } from '#backend/contract/push.ts';
import type { StoredPushSubscription } from './push-subscription-entity.ts';

/** A push subscription as it leaves the server: without its endpoint and keys, which are secrets. */
export const presentPushSubscription = ({ id, createdAt }: StoredPushSubscription): PushSubscriptionReceipt => ({
  id,
  createdAt: new Date(createdAt).toISOString(),
});
