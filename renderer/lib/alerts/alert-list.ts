import { type QueryClient, infiniteQueryOptions } from '@tanstack/react-query';
import { ApiError, apiGetPage } from '#renderer/lib/api-client.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { PAGE_ROWS } from '#renderer/lib/early-start.ts';
import { type AlertPage, type AlertPages, shareAlerts } from './alert-pages.ts';
import { type AlertListPath, type AlertListView, pathOf, viewOf } from './alert-view.ts';

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

/**
 * The query of one view, page by page. The whole inbox and the whole queue are kept for good: badges count them.
 */
export function alertListQuery(view: AlertListView) {
  const path = pathOf(view);
  const isWhole = path === '/api/alerts/inbox' || path === '/api/alerts/mine';
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
  return page.next === undefined || !last ? page : { ...page, end: { id: last.id, status: last.status } };
}

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
