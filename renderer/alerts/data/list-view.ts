import { type AlertList, belongsIn, completionOf } from '#backend/contract/alert-place.ts';
import { type Alert, type AlertSeverity, type AlertStatus, alertSeveritySchema } from '#backend/contract/alert.ts';
import type { AlertCompletion, AlertListSort } from '#backend/contract/alert-query.ts';

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
  /** The open ones or the completed ones alone. */
  completion?: AlertCompletion | undefined;
  sort?: AlertListSort | undefined;
}

/** A view as the path and query of its call, which is also its query key. */
export type AlertListPath = `/api/alerts/${string}`;

const PATH = /^\/api\/alerts\/(inbox|mine|all-folders|all|snoozed|folder\/([^/?]+))(?:\?(.*))?$/;

/** The path of a view: the same for the same view, whatever the order in which it was put together. */
export function pathOf({ list, folderId = '', sort, severity, ...filter }: AlertListView): AlertListPath {
  const query = new URLSearchParams();
  for (const one of inRank(severity ?? [])) query.append('severity', one);
  for (const name of ['completion', 'source', 'customer', 'alertType', 'status', 'q', 'search', 'timeZone'] as const) {
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

/** The list that a query of the cache is; undefined for all else, such as a search of the same path that has more in its key. */
export const viewOfKey = (queryKey: readonly unknown[]): AlertListView | undefined =>
  queryKey.length === 1 ? viewOf(queryKey[0]) : undefined;

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
  const { status, ownerId, folderId, snoozedUntil } = alert;
  if (!belongsIn(listOf(view, me), { status, ownerId, folderId, isSnoozed: snoozedUntil !== undefined })) return false;
  if (!passesFixedFilters(view, alert)) return false;
  if (view.status !== undefined && view.status !== alert.status) return false;
  if (view.completion !== undefined && view.completion !== completionOf(alert)) return false;
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
