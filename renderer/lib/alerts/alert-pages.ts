import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';

/**
 * An alert list as it is cached: pages of alerts, newest first. Each page's `next` is the id of the oldest alert it was
 * fetched with; ids are UUIDv7, so id order is time order. The first page's `total` counts the whole list.
 */
export type AlertPages = InfiniteData<ApiPage<Alert>>;

/** A change of a cached list. Applying it again, or to a list that already has it, changes nothing. */
export type AlertListChange = (pages: AlertPages) => AlertPages;

/** Every loaded alert of the list, newest first. */
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

/** Whether an alert with this id would be among the loaded rows, if it is in the list at all. */
export function isInLoadedRange({ pages }: AlertPages, id: string): boolean {
  const next = pages.at(-1)?.next;
  return next === undefined || id >= next;
}

/**
 * Puts an alert where its id belongs, or in the place of its older self. One that is older than the last loaded page
 * changes nothing: it comes with its page.
 */
export const putAlert =
  (alert: Alert): AlertListChange =>
  (list) => {
    if (findAlert(list, alert.id)) {
      return mapRows(list, (rows) =>
        hasAlert(rows, alert.id) ? rows.map((row) => (row.id === alert.id ? alert : row)) : rows,
      );
    }
    const home = list.pages.findIndex((page) => page.next === undefined || alert.id >= page.next);
    if (home === -1) return list;
    const longer = mapRows(list, (rows, index) => {
      if (index !== home) return rows;
      const older = rows.findIndex((row) => row.id < alert.id);
      return rows.toSpliced(older === -1 ? rows.length : older, 0, alert);
    });
    return addToTotal(longer, +1);
  };

/** Takes a loaded alert out of the list. */
export const dropAlert =
  (id: string): AlertListChange =>
  (list) =>
    findAlert(list, id)
      ? addToTotal(
          mapRows(list, (rows) => (hasAlert(rows, id) ? rows.filter((row) => row.id !== id) : rows)),
          -1,
        )
      : list;

/** Sets how many alerts the whole list has, as the server counted them. */
export const setTotal =
  (total: number): AlertListChange =>
  (list) =>
    addToTotal(list, total - (list.pages[0]?.total ?? 0));

/** Keeps the rows that did not change as they were, so that a refetch draws only what is new. */
export function shareAlerts(older: AlertPages | undefined, newer: AlertPages): AlertPages {
  if (!older || older === newer) return newer;
  let known: ReadonlyMap<string, Alert> | undefined;
  return mapRows(newer, (rows, index) => {
    if (rows === older.pages[index]?.rows) return rows;
    known ??= new Map(alertsOf(older).map((alert) => [alert.id, alert]));
    return rows.map((row) => shareAlert(known?.get(row.id), row));
  });
}

const shareAlert = (older: Alert | undefined, newer: Alert): Alert =>
  older === newer ? newer : replaceEqualDeep(older, newer);

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
