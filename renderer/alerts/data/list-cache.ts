import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { PAGE_ROWS } from '#renderer/lib/early-start.ts';
import { readAgain, refetchSoon, refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { memberOf } from '#renderer/session/session.ts';
import type { AlertTransition } from './alert-entry.ts';
import { type AlertStore, createAlertStore } from './alert-store.ts';
import { delayedMatches, keepFound } from './delayed-matches.ts';
import { recountAround } from './around-lists.ts';
import { type AlertListPath, type AlertListView, isInView, viewOfKey } from './list-view.ts';
import { mayBeBeyond, mayBeBeyondById } from './list-beyond.ts';
import {
  type AlertPages,
  type ListLimits,
  type Placement,
  fitPages,
  hasLoaded,
  idsOf,
  placeAlerts,
  setTotal,
} from './list-pages.ts';

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
      const view = viewOfKey(queryKey);
      return view ? [{ path: queryKey[0] as AlertListPath, view }] : [];
    });
}

const stores = new WeakMap<QueryClient, AlertStore>();

/**
 * The alerts of this page (docs/decisions/0086-one-store-of-alerts.md). The cache has the lists, as ids; they are brought up to date
 * with each change of an alert, and each answer with what changed since it was asked for.
 */
export function alertStoreOf(client: QueryClient): AlertStore {
  const known = stores.get(client);
  if (known) return known;
  const store = createAlertStore({
    onChange(transitions) {
      placeInLists(client, transitions);
      recountAround(client, transitions);
    },
    listed: () =>
      new Set(knownAlertLists(client).flatMap(({ path }) => idsOf(readAlertList(client, path) ?? NO_PAGES))),
  });
  stores.set(client, store);
  followAnswers(client, store);
  return store;
}

const NO_PAGES: AlertPages = { pages: [], pageParams: [] };

/** The loaded alerts of a list, without those that are being deleted; undefined while it is not loaded. */
export function listedAlerts(client: QueryClient, path: AlertListPath): readonly Alert[] | undefined {
  const list = readAlertList(client, path);
  if (!list) return undefined;
  const store = alertStoreOf(client);
  const known = resolved.get(list);
  if (known?.moment === store.moment()) return known.alerts;
  const alerts = idsOf(list).flatMap((id) => store.read(id) ?? []);
  const isSame = known?.alerts.length === alerts.length && known.alerts.every((alert, at) => alert === alerts[at]);
  resolved.set(list, { moment: store.moment(), alerts: isSame ? known.alerts : alerts });
  return isSame ? known.alerts : alerts;
}

/** The alerts of lists as they were at a moment of the store: the same array while none of them changes. */
const resolved = new WeakMap<AlertPages, { moment: number; alerts: readonly Alert[] }>();

/** {@link listedAlerts}, kept current. */
export function useListedAlerts(path: AlertListPath): readonly Alert[] | undefined {
  const client = useQueryClient();
  return useSyncExternalStore(alertStoreOf(client).subscribe, () => listedAlerts(client, path));
}

/** Brings each answer of a list up to date with what changed since it was asked for, before anybody sees it. */
function followAnswers(client: QueryClient, store: AlertStore): void {
  const asked = new Map<AlertListPath, number>();
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const path = event.query.queryKey[0] as AlertListPath;
    const view = viewOfKey(event.query.queryKey);
    if (!view) return;
    const { action } = event;
    if (action.type === 'fetch') asked.set(path, store.moment());
    if (action.type !== 'success' || action.manual) return;
    const me = memberOf(client);
    const received = readAlertList(client, path) ?? NO_PAGES;
    const stale = received.pages.flatMap((page) => page.stale ?? []);
    // What another list's answer changed between two pages moved the rows of before, which this answer replaces.
    const changed = [...new Set([...store.changedSince(asked.get(path) ?? 0, idsOf(received)), ...stale])];
    place(
      client,
      path,
      view,
      changed.map((id): Placement => {
        const after = store.read(id);
        return { id, before: undefined, after, belongs: after ? isInView(view, me, after) : false };
      }),
    );
    const list = readAlertList(client, path);
    // The answer may count these beyond its rows or not.
    const mayDiffer = (id: string): boolean => {
      if (!list || hasLoaded(list, id)) return false;
      const alert = store.look(id)?.alert;
      return alert ? mayBeBeyond(list, view, me, undefined, alert) : mayBeBeyondById(list, view, id);
    };
    const last = list?.pages.at(-1);
    // A further page comes with the number of its own moment, and the pages before it with that of when it was asked for.
    const isOlder = last?.next !== undefined && !last.isAtLeast && last.total !== list?.pages[0]?.total;
    if (isOlder || changed.some(mayDiffer)) recountAlertList(client, path);
  });
}

function place(client: QueryClient, path: AlertListPath, view: AlertListView, placements: readonly Placement[]): void {
  const list = readAlertList(client, path);
  const store = alertStoreOf(client);
  const read = (id: string): Alert | undefined => store.look(id)?.alert;
  if (list) keepFound(view, list, placements, store.delayedAlerts());
  const { needed, limits } = neededRows.get(client)?.get(path) ?? { needed: 0, limits: LIST_LIMITS };
  const placed = list && fitPages(placeAlerts(list, placements, view.sort, read), view.sort, needed, limits, read);
  if (placed !== list) client.setQueryData<AlertPages>([path], placed);
}

/** Rows of a page, and five screens of the densest cards below what is looked at. */
const LIST_LIMITS: ListLimits = { page: PAGE_ROWS, below: 500 };

/** How far down each list is looked at, or was when it was left. */
const neededRows = new WeakMap<QueryClient, Map<AlertListPath, { needed: number; limits: ListLimits }>>();

/**
 * Sets how many rows of a list, from its top, are looked at or selected. Those far below are dropped, also while alerts go on
 * arriving.
 */
export function needRows(client: QueryClient, path: AlertListPath, needed: number, limits = LIST_LIMITS): void {
  const known = neededRows.get(client) ?? new Map<AlertListPath, { needed: number; limits: ListLimits }>();
  neededRows.set(client, known.set(path, { needed, limits }));
  const view = viewOfKey([path]);
  if (view) place(client, path, view, []);
}

/** Puts changed alerts into the lists where they belong, and takes them out of the others. */
function placeInLists(client: QueryClient, transitions: readonly AlertTransition[]): void {
  const me = memberOf(client);
  for (const { path, view } of knownAlertLists(client)) {
    const list = readAlertList(client, path);
    const loaded = list && transitions.length > 1 ? new Set(idsOf(list)) : undefined;
    const isLoaded = (id: string): boolean => loaded?.has(id) ?? (list !== undefined && hasLoaded(list, id));
    let [isUnsure, isMiscounted] = [false, false];
    const placements = transitions.flatMap(({ id, before, after, isAnswer }): Placement[] => {
      const belongs = after ? isInView(view, me, after) : false;
      if (!isLoaded(id)) {
        if (isAnswer) return [];
        isUnsure ||= belongs === undefined;
        isMiscounted ||= list !== undefined && mayBeBeyond(list, view, me, before, after);
        if (!belongs) return [];
      }
      return [{ id, before, after, belongs }];
    });
    place(client, path, view, placements);
    if (isUnsure) refetchUnsure(client, path);
    else if (isMiscounted) recountAlertList(client, path);
  }
}

/** Whether an alert of which only the id is known may be in what is not loaded of a list. */
export function mayHaveBeyond(client: QueryClient, { path, view }: KnownAlertList, id: string): boolean {
  const list = readAlertList(client, path);
  return list !== undefined && mayBeBeyondById(list, view, id);
}

/** Fetches a list again in a moment: something may belong in it, which only the server knows. */
export function refetchUnsure(client: QueryClient, path: AlertListPath): void {
  const view = viewOfKey([path]);
  // No badge counts a search.
  const isSearch = (view?.search ?? view?.q) !== undefined;
  (isSearch ? refetchWhenShown : refetchSoon)(client, [path]);
}

/** Fetches every loaded page of a list again; one that is not on screen when it next is. */
export const refetchAlertList = (client: QueryClient, path: AlertListPath): void =>
  readAgain(client, { queryKey: [path], exact: true });

/** Fetches all lists again, after something that may have changed any of them. */
export function refetchAlertLists(client: QueryClient): void {
  for (const { path } of knownAlertLists(client)) refetchAlertList(client, path);
}

/** How long a list must be left alone before it is counted, in milliseconds. */
const QUIET_MS = 400;

/** The longest that this may take while changes go on, in milliseconds. */
const LONGEST_QUIET_MS = 2_000;

/** How long the answer may take, in milliseconds. */
const COUNTED_MS = 10_000;

/** A count that is wanted of a list. */
interface WantedCount {
  /** Since when, a moment of `performance.now()`. */
  since: number;
  /** Waits for quiet. */
  timer?: ReturnType<typeof setTimeout>;
  isAsked: boolean;
  /** It was wanted once more while the server was asked. */
  isAgain: boolean;
}

const wantedCounts = new WeakMap<QueryClient, Map<AlertListPath, WantedCount>>();

/**
 * Asks the server how long a list is, once no further request for this has come for a moment. Needed when something
 * happened to an alert beyond the loaded pages: whether that alert was in the list is not known here.
 */
export function recountAlertList(client: QueryClient, path: AlertListPath): void {
  const ofClient = wantedCounts.get(client) ?? new Map<AlertListPath, WantedCount>();
  wantedCounts.set(client, ofClient);
  const now = performance.now();
  const wanted = ofClient.get(path) ?? { since: now, isAsked: false, isAgain: false };
  ofClient.set(path, wanted);
  wanted.isAgain = wanted.isAsked;
  if (wanted.isAsked) return;
  clearTimeout(wanted.timer);
  const quietMs = Math.max(0, Math.min(QUIET_MS, wanted.since + LONGEST_QUIET_MS - now));
  wanted.timer = setTimeout(() => void recount(client, path, ofClient, wanted), quietMs);
}

async function recount(
  client: QueryClient,
  path: AlertListPath,
  ofClient: Map<AlertListPath, WantedCount>,
  wanted: WantedCount,
): Promise<void> {
  const store = alertStoreOf(client);
  const before = client.getQueryState([path])?.dataUpdateCount;
  // The server may count an own change or not.
  const isOwnAnswered = !store.hasUnanswered();
  const isLate = performance.now() - wanted.since >= LONGEST_QUIET_MS;
  wanted.isAsked = true;
  const answer = await apiGetPage(path, alertListSchema, {
    limit: 1,
    signal: AbortSignal.timeout(COUNTED_MS),
  }).catch(() => undefined);
  ofClient.delete(path);
  if (!answer) {
    // The list counts itself with its next answer, which is asked for until it comes.
    refetchAlertList(client, path);
    return;
  }
  // A change came in between: the answer may or may not know of it, so ask again.
  const isCertain = isOwnAnswered && client.getQueryState([path])?.dataUpdateCount === before;
  // While changes go on, nearly right is better than what was right seconds ago.
  if (isCertain || isLate) {
    client.setQueryData<AlertPages>(
      [path],
      (list) => list && setTotal(list, answer.total - delayedIn(client, viewOfKey([path])).length),
    );
  } else ofClient.set(path, { since: wanted.since, isAsked: false, isAgain: false });
  if (wanted.isAgain || (!isCertain && !isLate)) recountAlertList(client, path);
  else if (!isCertain) whenAnswered(store, () => readAlertList(client, path) && recountAlertList(client, path));
}

/** Does it once no own change waits for its answer: what is counted before that may have to be counted again for long. */
export function whenAnswered(store: AlertStore, work: () => unknown): void {
  if (!store.hasUnanswered()) return void work();
  const stop = store.subscribe(() => {
    if (store.hasUnanswered()) return;
    stop();
    work();
  });
}

/** The alerts of a view that are left out because they are being deleted, which the server still counts. */
export const delayedIn = (client: QueryClient, view: AlertListView | undefined): Alert[] =>
  view ? delayedMatches(alertStoreOf(client).delayedAlerts(), view, memberOf(client)) : [];
