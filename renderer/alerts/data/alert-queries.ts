import {
  type QueryClient,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import {
  type AlertStats,
  type SnoozedCounts,
  alertStatsSchema,
  snoozedCountsSchema,
} from '#backend/contract/alert-totals.ts';
import { ApiError, type ApiPage, apiGet, apiGetPage } from '#renderer/lib/api-client.ts';
import { PAGE_ROWS } from '#renderer/lib/early-start.ts';
import { useIsAfterFirstScreen } from '#renderer/lib/first-screen.ts';
import { alertStoreOf, needRows, useListedAlerts } from './list-cache.ts';
import { type AlertListPath, type AlertListView, pathOf, viewOf } from './list-view.ts';
import { type AlertPage, type AlertPages, pageOf, sharePages, totalOf } from './list-pages.ts';
import { rememberTimes, timesOf, useReadAsTimePasses } from './passing-times.ts';
import * as texts from './texts.ts';

/** How long a filtered list or a folder is kept after it was last shown, in milliseconds. */
const KEPT_MS = 10 * 60_000;

/** The options that every alert list's query shares; see {@link alertListQuery}. */
export const alertListOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { next?: string }): string | undefined => last.next,
  // Also asked about what a `select` makes of the pages, which is left as it is.
  structuralSharing: (older: unknown, newer: unknown): unknown =>
    isAlertPages(newer) ? sharePages(isAlertPages(older) ? older : undefined, newer) : newer,
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
  '/api/alerts/mine?completion=open',
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
    queryFn: async ({ client, pageParam, signal }) => {
      const askedAt = alertStoreOf(client).moment();
      const times = timesOf(view, new Date());
      const page = await readAlertPage(path, pageParam, signal);
      if (pageParam === undefined) rememberTimes(client, path, times);
      return learnPage(client, page, askedAt);
    },
    gcTime: isWhole ? Infinity : KEPT_MS,
  });
}

/** Reads one page of an alert list. Throws as `apiGet` does; a folder's list with a message of its own. */
export const readAlertPage = (
  path: AlertListPath,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<ApiPage<Alert>> =>
  apiGetPage(path, alertListSchema, {
    limit: PAGE_ROWS,
    before,
    isPlaced: true,
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw viewOf(path)?.list === 'folder' && error instanceof ApiError
      ? new Error(texts.failedToFetchFolderAlerts, { cause: error })
      : error;
  });

/** Takes a page's alerts into the store, and gives the page as lists have it. `askedAt` is a moment of the store. */
export function learnPage(client: QueryClient, page: ApiPage<Alert>, askedAt: number): AlertPage {
  const stale = alertStoreOf(client).learnAnswer(page.rows, askedAt);
  return { ...pageOf(page), ...(stale.length > 0 && { stale }) };
}

/** `GET /api/alerts/inbox`: the alerts that nobody has accepted yet, newest first. */
export const inboxQuery = alertListQuery({ list: 'inbox' });

/** The number of alerts in the inbox, for badges and the document title; undefined until it is known. */
export function useInboxCount(): number | undefined {
  return useInfiniteQuery({ ...inboxQuery, select: totalOf }).data;
}

/** `GET /api/alerts/mine?completion=open`: the open alerts that I own and that are in no folder, newest first. */
const myAlertsQuery = alertListQuery({ list: 'mine', completion: 'open' });

/** The number of open alerts in the member's queue, wherever it is shown; undefined until it is known. */
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

/** A list as far as it has come: its alerts, or why there are none, or neither while it is being fetched. */
export interface ShownAlertList {
  alerts: readonly Alert[] | undefined;
  /** How many there are in all. */
  total: number | undefined;
  /** There may be even more. */
  isAtLeast: boolean;
  more: NextPage | undefined;
  /** The path of the list whose alerts are on screen: that of the one before while the new one is being fetched. */
  place: AlertListPath;
  /** The alerts are those of this list. */
  isRead: boolean;
  error: Error | null;
  retry: () => void;
}

/** Reads the list of a view. The one before stays until it is there: a quick answer does not flash. */
export function useAlertList(view: AlertListView, isWanted = true): ShownAlertList {
  const query = useInfiniteQuery({ ...alertListQuery(view), placeholderData: keepPreviousData, enabled: isWanted });
  useReadAsTimePasses(view, isWanted);
  const { data, error, isPlaceholderData, isFetchNextPageError, refetch } = query;
  const more = useNextPage(query);
  const place = useShownPath(pathOf(view), isPlaceholderData);
  const alerts = useListedAlerts(place);
  const isOfAnother = error !== null && isPlaceholderData && !isFetchNextPageError;
  return {
    alerts: isOfAnother ? undefined : alerts,
    total: data && totalOf(data),
    isAtLeast: data?.pages[0]?.isAtLeast === true && data.pages.at(-1)?.next !== undefined,
    more,
    place,
    isRead: !isPlaceholderData,
    error,
    retry: () => void refetch(),
  };
}

/** The path of the list whose alerts are on screen: that of the one before while the new one is being fetched. */
function useShownPath(path: AlertListPath, isPlaceholder: boolean): AlertListPath {
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

/** Keeps the rows of a list up to `last`, and those that come near; what is far below is dropped. */
export function useNeededRows(place: string, last: number): void {
  const client = useQueryClient();
  useEffect(() => needRows(client, place as AlertListPath, last), [client, place, last]);
}
