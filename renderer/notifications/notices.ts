import {
  type InfiniteData,
  type Query,
  type QueryKey,
  type QueryClient,
  infiniteQueryOptions,
  queryOptions,
} from '@tanstack/react-query';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import {
  type MarkedNotices,
  type Notice,
  type NoticeFilter,
  type NoticeMark,
  type UnreadNotices,
  MAX_MARKED_NOTICES,
  markedNoticesSchema,
  noticeListSchema,
  unreadNoticesSchema,
} from '#backend/contract/notice.ts';
import { type ApiPage, apiGet, apiGetPage, apiSend } from '#renderer/lib/api-client.ts';
import { refetchSoon, refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { windowsQuery } from '#renderer/maintenance/maintenance-data.ts';

const PATH = '/api/notices';

/** Rows that are asked for at once. */
const PAGE_ROWS = 30;

/** Most newer notices that are counted beside an open list. */
export const MAX_NEWER = 50;

/** `GET /api/notices/unread`: how many of my notices are unread. Throws an ApiError. */
export const unreadNoticesQuery = queryOptions<UnreadNotices>({
  queryKey: [`${PATH}/unread`],
  queryFn: ({ signal }) => apiGet(`${PATH}/unread`, unreadNoticesSchema, { signal }),
});

/** The lists of notices that are on screen; each is read again when it is opened. */
const LISTS = [PATH, 'list'] as const;

/**
 * `GET /api/notices`: my notices, newest first. What comes while the list is open is not put into it, so that no row moves:
 * {@link newestNoticesQuery} has it. Throws an ApiError.
 */
export const noticesQuery = (only: NoticeFilter | undefined) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, only ?? 'all'] as const,
    queryFn: ({ signal, pageParam }) =>
      apiGetPage(only === undefined ? PATH : `${PATH}?only=${only}`, noticeListSchema, {
        limit: PAGE_ROWS,
        before: pageParam,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
    gcTime: 0,
  });

/** `GET /api/notices`: the newest of my notices, as they are by now. Throws an ApiError. */
export const newestNoticesQuery = queryOptions<ApiPage<Notice>>({
  queryKey: [PATH, 'newest'],
  queryFn: ({ signal }) => apiGetPage(PATH, noticeListSchema, { limit: MAX_NEWER, signal }),
  gcTime: 0,
});

/** Whether a notice belongs into a list. */
export function isIn({ kind, readAt }: Notice, only: NoticeFilter | undefined): boolean {
  switch (only) {
    case undefined:
      return true;
    case 'unread':
      return readAt === undefined;
    case 'mentions':
      return kind === 'mentioned';
    case 'hand-overs':
      return kind === 'handed_over';
    case 'assignments':
      return kind === 'assigned' || kind === 'reassigned';
  }
}

/** What windows keep quiet is counted again after so long, in milliseconds: once for many alerts. */
const COUNTED_MS = 1_000;

/** Whether a window keeps an alert quiet that has just come, or was reported again. */
const isKeptQuiet = (event: LiveEvent): boolean =>
  (event.type === 'new_alert' || event.type === 'alert_updated') && event.alert.quietBy !== undefined;

/**
 * Keeps notices current: what was read elsewhere is so here, and what is new is asked for.
 *
 * @param isCurrent whether a query was asked for after the server had greeted: it misses nothing
 */
export function followNotices(
  client: QueryClient,
  events: readonly LiveEvent[],
  isCurrent: (query: Query) => boolean,
): void {
  const isGreeted = events.some(({ type }) => type === 'hello');
  const isMissed = (queryKey: QueryKey): boolean => {
    const known = isGreeted && client.getQueryCache().find({ queryKey });
    return Boolean(known && !isCurrent(known));
  };
  if (events.some(({ type }) => type === 'maintenance_changed') || isMissed(windowsQuery.queryKey)) {
    // Banners of maintenance windows follow what is announced of them.
    refetchWhenShown(client, windowsQuery.queryKey);
  } else if (events.some(isKeptQuiet)) {
    refetchWhenShown(client, windowsQuery.queryKey, COUNTED_MS);
  }
  for (const event of events) {
    if (event.type === 'notices_changed') showMarked(client, event.noticeIds, event.isRead);
  }
  const isChanged = events.some(({ type }) => type === 'notices_changed' || type === 'member_notified');
  for (const { queryKey } of [unreadNoticesQuery, newestNoticesQuery]) {
    if (!isChanged && !isMissed(queryKey)) continue;
    // What it says until then is known to be old: an alert may be opened by its notification within a second.
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
    refetchSoon(client, queryKey);
  }
}

/** Shows notices as read, or as unread again, wherever they are on screen. */
function showMarked(client: QueryClient, ids: readonly string[], isRead: boolean): void {
  const readAt = new Date().toISOString();
  const marked = (notice: Notice): Notice => {
    if (!ids.includes(notice.id) || (notice.readAt !== undefined) === isRead) return notice;
    const { readAt: _, ...unread } = notice;
    return isRead ? { ...unread, readAt } : unread;
  };
  const page = (one: ApiPage<Notice>): ApiPage<Notice> => ({ ...one, rows: one.rows.map(marked) });
  client.setQueriesData<InfiniteData<ApiPage<Notice>>>(
    { queryKey: LISTS },
    (data) => data && { ...data, pages: data.pages.map(page) },
  );
  client.setQueryData(newestNoticesQuery.queryKey, (data) => data && page(data));
}

const send = (body: NoticeMark): Promise<MarkedNotices> =>
  apiSend('PATCH', PATH, { body, schema: markedNoticesSchema, keepalive: true });

/** Counts again, at once: the person has just changed it. */
const recount = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: unreadNoticesQuery.queryKey });

/**
 * Marks notices as read, or as unread again: on screen at once, and as they were where the server does not take it. Throws
 * an ApiError.
 */
export async function markNotices(client: QueryClient, ids: readonly string[], isRead: boolean): Promise<void> {
  showMarked(client, ids, isRead);
  try {
    for (let at = 0; at < ids.length; at += MAX_MARKED_NOTICES) {
      await send({ ids: ids.slice(at, at + MAX_MARKED_NOTICES), isRead });
    }
  } catch (error) {
    showMarked(client, ids, !isRead);
    // Some of them may have been so before.
    void client.invalidateQueries({ queryKey: newestNoticesQuery.queryKey });
    throw error;
  } finally {
    await recount(client);
  }
}

/** Marks what is about one alert alone as read, because it was opened. Throws an ApiError. */
export async function markNoticesOf(client: QueryClient, alertId: string): Promise<void> {
  const { ids } = await send({ alertId, isRead: true });
  if (ids.length === 0) return;
  showMarked(client, ids, true);
  await recount(client);
}

/** Marks every notice of a list up to one as read. Resolves to those that were unread. Throws an ApiError. */
export async function markAllNotices(
  client: QueryClient,
  upTo: string,
  only: NoticeFilter | undefined,
): Promise<string[]> {
  const ids: string[] = [];
  for (let hasMore = true; hasMore;) {
    const marked = await apiSend('POST', `${PATH}/read-all`, { body: { upTo, only }, schema: markedNoticesSchema });
    ids.push(...marked.ids);
    ({ hasMore } = marked);
  }
  showMarked(client, ids, true);
  await recount(client);
  return ids;
}
