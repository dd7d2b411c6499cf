import { type AlertList, belongsIn } from '#backend/contract/alert-place.ts';
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query';
import {
  type Alert,
  type AlertSeverity,
  type AlertSort,
  type AlertStatus,
  alertSeveritySchema,
  alertUrgencySchema,
  urgencyOf,
} from '#backend/contract/alert.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';

/**
 * Which alerts a list shows, and in which order. Without a `sort` it is newest first. `q` is a
 * search that only the server can answer.
 */
export interface AlertListView {
  list: 'inbox' | 'mine' | 'folder' | 'all-folders' | 'all' | 'snoozed';
  /** With `list: 'folder'` only. */
  folderId?: string | undefined;
  customer?: string | undefined;
  alertType?: string | undefined;
  status?: AlertStatus | undefined;
  /** Any of these; absent means all. */
  severity?: readonly AlertSeverity[] | undefined;
  /** Id of a source. */
  source?: string | undefined;
  q?: string | undefined;
  /** Words and keys, and the time zone that its days are meant in. */
  search?: string | undefined;
  timeZone?: string | undefined;
  sort?: AlertSort | undefined;
}

/** A view as the path and query of its call, which is also its query key. */
export type AlertListPath = `/api/alerts/${string}`;

const PATH = /^\/api\/alerts\/(inbox|mine|all-folders|all|snoozed|folder\/([^/?]+))(?:\?(.*))?$/;

/** The path of a view: the same for the same view, whatever the order in which it was put together. */
export function pathOf({ list, folderId = '', sort, severity, ...filter }: AlertListView): AlertListPath {
  const query = new URLSearchParams();
  for (const one of inRank(severity ?? [])) query.append('severity', one);
  for (const name of ['source', 'customer', 'alertType', 'status', 'q', 'search', 'timeZone'] as const) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  if (sort !== undefined && sort !== 'newest') query.set('sort', sort);
  const path = `/api/alerts/${list === 'folder' ? `folder/${encodeURIComponent(folderId)}` : list}` as const;
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Severities, each once, highest first. */
export const inRank = (severities: readonly AlertSeverity[]): AlertSeverity[] =>
  alertSeveritySchema.options.filter((one) => severities.includes(one));

/** The view that a path was made of; undefined when it is the path of something else. */
export function viewOf(path: unknown): AlertListView | undefined {
  const [, list, folderId, query] = (typeof path === 'string' ? PATH.exec(path) : null) ?? [];
  if (list === undefined) return undefined;
  const params = new URLSearchParams(query);
  const severity = params.getAll('severity') as AlertSeverity[];
  params.delete('severity');
  const view = {
    ...(Object.fromEntries(params) as Omit<AlertListView, 'list'>),
    ...(severity.length > 0 && { severity }),
  };
  return folderId === undefined
    ? { ...view, list: list as Exclude<AlertListView['list'], 'folder'> }
    : { ...view, list: 'folder', folderId: decodeURIComponent(folderId) };
}

/**
 * Whether the alert is in the view of the member `me`. Undefined when only the server knows, because the view is a
 * search.
 */
export function isInView(view: AlertListView, me: string | undefined, alert: Alert): boolean | undefined {
  if (!belongsIn(listOf(view, me), { ...alert, isSnoozed: alert.snoozedUntil !== undefined })) return false;
  if (!passesFixedFilters(view, alert)) return false;
  if (view.status !== undefined && view.status !== alert.status) return false;
  if (view.severity !== undefined && !view.severity.includes(alert.severity)) return false;
  return view.q === undefined && view.search === undefined ? true : undefined;
}

/** The filters on what never changes of an alert: one that fails them was never in the view and never will be. */
export const passesFixedFilters = ({ customer, alertType, source }: AlertListView, alert: Alert): boolean =>
  (customer === undefined || customer === alert.customer) &&
  (alertType === undefined || alertType === alert.alertType) &&
  (source === undefined || source === alert.sourceId);

/** The list of the view, for the member `me`: whose is nobody's who is not signed in. */
function listOf({ list, folderId }: AlertListView, me = ''): AlertList {
  switch (list) {
    case 'inbox':
    case 'all':
      return { list };
    case 'folder':
      return { list, ownerId: me, folderIds: folderId === undefined ? [] : [folderId] };
    case 'all-folders':
      return { list: 'filed', ownerId: me };
    default:
      return { list, ownerId: me };
  }
}

/** Whether a list has the member's own alerts alone. */
export const isPersonal = ({ list }: Pick<AlertListView, 'list'>): boolean =>
  list === 'mine' || list === 'folder' || list === 'all-folders';

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
 * last loaded page comes with its page. One that has just been resolved keeps its place until the list is read again.
 */
export const putAlert =
  (alert: Alert, sort?: AlertSort): AlertListChange =>
  (list) => {
    const known = findAlert(list, alert.id);
    if (known && (compareAlerts(sort, known, alert) === 0 || (sort === 'severity' && isResolvedNow(known, alert)))) {
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
      // After the last row that stands before it: resolved ones may still stand among those of their severity.
      return rows.toSpliced(rows.findLastIndex((row) => compareAlerts(sort, row, alert) < 0) + 1, 0, alert);
    });
    return known ? longer : addToTotal(longer, +1);
  };

const isResolvedNow = (before: Alert, after: Alert): boolean =>
  before.state !== 'resolved' && after.state === 'resolved';

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
 * order by status or severity between the answers of two pages is in both: the later one is right.
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

/** What decides on an alert's place in any order. Ids are UUIDv7, so id order is time order. */
export type AlertPosition = Pick<Alert, 'id' | 'status' | 'severity' | 'state'>;

/** Ranks of the order by status. */
const RANK: Record<AlertStatus, number> = { accepted: 1, 'in-progress': 2, completed: 3, pending: 999 };

const urgencyRank = (alert: AlertPosition): number => alertUrgencySchema.options.indexOf(urgencyOf(alert));

/** Less than 0 when `one` stands before `other` in this order, 0 when they are the same alert in the same place. */
export function compareAlerts(sort: AlertSort | undefined, one: AlertPosition, other: AlertPosition): number {
  if (sort === 'oldest') return compareIds(one, other);
  if (sort === 'status' && one.status !== other.status) return RANK[one.status] - RANK[other.status];
  const bySeverity = sort === 'severity' ? urgencyRank(one) - urgencyRank(other) : 0;
  return bySeverity || -compareIds(one, other);
}

const compareIds = (one: AlertPosition, other: AlertPosition): number =>
  one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
