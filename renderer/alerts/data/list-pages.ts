import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertListSort } from '#backend/contract/alert-query.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';
import { type AlertPosition, compareAlerts } from './list-order.ts';

/**
 * One page of a list: the ids of its alerts, which are in the store. `end` is where its last alert stood when it was fetched;
 * absent on the last page.
 */
export interface AlertPage extends Omit<ApiPage<Alert>, 'rows'> {
  ids: string[];
  end?: AlertPosition;
  /** Of these the answer said what they were before. */
  stale?: string[];
}

/** An alert list as it is cached: pages of ids in the list's order. The first page's `total` counts the whole list. */
export type AlertPages = InfiniteData<AlertPage>;

/** The page of an answer, with where its last alert stands when there are more after it. */
export function pageOf({ rows, ...page }: ApiPage<Alert>): AlertPage {
  const last = rows.at(-1);
  const ids = rows.map(({ id }) => id);
  if (page.next === undefined || !last) return { ...page, ids };
  const { id, status, severity, state, completedAt } = last;
  return { ...page, ids, end: { id, status, severity, state, ...(completedAt !== undefined && { completedAt }) } };
}

/** Every loaded id of the list, in its order. */
export const idsOf = ({ pages }: AlertPages): string[] =>
  pages.length === 1 ? (pages[0]?.ids ?? []) : pages.flatMap(({ ids }) => ids);

/** How many alerts the whole list has. Once all of it is loaded, that is simply the rows there are. */
export function totalOf({ pages }: AlertPages): number {
  const loaded = pages.reduce((sum, { ids }) => sum + ids.length, 0);
  return pages.at(-1)?.next === undefined ? loaded : Math.max(loaded, pages[0]?.total ?? 0);
}

/** Whether the alert is among the loaded rows. */
export const hasLoaded = ({ pages }: AlertPages, id: string): boolean => pages.some(({ ids }) => ids.includes(id));

/** Whether there may be more alerts than the loaded ones: a page of a search can be empty and still name the next. */
export const hasMore = ({ pages }: AlertPages): boolean => pages.at(-1)?.next !== undefined;

/** Whether an alert of this position would be among the loaded rows, if it is in the list at all. */
export function isInLoadedRange(list: AlertPages, sort: AlertListSort | undefined, alert: AlertPosition): boolean {
  if (!hasMore(list)) return true;
  const end = list.pages.findLast((page) => page.end !== undefined)?.end;
  return end !== undefined && compareAlerts(sort, alert, end) <= 0;
}

/** An alert that changed, and whether the list has it now: undefined when only the server knows, so that it stays as it is. */
export interface Placement {
  id: string;
  /** As it was when it found its place; undefined finds its place again. */
  before: AlertPosition | undefined;
  after: AlertPosition | undefined;
  belongs: boolean | undefined;
}

/**
 * Puts alerts where they belong in the order, each in place of its older self if that is there, or takes them out. One that belongs
 * beyond the last loaded page comes with its page. One that has just been resolved keeps its place until the list is read
 * again. The same list when nothing of it changes.
 *
 * @param read where the other alerts of the list stand
 */
export function placeAlerts(
  list: AlertPages,
  placements: readonly Placement[],
  sort: AlertListSort | undefined,
  read: (id: string) => AlertPosition | undefined,
): AlertPages {
  const changed = new Map(placements.map((placement) => [placement.id, placement]));
  const staying = new Set<string>();
  const leaving = new Set<string>();
  for (const { ids } of list.pages) {
    for (const id of ids) {
      const placement = changed.get(id);
      if (placement) (keepsPlace(placement, sort) ? staying : leaving).add(id);
    }
  }
  const coming = placements.flatMap(({ id, after, belongs }) => {
    const isListed = leaving.has(id);
    if (!after || staying.has(id) || !(belongs ?? isListed)) return [];
    const home = list.pages.findIndex(({ end, next }) =>
      end === undefined ? next === undefined : compareAlerts(sort, after, end) <= 0,
    );
    return home === -1 ? [] : [{ home, after, isListed }];
  });
  if (leaving.size === 0 && coming.length === 0) return list;
  const byPage = Map.groupBy(coming, ({ home }) => home);
  const pages = list.pages.map((page, index) => {
    const kept =
      leaving.size > 0 && page.ids.some((id) => leaving.has(id)) ? page.ids.filter((id) => !leaving.has(id)) : page.ids;
    const added = byPage.get(index)?.map(({ after }) => after) ?? [];
    const ids = added.length > 0 ? mergeInto(kept, added, sort, read) : kept;
    return ids === page.ids ? page : { ...page, ids };
  });
  const gone = [...leaving].filter((id) => changed.get(id)?.belongs === false).length;
  const fresh = coming.filter(({ isListed }) => !isListed).length;
  const placed = addToTotal({ ...list, pages }, fresh - gone);
  shared.add(placed);
  return placed;
}

/** Lists made of an older one here: they share its pages already, and have no alert twice. */
const shared = new WeakSet<AlertPages>();

/** Whether a listed alert stays in its place. */
function keepsPlace({ before, after, belongs }: Placement, sort: AlertListSort | undefined): boolean {
  if (belongs === false || !after || !before) return false;
  return compareAlerts(sort, before, after) === 0 || (sort === 'severity' && isResolvedNow(before, after));
}

const isResolvedNow = (before: AlertPosition, after: AlertPosition): boolean =>
  before.state !== 'resolved' && after.state === 'resolved';

/**
 * Puts alerts each after the last row that stands before it. By severity resolved ones may still stand among those of their
 * severity, so the rows are looked through from the end; other orders have no exceptions, and a place is found by halving.
 */
function mergeInto(
  ids: readonly string[],
  added: AlertPosition[],
  sort: AlertListSort | undefined,
  read: (id: string) => AlertPosition | undefined,
): string[] {
  const isBefore = (id: string, alert: AlertPosition): boolean => {
    const stands = read(id);
    return stands !== undefined && compareAlerts(sort, stands, alert) < 0;
  };
  const merged: string[] = [];
  let from = 0;
  for (const alert of added.sort((one, other) => compareAlerts(sort, one, other))) {
    const place =
      sort === 'severity'
        ? Math.max(from, ids.findLastIndex((id) => isBefore(id, alert)) + 1)
        : firstWithout(ids, from, (id) => isBefore(id, alert));
    merged.push(...ids.slice(from, place), alert.id);
    from = place;
  }
  return [...merged, ...ids.slice(from)];
}

/** Index from `from` on of the first of the ids that does not pass; all that pass stand before it. */
function firstWithout(ids: readonly string[], from: number, passes: (id: string) => boolean): number {
  let [low, high] = [from, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(ids[middle] ?? '')) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How large a list may become beyond what is looked at. */
export interface ListLimits {
  /** Rows of a page; one that has grown to twice as many is divided. */
  page: number;
  /** Rows that are kept below the last one that is needed. With twice as many the surplus is dropped. */
  below: number;
}

/**
 * Keeps rows of the list up to number `needed`, and some below; those that are dropped are fetched again when somebody comes
 * near. Pages that grew by what arrived are divided where a cursor is but an id, so that a list which is read again page by page is
 * as long as before. The same list when it is small enough.
 */
export function fitPages(
  list: AlertPages,
  sort: AlertListSort | undefined,
  needed: number,
  { page, below }: ListLimits,
  read: (id: string) => AlertPosition | undefined,
): AlertPages {
  const isDivisible = sort !== 'status' && sort !== 'severity' && sort !== 'completed';
  const divided = list.pages.flatMap((one) =>
    isDivisible && one.ids.length > 2 * page ? dividePage(one, page, read) : [one],
  );
  const loaded = divided.reduce((sum, { ids }) => sum + ids.length, 0);
  let [kept, rows] = [divided.length, loaded];
  if (loaded - needed > 2 * below) {
    while (kept > 1 && rows - (divided[kept - 1]?.ids.length ?? 0) >= needed + below) {
      kept -= 1;
      rows -= divided[kept]?.ids.length ?? 0;
    }
  }
  if (kept === list.pages.length) return list;
  const pages = divided.slice(0, kept);
  const fitting = { pages, pageParams: pages.map((_, at) => (at === 0 ? list.pageParams[0] : pages[at - 1]?.next)) };
  const fit = setTotal(fitting, totalOf(list));
  shared.add(fit);
  return fit;
}

/** A page as several of so many rows, each with the id of its last as the cursor. */
function dividePage(page: AlertPage, rows: number, read: (id: string) => AlertPosition | undefined): AlertPage[] {
  const parts: AlertPage[] = [];
  for (let from = 0; from < page.ids.length; from += rows) {
    const ids = page.ids.slice(from, from + rows);
    const isLast = from + rows >= page.ids.length;
    const end = ids.at(-1);
    const stands = end === undefined ? undefined : read(end);
    // Where the place of the last row is not known, the page stays whole.
    if (!isLast && (end === undefined || !stands)) return [page];
    parts.push(isLast || end === undefined || !stands ? { ...page, ids } : { ...page, ids, next: end, end: stands });
  }
  return parts;
}

/** Sets how many alerts the whole list has, as the server counted them. */
export const setTotal = (list: AlertPages, total: number): AlertPages =>
  addToTotal(list, total - (list.pages[0]?.total ?? 0));

function addToTotal(list: AlertPages, by: number): AlertPages {
  const [first, ...rest] = list.pages;
  if (!first || by === 0) return list;
  return { ...list, pages: [{ ...first, total: Math.max(0, first.total + by) }, ...rest] };
}

/**
 * Keeps the pages that did not change as they were. An alert that moved down the order by status or severity between the
 * answers of two pages is in both: the later one is right.
 */
export const sharePages = (older: AlertPages | undefined, newer: AlertPages): AlertPages =>
  shared.has(newer) ? newer : replaceEqualDeep(older, withoutDuplicates(newer));

function withoutDuplicates(list: AlertPages): AlertPages {
  if (list.pages.length === 1) return list;
  const lastPage = new Map(list.pages.flatMap(({ ids }, index) => ids.map((id) => [id, index] as const)));
  const isWhole = lastPage.size === list.pages.reduce((sum, { ids }) => sum + ids.length, 0);
  if (isWhole) return list;
  return {
    ...list,
    pages: list.pages.map((page, index) => ({ ...page, ids: page.ids.filter((id) => lastPage.get(id) === index) })),
  };
}
