import { RateLimiterRes } from 'rate-limiter-flexible';
import { TRUSTED } from './hash-queue.ts';
import {
  type SharedCounts,
  type Throttled,
  consume,
  createLimiter,
  networkOf,
} from '#backend/platform/cluster/limiter.ts';
import { tooMany } from '#backend/platform/endpoint/errors.ts';

/** Wrong passwords in a quarter of an hour: on one account from one network or one known device, and from one network. */
const WINDOW_SECONDS = 15 * 60;
export const PER_ACCOUNT_AND_NETWORK = 20;
export const PER_DEVICE = 20;
export const PER_NETWORK = 50;

/**
 * Wrong passwords in a day: on one account from unknown devices anywhere, which is what is left to somebody with many
 * addresses, and from one known device, which may have been stolen (NIST SP 800-63B-4, 3.2.2: at most 100). Neither counts
 * for the other, so that strangers lock no known device out.
 */
export const DAY_SECONDS = 24 * 60 * 60;
export const PER_ACCOUNT_AND_DAY = 100;
export const PER_DEVICE_AND_DAY = 100;

/** How many attempts are let through. */
export interface SignInLimits {
  /** Begin of the counters' names, where servers count together. */
  name: string;
  perAccountAndNetwork: number;
  perDevice: number;
  perNetwork: number;
  perAccountAndDay: number;
  perDeviceAndDay: number;
}

const PASSWORD_LIMITS: SignInLimits = {
  name: 'sign-in',
  perAccountAndNetwork: PER_ACCOUNT_AND_NETWORK,
  perDevice: PER_DEVICE,
  perNetwork: PER_NETWORK,
  perAccountAndDay: PER_ACCOUNT_AND_DAY,
  perDeviceAndDay: PER_DEVICE_AND_DAY,
};

/**
 * Wrong second steps. Six digits are soon guessed, and who tries has the password already: so fewer are let through, and
 * with 50 a day from strangers a code is found in 19 years on average (three of a million codes are good at a time).
 * Recovery codes count as codes of the app do.
 */
export const SECOND_STEP_LIMITS: SignInLimits = {
  name: 'second-step',
  perAccountAndNetwork: 10,
  perDevice: 10,
  perNetwork: 50,
  perAccountAndDay: 50,
  perDeviceAndDay: 50,
};

/** Who tries to sign in. */
export interface Attempt {
  /** The account's e-mail, as compared. */
  account: string;
  /** The client's address. */
  ip: string;
  /** The known device that asks; undefined when it has not signed in to this account before. */
  deviceId: string | undefined;
}

/** Slows down the guessing of passwords without locking out who has signed in before. */
export interface SignInThrottle {
  /** Counts an attempt before the password is looked at. */
  count(attempt: Attempt): Promise<Counted>;
  /** The password was right: the attempts from here are forgiven. */
  forgive(attempt: Attempt): Promise<void>;
  /** The password was not looked at: this attempt counts no more, those before it do. */
  giveBack(attempt: Attempt): Promise<void>;
}

/** How soon an attempt's turn comes (see `HashQueue`), or that there were too many. */
export type Counted = { rank: number; throttled?: undefined } | { throttled: Throttled };

/** 429 with the time to wait. */
export const tooManySignIns = (seconds: number) =>
  tooMany(`Too many attempts to sign in. Try again in ${describeWait(seconds)}.`, seconds);

const pairOf = ({ account, ip }: Pick<Attempt, 'account' | 'ip'>): string => `${networkOf(ip)} ${account}`;

/**
 * A throttle of bounded size: entries leave when their window ends.
 *
 * @param shared where servers count together
 */
export function createSignInThrottle(
  shared?: SharedCounts,
  { name, ...limits }: SignInLimits = PASSWORD_LIMITS,
): SignInThrottle {
  const devices = createLimiter(`${name}:device`, limits.perDevice, WINDOW_SECONDS, shared);
  const deviceDays = createLimiter(`${name}:device-day`, limits.perDeviceAndDay, DAY_SECONDS, shared);
  const networks = createLimiter(`${name}:network`, limits.perNetwork, WINDOW_SECONDS, shared);
  const pairs = createLimiter(`${name}:pair`, limits.perAccountAndNetwork, WINDOW_SECONDS, shared);
  const accounts = createLimiter(`${name}:account`, limits.perAccountAndDay, DAY_SECONDS, shared);
  const rewardStranger = async ({ account, ip }: Attempt): Promise<void> => {
    await networks.reward(networkOf(ip));
    await accounts.reward(account);
  };
  return {
    async count(attempt) {
      if (attempt.deviceId !== undefined) {
        for (const one of [devices, deviceDays]) {
          const counted = await consume(one, attempt.deviceId);
          if (!(counted instanceof RateLimiterRes)) return { throttled: counted };
        }
        return { rank: TRUSTED };
      }
      const network = await consume(networks, networkOf(attempt.ip));
      if (!(network instanceof RateLimiterRes)) return { throttled: network };
      for (const [one, key] of [
        [pairs, pairOf(attempt)],
        [accounts, attempt.account],
      ] as const) {
        const counted = await consume(one, key);
        if (!(counted instanceof RateLimiterRes)) return { throttled: counted };
      }
      return { rank: TRUSTED + network.consumedPoints };
    },
    async forgive(attempt) {
      if (attempt.deviceId !== undefined) {
        await devices.delete(attempt.deviceId);
        // Not the wrong ones of the day: somebody else may have them.
        await deviceDays.reward(attempt.deviceId);
        return;
      }
      await pairs.delete(pairOf(attempt));
      await rewardStranger(attempt);
    },
    async giveBack(attempt) {
      if (attempt.deviceId !== undefined) {
        await devices.reward(attempt.deviceId);
        await deviceDays.reward(attempt.deviceId);
        return;
      }
      await pairs.reward(pairOf(attempt));
      await rewardStranger(attempt);
    },
  };
}

/** A time to wait, as people say it. */
export const describeWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
