import { isAhead } from '#backend/platform/database/ahead.ts';

/** The first pause after a failure, and the longest, in milliseconds. */
const FIRST_MS = 2_000;
const LONGEST_MS = 15 * 60 * 1000;

/**
 * Nothing waits for longer, in milliseconds: a service that asks for a longer wait is asked again after this, and no pause of
 * ours is as long.
 */
export const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** Whether a destination is to wait. @param retryAt until when, by a clock that may have been set back since */
export const isWaiting = (retryAt: number | null, now: number): retryAt is number =>
  isAhead(retryAt, now, LONGEST_WAIT_MS);

/** A destination that fails is tried again after so long at most: once it is back, nothing waits for long. */
const LONGEST_CIRCUIT_MS = 30_000;

/** Failures in a row from which on a destination is said to fail. */
export const CIRCUIT_FAILURES = 3;

/** Up to so much is added or taken off at random, so that what failed together does not come again together. */
const JITTER = 0.2;

const jittered = (ms: number, random: () => number): number => Math.round(ms * (1 + JITTER * (2 * random() - 1)));

/**
 * Whether a destination gets one attempt at a time. Messages that it refused for themselves are no reason: they count as failures,
 * but it has no pause after them.
 */
export const isTriedAlone = ({ failures, retryAt }: { failures: number; retryAt: number | null }): boolean =>
  failures >= CIRCUIT_FAILURES && retryAt !== null;

/** Whether a destination waits no longer than it does after failures: longer it waits where its service asked for that. */
export const isOwnPause = (retryAt: number, now: number): boolean => retryAt <= now + LONGEST_CIRCUIT_MS * (1 + JITTER);

/** The pause after the nth attempt of a message failed, in milliseconds. */
export const pauseAfter = (attempts: number, random = Math.random): number =>
  jittered(Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS), random);

/** The pause of a destination after so many failures in a row, in milliseconds; 0 while it may go on. */
export const circuitPause = (failures: number, random = Math.random): number =>
  failures < CIRCUIT_FAILURES
    ? 0
    : jittered(Math.min(FIRST_MS * 2 ** (failures - CIRCUIT_FAILURES), LONGEST_CIRCUIT_MS), random);
