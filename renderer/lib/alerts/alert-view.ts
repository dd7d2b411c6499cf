import type { Alert, AlertSort, AlertStatus } from '#backend/contract/alert.ts';

/**
 * Which alerts a list shows, and in which order. Without a `sort` it is newest first. `q` is a
 * search that only the server can answer.
 */
export interface AlertListView {
  list: 'inbox' | 'mine' | 'folder' | 'all';
  /** With `list: 'folder'` only. */
  folderId?: string | undefined;
  customer?: string | undefined;
  alertType?: string | undefined;
  status?: AlertStatus | undefined;
  q?: string | undefined;
  sort?: AlertSort | undefined;
}

/** A view as the path and query of its call, which is also its query key. */
export type AlertListPath = `/api/alerts/${string}`;

const PATH = /^\/api\/alerts\/(inbox|mine|all|folder\/([^/?]+))(?:\?(.*))?$/;

/** The path of a view: the same for the same view, whatever the order in which it was put together. */
export function pathOf({ list, folderId = '', sort, ...filter }: AlertListView): AlertListPath {
  const query = new URLSearchParams();
  for (const name of ['customer', 'alertType', 'status', 'q'] as const) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  if (sort !== undefined && sort !== 'newest') query.set('sort', sort);
  const path = `/api/alerts/${list === 'folder' ? `folder/${encodeURIComponent(folderId)}` : list}` as const;
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The view that a path was made of; undefined when it is the path of something else. */
export function viewOf(path: unknown): AlertListView | undefined {
  const [, list, folderId, query] = (typeof path === 'string' ? PATH.exec(path) : null) ?? [];
  if (list === undefined) return undefined;
  const view = Object.fromEntries(new URLSearchParams(query)) as Omit<AlertListView, 'list'>;
  return folderId === undefined
    ? { ...view, list: list as 'inbox' | 'mine' | 'all' }
    : { ...view, list: 'folder', folderId: decodeURIComponent(folderId) };
}

/**
 * Whether the alert is in the view of the member `me`. Undefined when only the server can tell, because the view is a
 * search.
 */
export function isInView(view: AlertListView, me: string | undefined, alert: Alert): boolean | undefined {
  if (!isInList(view, me, alert) || !passesFixedFilters(view, alert)) return false;
  if (view.status !== undefined && view.status !== alert.status) return false;
  return view.q === undefined ? true : undefined;
}

/** The filters on what never changes of an alert: one that fails them was never in the view and never will be. */
export const passesFixedFilters = ({ customer, alertType }: AlertListView, alert: Alert): boolean =>
  (customer === undefined || customer === alert.customer) && (alertType === undefined || alertType === alert.alertType);

function isInList({ list, folderId }: AlertListView, me: string | undefined, alert: Alert): boolean {
  switch (list) {
    case 'inbox':
      return alert.status === 'pending';
    case 'mine':
      return alert.status !== 'pending' && alert.ownerId === me && alert.folderId === undefined;
    case 'folder':
      return alert.status !== 'pending' && alert.ownerId === me && alert.folderId === folderId;
    case 'all':
      return true;
  }
}
