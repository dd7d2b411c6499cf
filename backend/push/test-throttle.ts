import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '#backend/endpoint/errors.ts';

/** Test messages of one member in a minute. */
export const TESTS_PER_MINUTE = 5;

/** Counts a member's test messages. @returns what throws 429 with the time to wait when there were too many. */
export function createTestThrottle(): (userId: string) => Promise<void> {
  const members = new RateLimiterMemory({ points: TESTS_PER_MINUTE, duration: 60 });
  return async (userId) => {
    try {
      await members.consume(userId);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw tooMany(`Too many test notifications. Try again in ${seconds} seconds.`, seconds);
    }
  };
}
