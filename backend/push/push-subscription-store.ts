import { hash } from 'node:crypto';
import { type EntityManager, In, LessThanOrEqual, MoreThanOrEqual, Not } from 'typeorm';
import { newId } from '#backend/database/ids.ts';
import { lockUser } from '#backend/accounts/user-store.ts';
import { MAX_PUSH_SUBSCRIPTIONS, type NewPushSubscription } from '#backend/contract/push.ts';
import type { Database } from '#backend/database/database.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { gatherCalls } from './gather-calls.ts';
import { PushSubscriptionEntity, type StoredPushSubscription } from './push-subscription-entity.ts';

/** A subscription is given up after so many messages in a row were, over so long: a push service may have a bad day. */
export const HOPELESS_FAILURES = 10;
export const HOPELESS_MS = 3 * 24 * 60 * 60 * 1000;

/** What became of messages is written together with what becomes of others within this time. */
const GATHER_MS = 250;

/** The browsers that want to be told of new alerts. */
export interface PushSubscriptionStore {
  /**
   * Takes a subscription in. The same endpoint again gets the new keys, the caller as its owner and the caller's session;
   * with more than ten the one that has been longest without success makes room.
   *
   * @throws {ProblemError} 401 when the session has ended meanwhile.
   */
  save(
    actor: Actor,
    input: NewPushSubscription,
    userAgent: string,
  ): Promise<{ subscription: StoredPushSubscription; isNew: boolean }>;
  /** The member's own, newest first. */
  list(userId: string): Promise<StoredPushSubscription[]>;
  /** The member's own with this endpoint. */
  find(userId: string, endpoint: string): Promise<StoredPushSubscription | null>;
  /** False when the member has no subscription with this id. */
  removeById(actor: Actor, id: string): Promise<boolean>;
  /** False when the member has no subscription with this endpoint. */
  remove(actor: Actor, endpoint: string): Promise<boolean>;
  /** Removes a subscription that its push service does not know any more, unless it has got new keys meanwhile. */
  removeGone(id: string, p256dh: string): Promise<void>;
  /** Notes that the push service took a message. */
  noteSuccess(id: string): Promise<void>;
  /** Notes that a message was given up. After ten in a row over three days the subscription is removed: true. */
  noteFailure(id: string): Promise<boolean>;
  /** Removes what was made in a session. */
  removeOfSession(sessionId: string): Promise<void>;
  /** Removes what was made in sessions that are no more: they may have ended while no server ran. */
  removeOrphans(): Promise<void>;
}

const hashOf = (endpoint: string): string => hash('sha256', endpoint);

/** When the push service last took a message of it, or might have. */
const lastGood = ({ lastSuccessAt, createdAt }: StoredPushSubscription): number => lastSuccessAt ?? createdAt;

/** Leaves room for one more of the member's, beside the one named. */
async function makeRoom(tx: EntityManager, userId: string, keep: string): Promise<void> {
  const subscriptions = tx.getRepository(PushSubscriptionEntity);
  const own = await subscriptions.findBy({ userId, endpointHash: Not(keep) });
  const surplus = own.sort((a, b) => lastGood(b) - lastGood(a)).slice(MAX_PUSH_SUBSCRIPTIONS - 1);
  if (surplus.length > 0) await subscriptions.delete({ id: In(surplus.map(({ id }) => id)) });
}

/** @param now the clock, in milliseconds since the epoch. */
export function createPushSubscriptionStore(database: Database, now: () => number = Date.now): PushSubscriptionStore {
  const saveIn = async (tx: EntityManager, actor: Actor, input: NewPushSubscription, userAgent: string) => {
    // One member's subscriptions are counted one request after the other.
    await lockUser(tx, actor.id);

    const subscriptions = tx.getRepository(PushSubscriptionEntity);
    const endpointHash = hashOf(input.endpoint);
    await makeRoom(tx, actor.id, endpointHash);
    const found = await subscriptions.findOneBy({ endpointHash });
    const given = {
      sessionId: actor.sessionId,
      ...input.keys,
      userAgent: userAgent.slice(0, 200),
      failures: 0,
      failingSince: null,
    };
    if (found?.userId === actor.id) {
      await subscriptions.update({ id: found.id }, given);
      return { subscription: { ...found, ...given }, isNew: false };
    }
    // The browser has changed hands: what was sent to its last owner must not count for the new one.
    if (found) await subscriptions.delete({ id: found.id });
    const subscription: StoredPushSubscription = {
      id: newId(),
      userId: actor.id,
      endpoint: input.endpoint,
      endpointHash,
      createdAt: now(),
      lastSuccessAt: null,
      ...given,
    };
    await subscriptions.insert(subscription);
    return { subscription, isNew: true };
  };

  const removeGone = gatherCalls<Pick<StoredPushSubscription, 'id' | 'p256dh'>>(async (gone) => {
    await database.transaction((tx) => tx.getRepository(PushSubscriptionEntity).delete(gone));
  }, GATHER_MS);
  const noteSuccess = gatherCalls<string>(async (ids) => {
    const change = { lastSuccessAt: now(), failures: 0, failingSince: null };
    await database.transaction((tx) => tx.getRepository(PushSubscriptionEntity).update({ id: In(ids) }, change));
  }, GATHER_MS);

  return {
    async save(actor, input, userAgent) {
      const save = () => onBehalfOf(database, actor).transaction((tx) => saveIn(tx, actor, input, userAgent));
      try {
        return await save();
      } catch (error) {
        if (!database.dialect.isDuplicate(error)) throw error;
        // Somebody else stored this endpoint in the same moment: now it is found.
        return save();
      }
    },
    list: (userId) =>
      database.reads.getRepository(PushSubscriptionEntity).find({ where: { userId }, order: { id: 'DESC' } }),
    find: (userId, endpoint) =>
      database.reads.getRepository(PushSubscriptionEntity).findOneBy({ userId, endpointHash: hashOf(endpoint) }),
    async removeById(actor, id) {
      const { affected } = await onBehalfOf(database, actor).transaction((tx) =>
        tx.getRepository(PushSubscriptionEntity).delete({ userId: actor.id, id }),
      );
      return affected === 1;
    },
    async remove(actor, endpoint) {
      const { affected } = await onBehalfOf(database, actor).transaction((tx) =>
        tx.getRepository(PushSubscriptionEntity).delete({ userId: actor.id, endpointHash: hashOf(endpoint) }),
      );
      return affected === 1;
    },
    removeGone: (id, p256dh) => removeGone({ id, p256dh }),
    noteSuccess,
    async noteFailure(id) {
      const { affected } = await database.transaction(async (tx) => {
        await tx.query(
          'UPDATE push_subscriptions SET failures = failures + 1, failing_since = COALESCE(failing_since, ?) WHERE id = ?',
          [now(), id],
        );
        const hopeless = {
          failures: MoreThanOrEqual(HOPELESS_FAILURES),
          failingSince: LessThanOrEqual(now() - HOPELESS_MS),
        };
        return tx.getRepository(PushSubscriptionEntity).delete({ id, ...hopeless });
      });
      return affected === 1;
    },
    async removeOfSession(sessionId) {
      await database.transaction((tx) => tx.getRepository(PushSubscriptionEntity).delete({ sessionId }));
    },
    async removeOrphans() {
      await database.transaction((tx) =>
        tx.query('DELETE FROM push_subscriptions WHERE session_id NOT IN (SELECT id FROM sessions)'),
      );
    },
  };
}
