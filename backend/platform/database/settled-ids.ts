import { firstIdAt } from './ids.ts';

/** How often the newest id is kept at most, in milliseconds; more often where ids settle sooner. */
const SAMPLE_MS = 1_000;

/**
 * Ids do not come in the order of commits, and servers whose clocks differ do not make them in one order at once. What was
 * stored for so long is settled: nothing is added up to the id that was the newest then. Time is counted, not read from a
 * clock, which may be set: by the clock at the first look alone, when nothing else is known.
 *
 * @returns a function that takes the newest id that is stored, and returns one up to which all are settled
 */
export function createSettledIds(
  settledAfterMs: number,
  { wall = Date.now, running = () => performance.now() }: { wall?: () => number; running?: () => number } = {},
): (newest: string) => string {
  let settled = '';
  const looks: { at: number; newest: string }[] = [];
  return (newest) => {
    if (newest === '') return settled;
    const now = running();
    const [last] = looks.slice(-1);
    if (!last) settled = lesser(newest, firstIdAt(wall() - settledAfterMs));
    if (!last || now - last.at >= Math.min(SAMPLE_MS, settledAfterMs)) looks.push({ at: now, newest });
    while (looks.length > 1 && (looks[1]?.at ?? now) + settledAfterMs <= now) looks.shift();
    const [oldest] = looks;
    if (oldest && oldest.at + settledAfterMs <= now && oldest.newest > settled) settled = oldest.newest;
    return settled;
  };
}

const lesser = (one: string, other: string): string => (one < other ? one : other);
