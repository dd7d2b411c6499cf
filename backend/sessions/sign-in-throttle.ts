import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '#backend/endpoint/errors.ts';

/** Wrong passwords in a quarter of an hour: for one account from anywhere, and from one address for any account. */
const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 20;
const PER_ADDRESS = 50;

/** Slows down the guessing of passwords (contract.md section 4, sign-in). */
export interface SignInThrottle {
  /** Counts an attempt before the password is looked at. @throws {ProblemError} 429 when there were too many. */
  count(account: string, ip: string): Promise<void>;
  /** The password was right: the account's attempts are forgiven. */
  forgive(account: string, ip: string): Promise<void>;
}

/** A throttle kept in this process's memory, of bounded size: entries leave when their window ends. */
export function createSignInThrottle(): SignInThrottle {
  const accounts = new RateLimiterMemory({ points: PER_ACCOUNT, duration: WINDOW_SECONDS });
  const addresses = new RateLimiterMemory({ points: PER_ADDRESS, duration: WINDOW_SECONDS });
  return {
    async count(account, ip) {
      try {
        await addresses.consume(ip);
        await accounts.consume(account);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw tooMany(`Too many attempts to sign in. Try again in ${describeWait(seconds)}.`, seconds);
      }
    },
    async forgive(account, ip) {
      await accounts.delete(account);
      await addresses.reward(ip);
    },
  };
}

const describeWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
