import type { RetryRules } from './judge-answer.ts';
import type { PostLimits } from './post-message.ts';
import type { Pace } from './push-lane.ts';

/** How much web push may take: of memory, of connections, of push services' patience and of people's. */
export interface PushLimits extends PostLimits, RetryRules, Pace {
  /** Alerts that wait until every device was told; beyond it the oldest are let go. */
  backlog: number;
  /** Messages under way at once, but for those that have waited for their answer for longer than `slowMs`. */
  concurrency: number;
  slowMs: number;
  /** Messages under way at once, the slow ones included. */
  maxUnderWay: number;
  /** Of these, so many to devices that failed last: a hanging push service must not hold up the others. */
  troubledConcurrency: number;
  /** After each message that is begun, the event loop is left alone for so many times as long as that took. */
  restFactor: number;
  /** Who is to be told is read anew after this. */
  recipientsMs: number;
  /** How long a stop waits for what is under way before it is cut. */
  stopGraceMs: number;
}

export const PUSH_LIMITS: PushLimits = {
  backlog: 5_000,
  concurrency: 20,
  slowMs: 2_000,
  maxUnderWay: 60,
  troubledConcurrency: 10,
  restFactor: 4,
  recipientsMs: 200,
  stopGraceMs: 1_000,
  totalMs: 10_000,
  answerBytes: 64 * 1024,
  tries: 4,
  backoffMs: 2_000,
  maxRetryAfterMs: 60 * 60 * 1000,
  oneByOne: 3,
  // Grouped after the third in ten seconds, so that a storm does not become a wall of notifications.
  windowMs: 10_000,
  givenUpRestMs: 60_000,
  toldMemory: 50,
  withdrawWithinMs: 60 * 60 * 1000,
  // As long as a toast offers to undo.
  gatherMs: 5_000,
};
