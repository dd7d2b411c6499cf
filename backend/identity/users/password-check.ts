import type { Database } from '#backend/platform/database/database.ts';
import type { Passwords } from './passwords.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { consume, type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { notSignedIn, tooMany, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { DAY_SECONDS, describeWait } from './sign-in-throttle.ts';
import { TRUSTED } from './hash-queue.ts';
import { type User, findUser } from './user.ts';

/** Wrong passwords that one member may type in a quarter of an hour, however many sessions they have. */
export const WRONG_PASSWORDS = 10;
const WINDOW_SECONDS = 15 * 60;

/** Wrong passwords that one session may bring in a day: it may be stolen, and its member's others are to go on. */
export const WRONG_PASSWORDS_A_DAY = 30;

/**
 * Asks who is signed in for their password once more, before what a stolen session must not be enough for. It has a limit
 * of its own: who guesses here does not keep the member from signing in, and the other way round.
 */
export interface PasswordCheck {
  /**
   * Confirms that `password` is the account's. Returns the account as it was read: compare its `passwordHash` in the
   * transaction that follows.
   *
   * @param purpose what it is asked for: which field of the input it is, and what the audit trail says of a wrong one
   * @throws {ProblemError} 422 when it is wrong, 429 after too many wrong ones, 401 when the account is gone
   */
  confirm(actor: Actor, author: Author, password: string, purpose: 'proof' | 'change'): Promise<User>;
}

/** @param shared where servers count together */
export function createPasswordCheck(
  { database, passwords }: { database: Database; passwords: Passwords },
  shared?: SharedCounts,
): PasswordCheck {
  const members = createLimiter('password-check', WRONG_PASSWORDS, WINDOW_SECONDS, shared);
  const sessions = createLimiter('password-check:day', WRONG_PASSWORDS_A_DAY, DAY_SECONDS, shared);
  return {
    async confirm(actor, author, password, purpose) {
      const audit = (detail: string) =>
        database.transaction((tx) => addAudit(tx, author, FAILURES[purpose].action, null, { detail }));
      for (const [limiter, key] of [
        [sessions, actor.sessionId],
        [members, actor.id],
      ] as const) {
        const counted = await consume(limiter, key);
        if (counted instanceof RateLimiterRes) continue;
        const { seconds, isFirst } = counted;
        if (isFirst) await audit('too many wrong passwords');
        throw tooMany(`Too many wrong passwords. Try again in ${describeWait(seconds)}.`, seconds);
      }
      const user = await findUser(database.reads, actor.id);
      if (!user) throw notSignedIn();
      const isRight = await passwords.matches(password, user.passwordHash, TRUSTED).catch(async (error: unknown) => {
        // Nobody has looked at it: the server is busy.
        await members.reward(actor.id);
        await sessions.reward(actor.sessionId);
        throw error;
      });
      if (!isRight) {
        await audit('wrong password');
        throw wrongPassword(FAILURES[purpose].field);
      }
      await members.delete(actor.id);
      await sessions.reward(actor.sessionId);
      return user;
    },
  };
}

const FAILURES = {
  proof: { field: 'password', action: 'proof_failed' },
  change: { field: 'currentPassword', action: 'password_check_failed' },
} as const;

const wrongPassword = (path: string) =>
  unacceptable('This is not your current password.', [{ path, message: 'is not your current password' }]);
