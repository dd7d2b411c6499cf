import ipaddr from 'ipaddr.js';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { inTime } from './in-time.ts';
import type { RedisLink } from './redis-link.ts';

/** Where servers count together. Absent, each counts for itself. */
export interface SharedCounts {
  client: RedisLink['client'];
  /** Begin of the keys' names. */
  prefix: string;
  /** Name of what is counted, of which nobody reads in Redis whose it is. */
  nameOf: (limiter: string, key: string | number) => string;
  /** False while it is known that nobody answers. */
  isConnected: () => boolean;
}

/** Lets through so many in a time, by a key. */
export type Limiter = Pick<RateLimiterAbstract, 'points' | 'get' | 'consume' | 'delete' | 'reward'>;

/** An answer that takes longer counts as none, in milliseconds: nobody waits for a Redis that hangs. */
const COUNT_MS = 500;

/**
 * Counts in Redis, and in memory for as long as Redis does not answer: then each server lets through as many attempts as all
 * of them do otherwise. Without `shared` in memory alone.
 *
 * @param name what is limited, e.g. `sign-in:account`
 * @param points how many are let through in `duration` seconds
 */
export function createLimiter(
  name: string,
  points: number,
  duration: number,
  shared: SharedCounts | undefined,
): Limiter {
  const own = new RateLimiterMemory({ points, duration });
  if (!shared) return own;
  const together = new RateLimiterRedis({
    storeClient: shared.client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `${shared.prefix}:${name}`,
    points,
    duration,
  });
  const nameOf = (key: string | number) => shared.nameOf(name, key);
  /** What Redis answers, or what is counted here when it does not. @throws {RateLimiterRes} when there were too many. */
  const ask = async <T>(work: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> => {
    if (!shared.isConnected()) return work(own);
    return inTime(work(together), COUNT_MS).catch((error: unknown) => {
      if (error instanceof RateLimiterRes) throw error;
      return work(own);
    });
  };
  return {
    points,
    get: (key) => ask((limiter) => limiter.get(nameOf(key))),
    consume: (key) => ask((limiter) => limiter.consume(nameOf(key))),
    async delete(key) {
      // Attempts were counted here, too, while Redis was away.
      await own.delete(nameOf(key));
      return ask((limiter) => limiter.delete(nameOf(key)));
    },
    reward: (key, forgiven) => ask((limiter) => limiter.reward(nameOf(key), forgiven)),
  };
}

/** Too many attempts: how long to wait, and whether this is the first one too many. */
export interface Throttled {
  seconds: number;
  isFirst: boolean;
}

/** Counts one attempt by this key. */
export async function consume(limiter: Limiter, key: string): Promise<RateLimiterRes | Throttled> {
  try {
    return await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return { seconds: secondsOf(error), isFirst: error.consumedPoints === limiter.points + 1 };
  }
}

/** In how many seconds this key may try again; undefined where it may now. Counts nothing. */
export async function waitOf(limiter: Limiter, key: string): Promise<number | undefined> {
  const counted = await limiter.get(key);
  return counted && counted.consumedPoints >= limiter.points ? secondsOf(counted) : undefined;
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/**
 * What one person can easily have: an IPv4 address, or the /64 of an IPv6 address (RFC 6177). IPv4-mapped addresses
 * count as the IPv4 address that they are.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
