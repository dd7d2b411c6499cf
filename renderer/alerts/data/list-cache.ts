import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Query, QueryClient } from '@tanstack/react-query';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { countFiled, foldersQuery } from '#renderer/folders/data/folders.ts';
import { showAlertDetails } from './alert-details.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import {
  type AlertListChange,
  type AlertListPath,
  type AlertListView,
  type AlertPages,
  dropAlert,
  findAlert,
  isInView,
  putAlert,
  setTotal,
  viewOf,
} from './list-model.ts';
import { FACETS_KEY, refreshFacets } from './alert-queries.ts';

/** The cached list, or undefined while it has never been loaded. */
export function readAlertList(client: QueryClient, path: AlertListPath): AlertPages | undefined {
  return client.getQueryData<AlertPages>([path]);
}

/** A list that has a place in the cache, whether or not it has been loaded. */
export interface KnownAlertList {
  path: AlertListPath;
  view: AlertListView;
}

/** Every alert list in the cache: those on screen, and those that were. */
export function knownAlertLists(client: QueryClient): KnownAlertList[] {
  return client
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey }) => {
      const view = viewOf(queryKey[0]);
      return view ? [{ path: queryKey[0] as AlertListPath, view }] : [];
    });
}

/** Changes made while a list is being fetched, by client and list. */
const journals = new WeakMap<QueryClient, Map<AlertListPath, AlertListChange[]>>();

/**
 * Applies changes to a cached list, and again to the answer of a fetch that is in flight, so that an answer older than
 * the changes cannot undo them. That is safe because changes may be repeated: replaying all that happened since before
 * the answer was made, in order, ends where the newest of them left each alert.
 */
export function changeAlertList(client: QueryClient, path: AlertListPath, ...changes: AlertListChange[]): void {
  if (changes.length === 0) return;
  const query = client.getQueryCache().find({ queryKey: [path], exact: true });
  if (!query) return;
  if (query.state.fetchStatus !== 'idle') {
    const journal = journalOf(client);
    journal.set(path, [...(journal.get(path) ?? []), ...changes]);
  }
  apply(client, path, changes);
}

/** Forgets what was kept for the fetch in flight: one that starts now is answered by a server that knows all of it. */
function forgetAlertListChanges(client: QueryClient, path: AlertListPath): void {
  journals.get(client)?.delete(path);
}

function apply(client: QueryClient, path: AlertListPath, changes: AlertListChange[]): void {
  client.setQueryData<AlertPages>([path], (list) => list && changes.reduce((pages, change) => change(pages), list));
}

function journalOf(client: QueryClient): Map<AlertListPath, AlertListChange[]> {
  const known = journals.get(client);
  if (known) return known;
  const journal = new Map<AlertListPath, AlertListChange[]>();
  journals.set(client, journal);
  // Runs in the same turn as the fetch's own update, so nobody sees the answer without the changes.
  client.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || query.state.fetchStatus !== 'idle') return;
    const path = query.queryKey[0] as AlertListPath;
    const changes = journal.get(path);
    if (!changes) return;
    journal.delete(path);
    const answered = 'action' in event && event.action.type === 'success';
    if (answered) apply(client, path, changes);
  });
  return journal;
}

/**
 * Fetches every loaded page of a list again; one that is not on screen when it next is. A first load that is still
 * in flight may have been answered before whatever made this necessary, so it is waited for and then repeated. Never
 * rejects: the query keeps its error.
 */
export async function refetchAlertList(client: QueryClient, path: AlertListPath): Promise<void> {
  const query = client.getQueryCache().find({ queryKey: [path], exact: true });
  if (!query) return;
  if (query.state.data === undefined) await query.promise?.catch(() => undefined);
  forgetAlertListChanges(client, path);
  await client.invalidateQueries({ queryKey: [path], exact: true });
}

/** Fetches all lists again, after something that may have changed any of them. */
export function refetchAlertLists(client: QueryClient): void {
  for (const { path } of knownAlertLists(client)) void refetchAlertList(client, path);
}

/** How long a list must be left alone before it is counted, in milliseconds. */
const QUIET_MS = 400;

type Timer = ReturnType<typeof setTimeout>;
type PendingCounts = Map<AlertListPath, Timer>;

const timers = new WeakMap<QueryClient, PendingCounts>();

/**
 * Asks the server how long a list is, once no further request for this has come for a moment. Needed when something
 * happened to an alert beyond the loaded pages: whether that alert was in the list is not known here.
 */
export function recountAlertList(client: QueryClient, path: AlertListPath): void {
  const pending: PendingCounts = timers.get(client) ?? new Map<AlertListPath, Timer>();
  timers.set(client, pending);
  clearTimeout(pending.get(path));
  const timer = setTimeout(() => void recount(client, path, pending, timer), QUIET_MS);
  pending.set(path, timer);
}

async function recount(client: QueryClient, path: AlertListPath, pending: PendingCounts, timer: Timer): Promise<void> {
  const before = client.getQueryState([path])?.dataUpdateCount;
  const answer = await apiGetPage(path, alertListSchema, { limit: 1 }).catch(() => undefined);
  if (pending.get(path) !== timer) return;
  pending.delete(path);
  if (!answer) {
    // The list counts itself with its next answer, which is asked for until it comes.
    await refetchAlertList(client, path);
    return;
  }
  // A change came in between: the answer may or may not know of it, so ask again.
  if (client.getQueryState([path])?.dataUpdateCount !== before) recountAlertList(client, path);
  else changeAlertList(client, path, setTotal(answer.total));
}

/** An alert as it was before a change: null when there was none, undefined when it is not at hand. */
export type AlertBefore = Alert | null | undefined;

/** Puts the alert into the view or takes it out, as it belongs. What only the server knows stays as it is. */
export function placeAlert(view: AlertListView, me: string | undefined, alert: Alert): AlertListChange {
  const belongs = isInView(view, me, alert);
  if (belongs === true) return putAlert(alert, view.sort);
  if (belongs === false) return dropAlert(alert.id);
  return (list) => (findAlert(list, alert.id) ? putAlert(alert, view.sort)(list) : list);
}

/** Shows in every cached list that an alert has become another. */
export function relistAlert(client: QueryClient, me: string | undefined, alert: Alert): void {
  for (const { path, view } of knownAlertLists(client)) changeAlertList(client, path, placeAlert(view, me, alert));
  showAlertDetails(client, alert);
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
    if (client.getQueryCache().findAll({ queryKey }).some(isOutdated)) refetchWhenShown(client, queryKey);
  }
}

/** The alert as some cached list has it. An owned one is preferred to a pending one, since that is its later state. */
export function findKnownAlert(client: QueryClient, id: string): Alert | undefined {
  const found = knownAlertLists(client).flatMap(({ path }) => {
    const pages = readAlertList(client, path);
    return (pages && findAlert(pages, id)) ?? [];
  });
  return found.find((alert) => !isEverybodys(alert)) ?? found[0];
}

const isAsleep = ({ snoozedUntil }: Alert): boolean => snoozedUntil !== undefined;

/** What somebody, or this member elsewhere, has made of an alert since it was as `expected`; undefined for nothing that is known here. */
export function changeElsewhere(client: QueryClient, expected: Alert): string | undefined {
  const now = findKnownAlert(client, expected.id);
  if (!now) return undefined;
  if (now.ownerId !== expected.ownerId) {
    return now.ownerId === undefined
      ? 'It was returned to the inbox.'
      : `${now.ownerName ?? 'Somebody'} accepted it first.`;
  }
  return now.status === expected.status && now.folderId === expected.folderId && isAsleep(now) === isAsleep(expected)
    ? undefined
    : 'It has been changed since.';
}
