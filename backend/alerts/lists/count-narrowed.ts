import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { setImmediate } from 'node:timers/promises';
import type { IdRange } from '#backend/platform/database/id-times.ts';
import { branchesOfAll } from './alert-branches.ts';
import { countBranches } from './count-branches.ts';
import { sizeOfAll } from '#backend/alerts/alert/alert-counts.ts';
import { type NarrowedList, isLookedThrough } from '#backend/alerts/alert/alert-list.ts';
import { findPlaces } from './alert-pages.ts';
import { MAX_COUNTED, createSearch } from './prepare-search.ts';

type Reads = { database: Database; search: SearchIndex };

/** How many alerts a narrowed list holds, where counters know the exact number. */
export async function countByCounters({ database }: Reads, list: NarrowedList): Promise<number | undefined> {
  if (list.parts.length === 0) return 0;
  if (isLookedThrough(list)) return undefined;
  const { alerts, isExact } = await sizeOfAll(database.reads, list);
  return isExact ? alerts : undefined;
}

/** How many alerts of a narrowed list have ids in a range: looked at one by one, so the range is to be a short one. */
export async function countInRange(context: Reads, list: NarrowedList, range: IdRange): Promise<number> {
  const within = { ...list, range: bothRanges(list.range, range) };
  if (isEmptyRange(within.range)) return 0;
  if (!isLookedThrough(list)) {
    const { reads, dialect } = context.database;
    return countBranches(reads, dialect, branchesOfAll(within, 'newest'));
  }
  let alerts = 0;
  for await (const ids of findIds(context, within)) alerts += ids.length;
  return alerts;
}

/** Ids of all alerts that are in a narrowed list that counters do not know, newest first: some at a time, in bounded steps. */
export async function* findIds(context: Reads, list: NarrowedList): AsyncGenerator<string[]> {
  const size = await sizeOfAll(context.database.reads, list);
  const branches = branchesOfAll(list, 'newest');
  const rows = MAX_COUNTED + 1;
  let before: string | undefined;
  for (;;) {
    const search = await createSearch(context, list, size);
    const { places, stoppedAt } = await findPlaces(
      context.database,
      search,
      branches,
      { sort: 'newest', before },
      rows,
    );
    yield places.map(({ id }) => id);
    // What is stored next has a later place in the list than what was found, and is not looked for here.
    const next = places.length >= rows ? places.at(-1)?.id : stoppedAt?.id;
    if (next === undefined) return;
    before = next;
    await setImmediate();
  }
}

/** What is in both ranges, of which one at most has times. */
export const bothRanges = (one: IdRange, other: IdRange): IdRange => {
  const from = later(one.from, other.from);
  const below = earlier(one.below, other.below);
  const timed = one.timed ?? other.timed;
  return { ...(from !== undefined && { from }), ...(below !== undefined && { below }), ...(timed && { timed }) };
};

const later = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

const isEmptyRange = ({ from, below }: IdRange): boolean => from !== undefined && below !== undefined && from >= below;
