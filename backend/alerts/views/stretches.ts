import { setImmediate } from 'node:timers/promises';
import type { Database } from '#backend/platform/database/database.ts';
import type { IdRange } from '#backend/platform/database/id-times.ts';

/** Alerts of one stretch: few enough to look at them in one step. */
const STRETCH_ALERTS = 512;

/**
 * All ids in order, cut into stretches of some hundred alerts each, with a note of when something happened in each of them last.
 * A stretch begins where the one before ends; the first has no beginning and the last no end, so every id is in exactly one.
 * Time is the number of what happened so far.
 */
export interface Stretches {
  /** Resolves once the alerts that are stored already are cut. */
  ready(): Promise<void>;
  readonly count: number;
  readonly time: number;
  /** The stretch that an id is in. */
  at(id: string): number;
  /** The ids of a stretch. */
  rangeOf(number: number): IdRange;
  /** When something happened in it last; 0 when nothing has. */
  touchedAt(number: number): number;
  /** An alert was stored. */
  add(id: string): void;
  /** Something happened to an alert. */
  touch(id: string): void;
  /** Something happened that is noted elsewhere. Returns the time. */
  pass(): number;
}

/** @param alertsEach how long a stretch is; tests cut shorter ones. */
export function createStretches({ reads }: Pick<Database, 'reads'>, alertsEach = STRETCH_ALERTS): Stretches {
  /** Where the second stretch begins, and the further ones. */
  const bounds: string[] = [];
  const touched = new Map<number, number>();
  let time = 0;
  let inLast = 0;
  let reading: Promise<void> | undefined;
  let isRead = false;

  const read = async (): Promise<void> => {
    for (let after = ''; ;) {
      const [row]: { id: string }[] = await reads.query(
        `SELECT id FROM alerts WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${alertsEach - 1}`,
        [after],
      );
      if (!row) break;
      bounds.push(row.id);
      after = row.id;
      await setImmediate();
    }
    isRead = true;
  };

  const at = (id: string): number => {
    let [low, high] = [0, bounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? '') <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const touch = (id: string): void => {
    time += 1;
    // Before the cut nothing was counted by stretches.
    if (isRead) touched.set(at(id), time);
  };

  return {
    ready: () =>
      (reading ??= read().catch((error: unknown) => {
        bounds.length = 0;
        reading = undefined;
        throw error;
      })),
    get count() {
      return bounds.length + 1;
    },
    get time() {
      return time;
    },
    at,
    rangeOf(number) {
      const [from, below] = [bounds[number - 1], bounds[number]];
      return { ...(from !== undefined && { from }), ...(below !== undefined && { below }) };
    },
    touchedAt: (number) => touched.get(number) ?? 0,
    add(id) {
      touch(id);
      if (!isRead || id <= (bounds.at(-1) ?? '')) return;
      inLast += 1;
      if (inLast < alertsEach) return;
      // The one that was the last ends here, so what was counted in it may be in the next one.
      touched.set(bounds.length, time);
      bounds.push(id);
      touched.set(bounds.length, time);
      inLast = 0;
    },
    touch,
    pass: () => (time += 1),
  };
}
