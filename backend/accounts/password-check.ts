import { RateLimiterRes } from 'rate-limiter-flexible';
import { type Author, addAudit } from '#backend/audit/audit-log.ts';
import { type SharedCounts, createLimiter } from '#backend/cluster/limiter.ts';
import type { AppContext } from '#backend/context.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { notSignedIn, tooMany, unacceptable } from '#backend/endpoint/errors.ts';
import { DAY_SECONDS, consume, describeWait } from '#backend/sessions/sign-in-throttle.ts';
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
   * @param field what the caller's schema calls the password
   * @throws {ProblemError} 422 when it is wrong, 429 after too many wrong ones, 401 when the account is gone
   */
  confirm(actor: Actor, author: Author, password: string, field?: string): Promise<User>;
}

/** @param shared where servers count together */
export function createPasswordCheck(
  { database, passwords }: Pick<AppContext, 'database' | 'passwords'>,
  shared?: SharedCounts,
): PasswordCheck {
  const members = createLimiter('password-check', WRONG_PASSWORDS, WINDOW_SECONDS, shared);
  const sessions = createLimiter('password-check:day', WRONG_PASSWORDS_A_DAY, DAY_SECONDS, shared);
  return {
    async confirm(actor, author, password, field = 'currentPassword') {
      for (const [limiter, key] of [
        [sessions, actor.sessionId],
        [members, actor.id],
      ] as const) {
        const counted = await consume(limiter, key);
        if (counted instanceof RateLimiterRes) continue;
        const { seconds } = counted;
        throw tooMany(`Too many wrong passwords. Try again in ${describeWait(seconds)}.`, seconds);
      }
      const user = await findUser(database.reads, actor.id);
      if (!user) throw notSignedIn();
      if (!(await passwords.matches(password, user.passwordHash, TRUSTED))) {
        await database.transaction((tx) => addAudit(tx, author, 'password_check_failed'));
        throw wrongPassword(field);
      }
      await members.delete(actor.id);
      await sessions.reward(actor.sessionId);
      return user;
    },
  };
}

const wrongPassword = (path: string) =>
  unacceptable('This is not your current password.', [{ path, message: 'is not your current password' }]);
