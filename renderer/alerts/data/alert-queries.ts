import { isEverybodys } from '#backend/contract/alert-place.ts';
import {
  type QueryClient,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useState } from 'react';
import {
  type Alert,
  type AlertFacets,
  type AlertStats,
  type SnoozedCounts,
  alertFacetsSchema,
  alertListSchema,
  alertStatsSchema,
  snoozedCountsSchema,
} from '#backend/contract/alert.ts';
import { ApiError, apiGet, apiGetPage } from '#renderer/lib/api-client.ts';
import { PAGE_ROWS } from '#renderer/lib/early-start.ts';
import { useIsAfterFirstScreen } from '#renderer/lib/first-screen.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import {
  type AlertListPath,
  type AlertListView,
  type AlertPage,
  type AlertPages,
  alertsOf,
  pathOf,
  shareAlerts,
  totalOf,
  viewOf,
} from './list-model.ts';
import { pendingDeletionsAtom } from './list-state.ts';

/** How long a filtered list or a folder is kept after it was last shown, in milliseconds. */
const KEPT_MS = 10 * 60_000;

/** The options that every alert list's query shares; see {@link alertListQuery}. */
export const alertListOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { next?: string }): string | undefined => last.next,
  // Also asked about what a `select` makes of the pages, which is left as it is.
  structuralSharing: (older: unknown, newer: unknown): unknown =>
    isAlertPages(newer) ? shareAlerts(isAlertPages(older) ? older : undefined, newer) : newer,
  // Live events keep the lists current, so data never goes stale.
  staleTime: Infinity,
  gcTime: Infinity,
  retry: false,
};

const isAlertPages = (value: unknown): value is AlertPages =>
  typeof value === 'object' && value !== null && 'pages' in value;

/** Lists that badges count. */
const KEPT_PATHS: ReadonlySet<AlertListPath> = new Set([
  '/api/alerts/inbox',
  '/api/alerts/mine',
  '/api/alerts/snoozed',
]);

/**
 * The query of one view, page by page. The whole inbox, the whole queue and what is snoozed are kept for
 * good: badges count them.
 */
export function alertListQuery(view: AlertListView) {
  const path = pathOf(view);
  const isWhole = KEPT_PATHS.has(path);
  return infiniteQueryOptions({
    ...alertListOptions,
    queryKey: [path] as const,
    queryFn: ({ pageParam, signal }) => getAlertPage(path, pageParam, signal),
    gcTime: isWhole ? Infinity : KEPT_MS,
  });
}

/** Reads one page of an alert list. Throws as `apiGet` does; a folder's list with a message of its own. */
export async function getAlertPage(
  path: AlertListPath,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<AlertPage> {
  const page = await apiGetPage(path, alertListSchema, { limit: PAGE_ROWS, before, ...(signal && { signal }) }).catch(
    (error: unknown) => {
      throw viewOf(path)?.list === 'folder' && error instanceof ApiError
        ? new Error('Failed to fetch folder alerts', { cause: error })
        : error;
    },
  );
  return withEnd(page);
}

/** Notes where the page's last alert stands, when there are more after it. */
export function withEnd(page: AlertPage): AlertPage {
  const last = page.rows.at(-1);
  return page.next === undefined || !last
    ? page
    : { ...page, end: { id: last.id, status: last.status, severity: last.severity, state: last.state } };
}

/** `GET /api/alerts/inbox`: the alerts that nobody has accepted yet, newest first. */
export const inboxQuery = alertListQuery({ list: 'inbox' });

/** The number of alerts in the inbox, for badges and the document title; undefined until it is known. */
export function useInboxCount(): number | undefined {
  return useInfiniteQuery({ ...inboxQuery, select: totalOf }).data;
}

/** `GET /api/alerts/mine`: the alerts that I own and that are in no folder, newest first. */
const myAlertsQuery = alertListQuery({ list: 'mine' });

/** The number of alerts in the member's queue, for the sidebar's badge; undefined until it is known. */
export function useMyAlertsCount(): number | undefined {
  return useInfiniteQuery({ ...myAlertsQuery, select: totalOf }).data;
}

/** `GET /api/alerts/snoozed/counts`: how many alerts are snoozed that I may wake. Live events have it read again. */
export const snoozedCountsQuery = queryOptions<SnoozedCounts>({
  queryKey: ['/api/alerts/snoozed/counts'],
  queryFn: ({ signal }) => apiGet('/api/alerts/snoozed/counts', snoozedCountsSchema, { signal }),
});

/** The numbers of snoozed alerts of the inbox and of my own, in folders or not; known after the first screen. */
export function useSnoozedCounts(): SnoozedCounts | undefined {
  return useQuery({ ...snoozedCountsQuery, enabled: useIsAfterFirstScreen() }).data;
}

/** `GET /api/alerts/stats`: how many alerts there are, and of which status. Live events have it read again. */
export const statsQuery = queryOptions<AlertStats>({
  queryKey: ['/api/alerts/stats'],
  queryFn: ({ signal }) => apiGet('/api/alerts/stats', alertStatsSchema, { signal }),
  refetchOnMount: 'always',
});

const FACETS = '/api/alerts/facets';

/** Every facets query's key begins with this. */
export const FACETS_KEY = [FACETS] as const;

type AlertListName = Pick<AlertListView, 'list' | 'folderId'>;

/**
 * `GET /api/alerts/facets`: what a list can be filtered by; with `search` the names that contain it.
 * Throws an ApiError.
 */
const facetsQuery = ({ list, folderId }: AlertListName, search = '') =>
  queryOptions({
    queryKey: [FACETS, list, ...(folderId === undefined ? [] : [folderId]), ...(search && [{ search }])] as const,
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        list,
        ...(folderId !== undefined && { folderId }),
        ...(search !== '' && { q: search }),
      });
      return apiGet(`${FACETS}?${query}`, alertFacetsSchema, { signal });
    },
    staleTime: 0,
  });

/** What the filters of a list offer; fetched again whenever its screen is opened. */
export const useFacets = (list: AlertListName, isWanted = true) =>
  useQuery({ ...facetsQuery(list), enabled: isWanted });

/** What the server finds beside, in a list of more names than it gives at once. Asks nothing while `search` is empty. */
export const useFoundFacets = (list: AlertListName, search: string) =>
  useQuery({ ...facetsQuery(list, search), enabled: search !== '', gcTime: 0 });

/** Keeps the filters' options true after an alert came or went: what is on offer anyway asks for nothing. */
export function refreshFacets(client: QueryClient, before: Alert | null | undefined, after: Alert | undefined): void {
  const isNew = before === null && after !== undefined;
  if (isNew) {
    const known = client.getQueryData<AlertFacets>([FACETS, 'inbox']);
    if (!known || !known.isComplete || isOffered(known, after)) return;
  } else if (before && after && isSamePlace(before, after) && before.severity === after.severity) return;
  refetchWhenShown(client, FACETS_KEY);
}

const isOffered = (
  { customers, alertTypes, severities, sources }: AlertFacets,
  { customer, alertType, severity, sourceId }: Alert,
): boolean =>
  (customer === null || customers.includes(customer)) &&
  (alertType === null || alertTypes.includes(alertType)) &&
  severities.some((one) => one.severity === severity) &&
  (sourceId === undefined || sources.some(({ id }) => id === sourceId));

const isSamePlace = (before: Alert, after: Alert): boolean =>
  isEverybodys(before) === isEverybodys(after) &&
  before.ownerId === after.ownerId &&
  before.folderId === after.folderId &&
  (before.snoozedUntil === undefined) === (after.snoozedUntil === undefined);

/** A list as far as it has come: its alerts, or why there are none, or neither while it is being fetched. */
export interface ShownAlertList {
  alerts: readonly Alert[] | undefined;
  /** How many there are in all. */
  total: number | undefined;
  /** There may be even more. */
  isAtLeast: boolean;
  more: NextPage | undefined;
  /** The path of the list whose alerts are on screen: that of the one before while the new one is being fetched. */
  place: string;
  error: Error | null;
  retry: () => void;
}

/** Reads the list of a view. The one before stays until it is there: a quick answer does not flash. */
export function useAlertList(view: AlertListView): ShownAlertList {
  const query = useInfiniteQuery({ ...alertListQuery(view), placeholderData: keepPreviousData });
  const { data, error, isPlaceholderData, isFetchNextPageError, refetch } = query;
  const alerts = useShownAlerts(data);
  const more = useNextPage(query);
  const place = useShownPath(pathOf(view), isPlaceholderData);
  const isOfAnother = error !== null && isPlaceholderData && !isFetchNextPageError;
  return {
    alerts: isOfAnother ? undefined : alerts,
    total: data && totalOf(data),
    isAtLeast: data?.pages[0]?.isAtLeast === true && data.pages.at(-1)?.next !== undefined,
    more,
    place,
    error,
    retry: () => void refetch(),
  };
}

/** The loaded alerts, without those that are being deleted. */
function useShownAlerts(data: AlertPages | undefined): readonly Alert[] | undefined {
  const deleted = useAtomValue(pendingDeletionsAtom);
  return useMemo(() => {
    const all = data && alertsOf(data);
    return deleted.size === 0 ? all : all?.filter(({ id }) => !deleted.has(id));
  }, [data, deleted]);
}

/** The path of the list whose alerts are on screen: that of the one before while the new one is being fetched. */
function useShownPath(path: string, isPlaceholder: boolean): string {
  const [shown, setShown] = useState(path);
  if (!isPlaceholder && shown !== path) setShown(path);
  return isPlaceholder ? shown : path;
}

type ListQuery = Pick<
  ReturnType<typeof useInfiniteQuery<unknown>>,
  'hasNextPage' | 'fetchNextPage' | 'isFetchNextPageError' | 'isFetching' | 'isPlaceholderData' | 'error'
>;

function useNextPage(query: ListQuery) {
  const { hasNextPage, fetchNextPage, isFetchNextPageError, isFetching, isPlaceholderData, error } = query;
  return useMemo(
    () =>
      hasNextPage && !isPlaceholderData
        ? {
            // Joins a fetch that is in flight instead of breaking it off.
            load: () => void fetchNextPage({ cancelRefetch: false }),
            error: isFetchNextPageError ? error : null,
            isBusy: isFetching,
          }
        : undefined,
    [hasNextPage, isPlaceholderData, fetchNextPage, isFetchNextPageError, isFetching, error],
  );
}

/** How many rows before the end of what is loaded the next page is asked for. */
const AHEAD = 25;

/** The next page of a list. */
export interface NextPage {
  load: () => void;
  /** Why the last attempt failed. */
  error: Error | null;
  /** The list is being fetched, in whole or in part: asking now would only join that. */
  isBusy: boolean;
}

/**
 * Loads the next page when the list is scrolled near the end of what is there, as soon as nothing else of it is being
 * fetched. After a failure only the person asks again.
 */
export function useLoadMore(lastDrawn: number, loaded: number, more: NextPage | undefined): void {
  const isWanted = more !== undefined && more.error === null && !more.isBusy && loaded - lastDrawn < AHEAD;
  useEffect(() => {
    if (isWanted) more.load();
  }, [isWanted, more]);
}
