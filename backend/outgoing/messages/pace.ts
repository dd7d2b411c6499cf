import type { Pace } from '#backend/outgoing/destinations/kinds/kind.ts';

/** Keeps to what services say of how fast they take requests. */
export interface Paces {
  /** How long to wait for the next turn, in milliseconds. */
  waitFor(key: string, pace: Pace): number;
  /** A request has been answered: the next turn counts from here, however long requests take on their way. */
  use(key: string, pace: Pace): void;
}

/**
 * The generic cell rate algorithm (https://www.itu.int/rec/T-REC-I.371, annex A): of each key one number is kept, the moment at
 * which its turns are used up.
 */
export function createPaces(now: () => number = () => performance.now()): Paces {
  const usedUpTo = new Map<string, number>();
  return {
    waitFor: (key, { everyMs, burst }) =>
      Math.max(0, (usedUpTo.get(key) ?? Number.NEGATIVE_INFINITY) - (burst - 1) * everyMs - now()),
    use(key, { everyMs }) {
      usedUpTo.set(key, Math.max(usedUpTo.get(key) ?? 0, now()) + everyMs);
    },
  };
}
