import { announce } from '#backend/platform/live/event-bus.ts';
import { type EntityManager, EntitySchema, In, Not } from 'typeorm';
import type { SecondStepRule } from '#backend/contract/second-step.ts';
import { SecondStepRuleEntity } from '#backend/identity/factors/second-step-entities.ts';
import { RULE } from '#backend/identity/factors/second-steps.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import { endLinksOf } from '#backend/identity/users/account-link.ts';
import { presentSession, type User, UserEntity, lockUser } from '#backend/identity/users/user.ts';
import { type Author, addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { ApiTokenEntity } from './api-token.ts';
import { endSurplusSessions } from './surplus-sessions.ts';
import { type SessionRules, activeOf, hasRunOut, mayHaveBegun, owesSecondStep } from './session-rules.ts';
import { newToken, sessionIdOf } from '#backend/identity/users/session-tokens.ts';

/** A stored session. Its id is the SHA-256 of the cookie's 256 random bits; the bits themselves are kept nowhere. */
export interface StoredSession {
  id: string;
  userId: string;
  createdAt: number;
  lastSeenAt: number;
  /** The address from which it was begun; null for sessions of releases that did not keep it. */
  ip: string | null;
  /** The address of the use that `lastSeenAt` is of; null likewise. */
  lastIp: string | null;
  /** What the browser called itself; null likewise. */
  userAgent: string | null;
  /** When the member last proved who they are, by a sign-in or again later; null of a session of the release before. */
  provedAt: number | null;
  /** The member has to set up a second step before anything else. */
  mustSetUp: boolean;
  /** The provider by which it was begun; null for a password or a passkey. */
  provider: string | null;
  /** What the provider said of the member, encrypted: signing out there takes it. Read only where it is asked for. */
  idToken: string | null;
  /** When the member took the browser off the list of devices with pushes; null where it may renew its subscription by itself. */
  pushRemovedAt: number | null;
}

/** Longest name of a browser that is kept, in characters. */
const MAX_USER_AGENT = 200;

export const SessionEntity = new EntitySchema<StoredSession>({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    id: primary(textColumn('id', 64)),
    userId: idColumn('user_id'),
    createdAt: timeColumn('created_at'),
    lastSeenAt: timeColumn('last_seen_at'),
    ip: nullable(textColumn('ip', 64)),
    lastIp: nullable(textColumn('last_ip', 64)),
    userAgent: nullable(textColumn('user_agent', MAX_USER_AGENT)),
    provedAt: nullable(timeColumn('proved_at')),
    mustSetUp: { type: 'boolean', name: 'must_set_up', default: false },
    provider: nullable(textColumn('provider', 32)),
    idToken: { ...nullable(longTextColumn('id_token')), select: false },
    pushRemovedAt: nullable(timeColumn('push_removed_at')),
  },
});

/** Use is written down at most this often, so that reading stays reading. */
const TOUCH_INTERVAL_MS = 5 * 60 * 1000;

/** After writing it down has failed, it is tried again so much later. */
const RETRY_NOTE_MS = 60_000;

/** Who asks; `isRenewed` when this use prolongs the session, so that its cookies are to be prolonged, too. */
export interface FoundActor extends Actor {
  isRenewed: boolean;
}

/** The browser that signs in. */
export interface Client {
  ip: string;
  /** What it calls itself; empty when it does not say. */
  userAgent: string;
}

/** How a session begins. */
export interface SessionStart {
  /** The member has to set up a second step before anything else. */
  mustSetUp?: boolean;
  /** The provider by which somebody signed in. */
  by?: { id: string; name: string; sealedIdToken: string | null };
  /** The method by which somebody signed in, for the audit trail. */
  method?: string;
  /** Runs in the session's transaction, on the locked account. Without true there is no session. */
  within?: (tx: Transaction, user: User) => Promise<boolean>;
}

/** Who is signed in. */
export interface SessionStore {
  /**
   * Starts a session and returns the token for the cookie; undefined when the account was disabled or got another
   * password since `user` was read, or `start.within` says so. Ends the session that the browser had, and of the member's
   * others those that are too many (see `endSurplusSessions`).
   *
   * @param replacedToken the token of the session cookie that the browser sent
   */
  create(
    user: User,
    client: Client,
    replacedToken?: string,
    start?: SessionStart,
  ): Promise<{ token: string; id: string } | undefined>;
  /**
   * The member behind a cookie's token: undefined when the session ended, ran out, or the account is disabled. Reads
   * only: that the session was used is written down later, and when that fails nobody is kept waiting for it.
   *
   * @param ip the address that asks; null where the answer cannot carry cookies: then the next request renews row and
   * cookies together
   */
  find(token: string, ip: string | null): Promise<FoundActor | undefined>;
  /**
   * Ends the member's own session.
   *
   * @throws {ProblemError} 401 when it has ended already.
   */
  end(actor: Actor, ip: string): Promise<void>;
  /** Of these session ids, those that are still good, and whose members do not have to set up a second step. */
  filterActive(ids: string[]): Promise<Set<string>>;
}

/**
 * Ends the sessions of a member, in the transaction that disables them, gives them another role or changes their password.
 * Where all of them end, the member's API tokens and the links that they have made do, too, and no account of a chat that a link
 * connected acts for them. Announces the ends, and returns the sessions' ids.
 *
 * @param keptId the session that stays; without it none does
 * @param by who ends them, where that may be somebody else: then their pages say so
 */
export async function removeSessionsOf(
  tx: Transaction,
  userId: string,
  { keptId = '', by }: { keptId?: string; by?: Pick<Author, 'id'> } = {},
): Promise<string[]> {
  if (keptId === '') await tx.getRepository(ApiTokenEntity).delete({ userId });
  const sessions = tx.getRepository(SessionEntity);
  const others = { userId, id: Not(keptId) };
  const ids = (await sessions.findBy(others)).map(({ id }) => id);
  await sessions.delete(others);
  for (const sessionId of ids) announce(tx, { type: 'session_ended', sessionId, ...endedBy(by, userId) });
  // After the sessions: whoever was making a link by one has done so, or is refused.
  if (keptId !== '') return ids;
  await endMadeOf(tx, userId);
  return ids;
}

/**
 * Ends what whoever was in a session of a member may have made to get in again or to act for them: links to accounts, and chat
 * accounts of their own. A chat account with the member's email is the member's.
 */
export async function endMadeOf(tx: Transaction, userId: string): Promise<void> {
  await endLinksOf(tx, userId);
  await tx.query('DELETE FROM chat_accounts WHERE user_id = ? AND is_by_email = 0', [userId]);
}

/** For the event that reports the end of a member's session: whether an administrator has ended it. */
export const endedBy = (by: Pick<Author, 'id'> | undefined, userId: string): { isByAdministrator?: true } =>
  by === undefined || by.id === userId ? {} : { isByAdministrator: true };

/**
 * Gives a session another token and id, in the transaction in which its member says again who they are: whoever has a copy
 * of the token before has nothing. Push subscriptions of the session and what was begun in it stay with it. Its sockets connect again, with
 * the new token.
 *
 * @throws {ProblemError} 401 when the session has ended
 */
export async function renewSession(tx: Transaction, sessionId: string): Promise<{ token: string; id: string }> {
  const token = newToken();
  const id = sessionIdOf(token);
  const { affected } = await tx.getRepository(SessionEntity).update({ id: sessionId }, { id });
  if (affected !== 1) throw notSignedIn();
  announce(tx, { type: 'session_ended', sessionId, isRenewed: true });
  await tx.query('UPDATE push_subscriptions SET session_id = ? WHERE session_id = ?', [id, sessionId]);
  // By the member, for whom there is an index: without one MySQL locks ceremonies of others. Those of a browser that is at
  // a provider are bound to it, and name the session in their details.
  for (const column of ['bound_to', 'details']) {
    await tx.query(
      `UPDATE ceremonies SET ${column} = ? WHERE ${column} = ? AND user_id = (SELECT user_id FROM sessions WHERE id = ?)`,
      [id, sessionId, id],
    );
  }
  return { token, id };
}

/** @param now the clock, in milliseconds since the epoch. */
export function createSessionStore(
  database: Database,
  logger: Logger,
  rules: SessionRules,
  now: () => number = Date.now,
): SessionStore {
  const noted = new Set<string>();
  /** A moment of `performance.now()`: a clock that is set back makes nobody wait. */
  let notedAgainAt = 0;
  const noteUse = (id: string, lastIp: string) => {
    if (noted.has(id) || performance.now() < notedAgainAt) return;
    noted.add(id);
    database
      // An update, never an upsert: a session that was ended meanwhile stays ended.
      .transaction((tx) => tx.getRepository(SessionEntity).update({ id }, { lastSeenAt: now(), lastIp }))
      .catch((error: unknown) => {
        // A full disk, for example: every read would try again.
        notedAgainAt = performance.now() + RETRY_NOTE_MS;
        logger.warn({ err: error }, 'the last use of a session could not be written');
      })
      .finally(() => noted.delete(id));
  };
  return {
    async create(user, { ip, userAgent }, replacedToken, { mustSetUp = false, by, method, within } = {}) {
      const replacedId = replacedToken && sessionIdOf(replacedToken);
      const token = newToken();
      const id = sessionIdOf(token);
      const isStarted = await database.transaction(async (tx) => {
        // A sign-in with the old password must not outlive the reset that it overlaps with.
        const current = await lockUser(tx, user.id);
        if (!current?.isActive || current.passwordHash !== user.passwordHash) return false;
        if (within && !(await within(tx, current))) return false;
        if (replacedId) await endReplaced(tx, replacedId, user.id);
        await endSurplusSessions(tx, user.id, now() - TOUCH_INTERVAL_MS);
        const sessions = tx.getRepository(SessionEntity);
        const browser = { ip, lastIp: ip, userAgent: userAgent.slice(0, MAX_USER_AGENT).toWellFormed() };
        // One moment: by it sessions that were not used after their sign-in are known (`endSurplusSessions`).
        const at = now();
        const times = { createdAt: at, lastSeenAt: at, provedAt: at };
        const begun = { provider: by?.id ?? null, idToken: by?.sealedIdToken ?? null };
        await sessions.insert({ id, userId: user.id, ...times, ...browser, ...begun, mustSetUp, pushRemovedAt: null });
        await addAudit(tx, { id: user.id, name: user.email, ip }, 'signed_in', method ?? null);
        return true;
      });
      return isStarted ? { token, id } : undefined;
    },
    async find(token, ip) {
      const id = sessionIdOf(token);
      const session = await findWithMember(database.reads, id);
      if (!session || hasRunOut(session, rules, now())) return undefined;
      const { user } = session;
      if (!user.isActive || !mayHaveBegun(session, user, rules)) return undefined;
      const isRenewed = ip !== null && session.lastSeenAt < now() - TOUCH_INTERVAL_MS;
      if (isRenewed) noteUse(id, ip);
      const state = (await owesSecondStep(database.reads, session.rule, session, user, rules))
        ? { mustSetUpSecondStep: true as const }
        : {};
      return { ...presentSession({ ...user, ...state }), sessionId: id, provedAt: session.provedAt ?? 0, isRenewed };
    },
    async end(actor, ip) {
      await database.transaction(async (tx) => {
        const { affected } = await tx.getRepository(SessionEntity).delete({ id: actor.sessionId });
        // Somebody else ended it since the request was authenticated.
        if (affected !== 1) throw notSignedIn();
        await addAudit(tx, authorOf(actor, ip), 'signed_out');
        announce(tx, { type: 'session_ended', sessionId: actor.sessionId });
      });
    },
    async filterActive(ids) {
      const { reads } = database;
      const rows = await reads.getRepository(SessionEntity).findBy({ id: In(ids) });
      const userIds = [...new Set(rows.map(({ userId }) => userId))];
      const users = await reads.getRepository(UserEntity).findBy({ id: In(userIds) });
      const byId = new Map(users.map((user) => [user.id, user]));
      const found = rows.flatMap((session) => {
        const user = byId.get(session.userId);
        return user ? [{ session, user }] : [];
      });
      return activeOf(reads, found, rules, now());
    },
  };
}

/** Ends the session that a browser had before a sign-in. Where its member stays the same, its pages connect again. */
async function endReplaced(tx: Transaction, id: string, userId: string): Promise<void> {
  const sessions = tx.getRepository(SessionEntity);
  const isRenewed = (await sessions.delete({ id, userId })).affected === 1;
  if (!isRenewed && (await sessions.delete({ id })).affected !== 1) return;
  announce(tx, { type: 'session_ended', sessionId: id, ...(isRenewed && { isRenewed }) });
}

/** A session with its member and the rule of second steps, in one statement: every request reads them. */
const findWithMember = (reads: EntityManager, id: string) =>
  reads
    .getRepository(SessionEntity)
    .createQueryBuilder('session')
    .innerJoinAndMapOne('session.user', UserEntity.options.name, 'user', 'user.id = session.userId')
    .leftJoinAndMapOne('session.rule', SecondStepRuleEntity.options.name, 'rule', `rule.id = ${RULE}`)
    .where('session.id = :id', { id })
    .getOne() as Promise<(StoredSession & { user: User; rule: SecondStepRule | null }) | null>;
