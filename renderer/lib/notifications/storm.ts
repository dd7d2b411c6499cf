/** So many alerts are notified one by one within so many milliseconds; what follows is grouped. */
const ONE_BY_ONE = 3;
const STORM_MS = 10_000;

/** When the last alerts came, in milliseconds since the epoch, oldest first: as many as are told one by one. */
export type Arrivals = readonly number[];

/**
 * How many of `count` alerts that came `now` are to be told one by one; the others are grouped. What is grouped counts
 * as well, so a storm lasts until there was calm.
 */
export function admitArrivals(arrivals: Arrivals, count: number, now: number): { single: number; arrivals: Arrivals } {
  // A clock that was set back must not make a storm of the past.
  const recent = arrivals.filter((at) => at <= now && now - at < STORM_MS);
  const single = Math.min(count, Math.max(0, ONE_BY_ONE - recent.length));
  const added = Array.from({ length: Math.min(count, ONE_BY_ONE) }, () => now);
  return { single, arrivals: [...recent, ...added].slice(-ONE_BY_ONE) };
}
