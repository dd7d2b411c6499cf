import { type EntityManager, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { presentSession } from '#backend/accounts/present-user.ts';
import type { User } from '#backend/accounts/user-entity.ts';
import { findUser, lockUser } from '#backend/accounts/user-store.ts';
import { addAudit, authorOf } from '#backend/audit/audit-log.ts';
import type { Database } from '#backend/database/database.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { notSignedIn } from '#backend/endpoint/errors.ts';
import { SessionEntity } from './session-entity.ts';
import { newToken, sessionIdOf } from './session-tokens.ts';

/** Sessions end after 7 days without use (contract.md section 4). */
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Use is written down at most this often, so that reading stays reading. */
const TOUCH_INTERVAL_MS = 5 * 60 * 1000;

/** Who is signed in. */
export interface SessionStore {
  /**
   * Starts a session and returns the token for the cookie; undefined when the account was disabled or got another
   * password since `user` was read. Sessions that ran out are removed on the way.
   */
  create(user: User, ip: string): Promise<{ token: string; id: string } | undefined>;
  /** The member behind a cookie's token: undefined when the session ended, ran out, or the account is disabled. */
  find(token: string): Promise<Actor | undefined>;
  /**
   * Ends the member's own session.
   *
   * @throws {ProblemError} 401 when it has ended already.
   */
  end(actor: Actor, ip: string): Promise<void>;
  /** Of these session ids, those that are still good. */
  stillGood(ids: string[]): Promise<Set<string>>;
}

/** Ends every session of a member, in the transaction that disables them or changes their password. Returns their ids. */
export async function removeSessionsOf(tx: EntityManager, userId: string): Promise<string[]> {
  const sessions = tx.getRepository(SessionEntity);
  const ids = (await sessions.findBy({ userId })).map(({ id }) => id);
  await sessions.delete({ userId });
  return ids;
}

/** @param now the clock, in milliseconds since the epoch. */
export function createSessionStore(database: Database, now: () => number = Date.now): SessionStore {
  return {
    async create(user, ip) {
      const token = newToken();
      const id = sessionIdOf(token);
      const isStarted = await database.transaction(async (tx) => {
        // A sign-in with the old password must not outlive the reset that it overlaps with.
        const current = await lockUser(tx, user.id);
        if (!current?.isActive || current.passwordHash !== user.passwordHash) return false;
        const sessions = tx.getRepository(SessionEntity);
        await sessions.delete({ lastSeenAt: LessThan(now() - SESSION_LIFETIME_MS) });
        await sessions.insert({ id, userId: user.id, createdAt: now(), lastSeenAt: now() });
        await addAudit(tx, { id: user.id, name: user.email, ip }, 'signed_in');
        return true;
      });
      return isStarted ? { token, id } : undefined;
    },
    async find(token) {
      const id = sessionIdOf(token);
      const session = await database.reads.getRepository(SessionEntity).findOneBy({ id });
      if (!session || session.lastSeenAt < now() - SESSION_LIFETIME_MS) return undefined;
      const user = await findUser(database.reads, session.userId);
      if (!user?.isActive) return undefined;
      if (session.lastSeenAt < now() - TOUCH_INTERVAL_MS) {
        // An update, never an upsert: a session that was ended meanwhile stays ended.
        await database.transaction((tx) => tx.getRepository(SessionEntity).update({ id }, { lastSeenAt: now() }));
      }
      return { ...presentSession(user), sessionId: id };
    },
    async end(actor, ip) {
      await database.transaction(async (tx) => {
        const { affected } = await tx.getRepository(SessionEntity).delete({ id: actor.sessionId });
        // Somebody else ended it since the request was authenticated.
        if (affected !== 1) throw notSignedIn();
        await addAudit(tx, authorOf(actor, ip), 'signed_out');
      });
    },
    async stillGood(ids) {
      const rows = await database.reads
        .getRepository(SessionEntity)
        .findBy({ id: In(ids), lastSeenAt: MoreThanOrEqual(now() - SESSION_LIFETIME_MS) });
      return new Set(rows.map(({ id }) => id));
    },
  };
}
