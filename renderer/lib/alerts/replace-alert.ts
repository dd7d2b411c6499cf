import type { Query, QueryClient } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import { countFiled } from '#renderer/lib/folders/count-filed.ts';
import { foldersQuery } from '#renderer/lib/folders/get-folders.ts';
import { refetchSoon } from '#renderer/lib/refetch-soon.ts';
import { knownAlertLists } from './alert-list.ts';
import { type AlertListChange, dropAlert, findAlert, putAlert } from './alert-pages.ts';
import { type AlertListView, isInView } from './alert-view.ts';
import { changeAlertList } from './change-alert-list.ts';
import { FACETS_KEY, refreshFacets } from './get-facets.ts';

/** An alert as it was before a change: null when there was none, undefined when it is not at hand. */
export type AlertBefore = Alert | null | undefined;

/** Puts the alert into the view or takes it out, as it belongs. What only the server can tell stays as it is. */
export function placeAlert(view: AlertListView, me: string | undefined, alert: Alert): AlertListChange {
  const belongs = isInView(view, me, alert);
  if (belongs === true) return putAlert(alert, view.sort);
  if (belongs === false) return dropAlert(alert.id);
  return (list) => (findAlert(list, alert.id) ? putAlert(alert, view.sort)(list) : list);
}

/** Shows in every cached list that an alert has become another. */
export function relistAlert(client: QueryClient, me: string | undefined, alert: Alert): void {
  for (const { path, view } of knownAlertLists(client)) changeAlertList(client, path, placeAlert(view, me, alert));
}

/** Takes an alert out of every cached list. */
export function unlistAlert(client: QueryClient, id: string): void {
  for (const { path } of knownAlertLists(client)) changeAlertList(client, path, dropAlert(id));
}

/** Shows everywhere that an alert has become another, or has gone (`after` undefined): in lists, badges and filters. */
export function replaceAlert(
  client: QueryClient,
  me: string | undefined,
  before: Alert,
  after: Alert | undefined,
): void {
  if (after) relistAlert(client, me, after);
  else unlistAlert(client, before.id);
  recountAround(client, me, before, after);
}

/** What hangs on alerts beside their lists: the folders' badges and the filters' options. */
export function recountAround(
  client: QueryClient,
  me: string | undefined,
  before: AlertBefore,
  after: Alert | undefined,
): void {
  countFiled(client, me, before, after);
  refreshFacets(client, before, after);
}

/** Fetches what hangs on alerts again, after something that may have changed any of it: all, or what `isOutdated`. */
export function refetchAround(client: QueryClient, isOutdated: (query: Query) => boolean = () => true): void {
  for (const queryKey of [foldersQuery.queryKey, FACETS_KEY]) {
    if (client.getQueryCache().findAll({ queryKey }).some(isOutdated)) refetchSoon(client, queryKey);
  }
}
