/** By so much less than the time that passed a clock may have gone that nobody set, in milliseconds. */
const CLOCK_ERROR_MS = 5_000;

/** The latest moment that anybody waits for. One that is later is due: the clock was set back since. */
export const latestFrom = (now: number, longestMs: number): number => now + longestMs + CLOCK_ERROR_MS;

/** Whether a moment is still to come, by a clock that may have been set back. @param longestMs how far ahead it may be */
export const isAhead = (at: number | null, now: number, longestMs: number): boolean =>
  at !== null && at > now && at <= latestFrom(now, longestMs);
