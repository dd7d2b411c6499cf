import { latestFrom } from './ahead.ts';

/**
 * How long a claim on a row lasts, in milliseconds: longer than an attempt with its answer takes. What a server claimed that was
 * killed is done again after it, with the same id.
 */
export const CLAIM_MS = 25_000;

/** SQL: nobody has claimed a row. A claim that is further ahead than any is was made before the clock was set back. */
export const IS_FREE = '(claimed_until <= ? OR claimed_until > ?)';

/** Values of {@link IS_FREE}, by the clock that claims are made by. */
export const freeAt = (now = Date.now()): number[] => [now, latestFrom(now, CLAIM_MS)];
