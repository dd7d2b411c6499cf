import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';
import type { Alert, AlertSort } from '#backend/contract/alert.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';
import { type AlertPosition, compareAlerts } from './alert-order.ts';

/** One page of a list. `end` is where its last alert stood when it was fetched; absent on the last page. */
export interface AlertPage extends ApiPage<Alert> {
  end?: AlertPosition;
}

/** An alert list as it is cached: pages of alerts in the list's order. The first page's `total` counts the whole list. */
export type AlertPages = InfiniteData<AlertPage>;

/** A change of a cached list. Applying it again, or to a list that already has it, changes nothing. */
export type AlertListChange = (pages: AlertPages) => AlertPages;

/** Every loaded alert of the list, in its order. */
export function alertsOf(pages: AlertPages): Alert[] {
  return pages.pages.length === 1 ? (pages.pages[0]?.rows ?? []) : pages.pages.flatMap((page) => page.rows);
}

/** How many alerts the whole list has. Once all of it is loaded, that is simply the rows there are. */
export function totalOf({ pages }: AlertPages): number {
  const loaded = pages.reduce((sum, page) => sum + page.rows.length, 0);
  return pages.at(-1)?.next === undefined ? loaded : Math.max(loaded, pages[0]?.total ?? 0);
}

/** The loaded alert with this id, if any. */
export function findAlert({ pages }: AlertPages, id: string): Alert | undefined {
  for (const page of pages) {
    const alert = page.rows.find((row) => row.id === id);
    if (alert) return alert;
  }
  return undefined;
}

/** Whether there may be more alerts than the loaded ones: a page of a search can be empty and still name the next. */
export const hasMore = ({ pages }: AlertPages): boolean => pages.at(-1)?.next !== undefined;

/** Whether an alert of this position would be among the loaded rows, if it is in the list at all. */
export function isInLoadedRange(list: AlertPages, sort: AlertSort | undefined, alert: AlertPosition): boolean {
  if (!hasMore(list)) return true;
  const end = list.pages.findLast((page) => page.end !== undefined)?.end;
  return end !== undefined && compareAlerts(sort, alert, end) <= 0;
}

/**
 * Puts an alert where it belongs in the order, in place of its older self if that is there. One that belongs beyond the
 * last loaded page comes with its page.
 */
export const putAlert =
  (alert: Alert, sort?: AlertSort): AlertListChange =>
  (list) => {
    const known = findAlert(list, alert.id);
    if (known && compareAlerts(sort, known, alert) === 0) {
      return mapRows(list, (rows) =>
        hasAlert(rows, alert.id) ? rows.map((row) => (row.id === alert.id ? alert : row)) : rows,
      );
    }
    const others = known ? mapRows(list, (rows) => withoutAlert(rows, alert.id)) : list;
    const home = list.pages.findIndex(({ end, next }) =>
      end === undefined ? next === undefined : compareAlerts(sort, alert, end) <= 0,
    );
    if (home === -1) return others;
    const longer = mapRows(others, (rows, index) => {
      if (index !== home) return rows;
      const after = rows.findIndex((row) => compareAlerts(sort, alert, row) < 0);
      return rows.toSpliced(after === -1 ? rows.length : after, 0, alert);
    });
    return known ? longer : addToTotal(longer, +1);
  };

/** Takes a loaded alert out of the list. */
export const dropAlert =
  (id: string): AlertListChange =>
  (list) =>
    findAlert(list, id)
      ? addToTotal(
          mapRows(list, (rows) => withoutAlert(rows, id)),
          -1,
        )
      : list;

/** Sets how many alerts the whole list has, as the server counted them. */
export const setTotal =
  (total: number): AlertListChange =>
  (list) =>
    addToTotal(list, total - (list.pages[0]?.total ?? 0));

/**
 * Keeps the rows that did not change as they were, so that a refetch draws only what is new. An alert that moved down the
 * order by status between the answers of two pages is in both: the later one is right.
 */
export function shareAlerts(older: AlertPages | undefined, newer: AlertPages): AlertPages {
  if (!older || older === newer) return newer;
  let known: ReadonlyMap<string, Alert> | undefined;
  return mapRows(withoutDuplicates(newer), (rows, index) => {
    if (rows === older.pages[index]?.rows) return rows;
    known ??= new Map(alertsOf(older).map((alert) => [alert.id, alert]));
    return rows.map((row) => shareAlert(known?.get(row.id), row));
  });
}

const shareAlert = (older: Alert | undefined, newer: Alert): Alert =>
  older === newer ? newer : replaceEqualDeep(older, newer);

function withoutDuplicates(list: AlertPages): AlertPages {
  if (list.pages.length === 1) return list;
  const lastPage = new Map(list.pages.flatMap(({ rows }, index) => rows.map(({ id }) => [id, index] as const)));
  return mapRows(list, (rows, index) => {
    const isHome = ({ id }: Alert): boolean => lastPage.get(id) === index;
    return rows.every(isHome) ? rows : rows.filter(isHome);
  });
}

const withoutAlert = (rows: Alert[], id: string): Alert[] =>
  hasAlert(rows, id) ? rows.filter((row) => row.id !== id) : rows;

const hasAlert = (rows: readonly Alert[], id: string): boolean => rows.some((row) => row.id === id);

function mapRows(list: AlertPages, change: (rows: Alert[], index: number) => Alert[]): AlertPages {
  return {
    ...list,
    pages: list.pages.map((page, index) => {
      const rows = change(page.rows, index);
      return rows === page.rows ? page : { ...page, rows };
    }),
  };
}

function addToTotal(list: AlertPages, by: number): AlertPages {
  const [first, ...rest] = list.pages;
  return first ? { ...list, pages: [{ ...first, total: Math.max(0, first.total + by) }, ...rest] } : list;
}
