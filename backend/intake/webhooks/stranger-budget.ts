import { tooMany } from '#backend/platform/endpoint/errors.ts';

/** What is spent in this time is there again after it, in milliseconds. */
const WINDOW_MS = 60_000;

/** Who is remembered at once. */
const MAX_NAMES = 10_000;

/** Bounds what is read in a minute for requests that turn out to be nobody's. */
export interface StrangerBudget {
  /**
   * Spends so many bytes before they are read.
   *
   * @param name of who spends, such as a network
   * @returns says how many it was in the end: none of a request that was taken
   * @throws {ProblemError} 429 when this one has spent what it has, or all have
   */
  spend(name: string, bytes: number): (used: number) => void;
}

/** @param each bytes that each may spend in a minute, `all` what all may together */
export function createStrangerBudget(
  { each, all }: { each: number; all: number },
  now: () => number = () => performance.now(),
): StrangerBudget {
  const spentBy = new Map<string, number>();
  let total = 0;
  let since = now();
  return {
    spend(name, bytes) {
      const isOver = now() - since >= WINDOW_MS;
      if (isOver || spentBy.size >= MAX_NAMES) spentBy.clear();
      if (isOver) {
        total = 0;
        since = now();
      }
      const spent = spentBy.get(name) ?? 0;
      if (spent + bytes > each || total + bytes > all) {
        const seconds = Math.max(1, Math.ceil((since + WINDOW_MS - now()) / 1000));
        throw tooMany('Too much was sent from here that belongs to no source. Send the request again later.', seconds);
      }
      spentBy.set(name, spent + bytes);
      total += bytes;
      return (used) => {
        // Of the minute before, it may be less than nothing.
        spentBy.set(name, Math.max(0, (spentBy.get(name) ?? 0) + used - bytes));
        total = Math.max(0, total + used - bytes);
      };
    },
  };
}
