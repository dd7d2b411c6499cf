import { EntitySchema, In, IsNull, LessThanOrEqual, MoreThanOrEqual, Not } from 'typeorm';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import {
  type PushDevice,
  type PushSubscriptionReceipt,
  MAX_PUSH_SUBSCRIPTIONS,
  type NewPushSubscription,
} from '#backend/contract/push.ts';
import { hash } from 'node:crypto';
import { newId } from '#backend/platform/database/ids.ts';
import type { SessionRules } from '#backend/identity/sessions/session-rules.ts';
import { lockUser } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { deviceOf } from '#backend/identity/users/device-of.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { gatherCalls } from './gather-calls.ts';
import { findReached } from './push-sessions.ts';

/** A browser that wants to be notified of new alerts. Endpoint and keys are secrets: they never leave the server. */
export interface StoredPushSubscription {
  id: string;
  userId: string;
  /** The session it was made in: the subscription ends with it. */
  sessionId: string;
  endpoint: string;
  /** SHA-256 of the endpoint, which is too long to be unique by itself. */
  endpointHash: string;
  /** The browser's public key and secret, base64url. */
  p256dh: string;
  auth: string;
  /** What the browser said it is, for a list of devices. */
  userAgent: string;
  createdAt: number;
  /** When the push service last took a message; written at most once an hour. */
  lastSuccessAt: number | null;
  /** Messages given up in a row, and since when. */
  failures: number;
  failingSince: number | null;
}

export const PushSubscriptionEntity = new EntitySchema<StoredPushSubscription>({
  name: 'PushSubscription',
  tableName: 'push_subscriptions',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    sessionId: textColumn('session_id', 64),
    endpoint: longTextColumn('endpoint'),
    endpointHash: textColumn('endpoint_hash', 64),
    p256dh: textColumn('p256dh', 87),
    auth: textColumn('auth', 22),
    userAgent: textColumn('user_agent', 200),
    createdAt: timeColumn('created_at'),
    lastSuccessAt: nullable(timeColumn('last_success_at')),
    failures: { type: 'int' },
    failingSince: nullable(timeColumn('failing_since')),
  },
});

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

/** A subscription is given up after so many messages in a row were, over so long: a push service may have a bad day. */
export const HOPELESS_FAILURES = 10;
export const HOPELESS_MS = 3 * 24 * 60 * 60 * 1000;

/** What became of messages is written together with what becomes of others within this time. */
const GATHER_MS = 250;

/** The browsers that want to be notified of new alerts. */
export interface PushSubscriptionStore {
  /**
   * Takes a subscription in. The same endpoint again gets the new keys, the caller as its owner and the caller's session;
   * with more than ten the one that has been longest without success is removed.
   *
   * @throws {ProblemError} 401 when the session has ended meanwhile, 409 for what a browser renewed by itself after the
   * member took it off the list.
   */
  save(
    actor: Actor,
    input: NewPushSubscription,
    userAgent: string,
  ): Promise<{ subscription: StoredPushSubscription; isNew: boolean }>;
  /** The member's own by which they are notified, newest first. */
  list(userId: string): Promise<StoredPushSubscription[]>;
  /** The member's own with this endpoint. */
  find(userId: string, endpoint: string): Promise<StoredPushSubscription | null>;
  /** Takes a browser off the list: it stays off until it is switched on there. False when the member has no subscription with this id. */
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
}

const hashOf = (endpoint: string): string => hash('sha256', endpoint);

/** When the push service last took a message of it, or might have. */
const lastGood = ({ lastSuccessAt, createdAt }: StoredPushSubscription): number => lastSuccessAt ?? createdAt;

/** Leaves a place for one more of the member's, beside the one named. */
async function removeOldest(tx: Transaction, userId: string, keep: string): Promise<void> {
  const subscriptions = tx.getRepository(PushSubscriptionEntity);
  const own = await subscriptions.findBy({ userId, endpointHash: Not(keep) });
  const surplus = own.sort((a, b) => lastGood(b) - lastGood(a)).slice(MAX_PUSH_SUBSCRIPTIONS - 1);
  if (surplus.length > 0) await subscriptions.delete({ id: In(surplus.map(({ id }) => id)) });
}

/**
 * Has a session's browser on the list of devices from now on.
 *
 * @throws {ProblemError} 409 when it was taken off, and only renews its subscription by itself.
 */
async function allowPushes(tx: Transaction, sessionId: string, isRenewal: boolean): Promise<void> {
  const sessions = tx.getRepository(SessionEntity);
  if (!(await sessions.existsBy({ id: sessionId, pushRemovedAt: Not(IsNull()) }))) return;
  if (isRenewal) throw conflict('This browser was taken off the list of devices.');
  await sessions.update({ id: sessionId }, { pushRemovedAt: null });
}

/** Removes what was made in sessions that are no more: they ran out, or ended while no server ran. */
export async function removeOrphans({ transaction }: Pick<Database, 'transaction'>): Promise<void> {
  await transaction((tx) =>
    tx.query('DELETE FROM push_subscriptions WHERE session_id NOT IN (SELECT id FROM sessions)'),
  );
}

/** @param now the clock, in milliseconds since the epoch. */
export function createPushSubscriptionStore(
  database: Database,
  rules: SessionRules,
  now: () => number = Date.now,
): PushSubscriptionStore {
  const saveIn = async (tx: Transaction, actor: Actor, input: NewPushSubscription, userAgent: string) => {
    // One member's subscriptions are counted one request after the other.
    await lockUser(tx, actor.id);

    await allowPushes(tx, actor.sessionId, input.isRenewal === true);
    const subscriptions = tx.getRepository(PushSubscriptionEntity);
    const endpointHash = hashOf(input.endpoint);
    await removeOldest(tx, actor.id, endpointHash);
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
    async list(userId) {
      const ids = (await findReached(database.reads, [userId], rules, now())).get(userId) ?? [];
      return database.reads
        .getRepository(PushSubscriptionEntity)
        .find({ where: { id: In(ids) }, order: { id: 'DESC' } });
    },
    find: (userId, endpoint) =>
      database.reads.getRepository(PushSubscriptionEntity).findOneBy({ userId, endpointHash: hashOf(endpoint) }),
    removeById: (actor, id) =>
      onBehalfOf(database, actor).transaction(async (tx) => {
        await lockUser(tx, actor.id);
        const subscriptions = tx.getRepository(PushSubscriptionEntity);
        const found = await subscriptions.findOneBy({ userId: actor.id, id });
        if (!found) return false;
        const { sessionId } = found;
        await subscriptions.delete({ id });
        // The browser may have replaced what was removed, and stays on the list with that.
        if (!(await subscriptions.existsBy({ sessionId }))) {
          await tx.getRepository(SessionEntity).update({ id: sessionId }, { pushRemovedAt: now() });
        }
        return true;
      }),
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
        const overdue = {
          failures: MoreThanOrEqual(HOPELESS_FAILURES),
          failingSince: LessThanOrEqual(now() - HOPELESS_MS),
        };
        return tx.getRepository(PushSubscriptionEntity).delete({ id, ...overdue });
      });
      return affected === 1;
    },
    async removeOfSession(sessionId) {
      await database.transaction((tx) => tx.getRepository(PushSubscriptionEntity).delete({ sessionId }));
    },
  };
}
