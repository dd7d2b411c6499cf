import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { type NarrowedList, isLookedThrough } from '#backend/alerts/alert/alert-list.ts';
import { bothRanges, countByCounters, countInRange, findIds } from '#backend/alerts/lists/count-narrowed.ts';
import type { IdRange } from '#backend/platform/database/id-times.ts';
import type { Stretches } from './stretches.ts';

/**
 * The number of alerts in one narrowed list, kept current. What counters do not know is counted stretch by stretch, and only
 * stretches in which something happened are counted again: what happens twice, or in another order, leads to the same number.
 */
export interface CountedList {
  /** Something happened, nobody knows to which alerts. */
  forget(): void;
  /**
   * Brings the number up to date.
   *
   * @param rest gives way to other work; called between two steps
   */
  count(list: NarrowedList, rest: () => Promise<void>): Promise<number>;
}

/** A counted stretch: its alerts, whatever times the list names, and how late it was when their count began. */
interface CountedStretch {
  alerts: number;
  at: number;
}

export function createCountedList(
  context: { database: Database; search: SearchIndex },
  stretches: Stretches,
): CountedList {
  let known = new Map<number, CountedStretch>();
  let meant: string | undefined;
  let forgottenAt = 0;

  const knownAt = (number: number): CountedStretch | undefined => {
    const one = known.get(number);
    return one && one.at >= Math.max(forgottenAt, stretches.touchedAt(number)) ? one : undefined;
  };

  /** Finding all alerts that have the words or the label by the index takes less than looking into each stretch. */
  const findAll = async (list: NarrowedList, rest: () => Promise<void>): Promise<void> => {
    const at = stretches.time;
    const found = Array.from({ length: stretches.count }, () => 0);
    for await (const ids of findIds(context, list)) {
      for (const id of ids) {
        const number = stretches.at(id);
        found[number] = (found[number] ?? 0) + 1;
      }
      await rest();
    }
    known = new Map(found.map((alerts, number) => [number, { alerts, at }] as const));
  };

  return {
    forget() {
      forgottenAt = stretches.pass();
    },
    async count(list, rest) {
      const byCounters = await countByCounters(context, list);
      if (byCounters !== undefined) return byCounters;
      await stretches.ready();
      const whole = { ...list, range: {} };
      // Names of customers, owners and folders may stand for others than before.
      const means = JSON.stringify(whole);
      if (means !== meant) {
        known = new Map();
        if ((isLookedThrough(list) || list.labels.length > 0) && isOpen(list.range)) await findAll(whole, rest);
        meant = means;
      }
      const counted = known;
      let alerts = 0;
      for (let number = 0; number < stretches.count; number += 1) {
        const ids = stretches.rangeOf(number);
        if (!overlaps(ids, list.range)) continue;
        const isWhole = isWithin(ids, list.range);
        const before = isWhole ? knownAt(number) : undefined;
        if (before) {
          alerts += before.alerts;
          continue;
        }
        const at = stretches.time;
        const inStretch = await countInRange(context, whole, bothRanges(ids, list.range));
        // A stretch that was cut in two meanwhile was touched then.
        if (isWhole) counted.set(number, { alerts: inStretch, at });
        alerts += inStretch;
        await rest();
      }
      return alerts;
    },
  };
}

const isOpen = ({ from, below }: IdRange): boolean => from === undefined && below === undefined;

const overlaps = (ids: IdRange, { from, below }: IdRange): boolean =>
  (from === undefined || ids.below === undefined || ids.below > from) &&
  (below === undefined || ids.from === undefined || ids.from < below);

const isWithin = (ids: IdRange, { from, below, timed }: IdRange): boolean =>
  !(timed && overlaps(ids, { from: timed.first, below: timed.end })) &&
  (from === undefined || (ids.from !== undefined && ids.from >= from)) &&
  (below === undefined || (ids.below !== undefined && ids.below <= below));
