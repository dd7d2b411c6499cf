import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '#backend/endpoint/errors.ts';

/** Wrong passwords in a quarter of an hour: for one account from anywhere, and from one address for any account. */
const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 20;
const PER_ADDRESS = 50;

/** Slows down the guessing of passwords (contract.md section 4, sign-in). */
export interface SignInThrottle {
  /** Counts an attempt before the password is looked at. When there were too many: how long to wait. */
  count(account: string, ip: string): Promise<Throttled | undefined>;
  /** The password was right: the account's attempts are forgiven. */
  forgive(account: string, ip: string): Promise<void>;
}

/** Too many attempts: how long to wait, and whether this is the first one too many. */
export interface Throttled {
  seconds: number;
  isFirst: boolean;
}

/** 429 with the time to wait. */
export const tooManySignIns = (seconds: number) =>
  tooMany(`Too many attempts to sign in. Try again in ${describeWait(seconds)}.`, seconds);

/** A throttle kept in this process's memory, of bounded size: entries leave when their window ends. */
export function createSignInThrottle(): SignInThrottle {
  const accounts = new RateLimiterMemory({ points: PER_ACCOUNT, duration: WINDOW_SECONDS });
  const addresses = new RateLimiterMemory({ points: PER_ADDRESS, duration: WINDOW_SECONDS });
  return {
    async count(account, ip) {
      return (await consume(addresses, ip)) ?? (await consume(accounts, account));
    },
    async forgive(account, ip) {
      await accounts.delete(account);
      await addresses.reward(ip);
    },
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<Throttled | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return {
      seconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
      isFirst: error.consumedPoints === limiter.points + 1,
    };
  }
}

const describeWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
