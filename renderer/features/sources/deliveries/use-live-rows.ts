import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { DeliverySummary } from '#backend/contract/delivery.ts';
import {
  type DeliveryFilter,
  deliveriesQuery,
  getDeliveryPage,
} from '#renderer/features/sources/data/get-deliveries.ts';
import { SOURCES } from '#renderer/features/sources/data/get-sources.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';

/** Most new rows that are counted and put above the others; where there may be more, the list is read again. */
export const MOST_NEW = 50;

/**
 * The log as rows, newest first. New deliveries are looked for while it is shown; `isFree` says that they may be put on top now,
 * else they are counted until `showNew` is called. Where there are no rows, nothing moves when they come: they come at once.
 */
export function useLiveRows(sourceId: string, filter: DeliveryFilter, isFollowing: boolean, isFree: boolean) {
  const client = useQueryClient();
  const list = useInfiniteQuery(deliveriesQuery(sourceId, filter));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const isKnown = list.data !== undefined;
  const isEmpty = rows.length === 0;

  const newest = useQuery({
    queryKey: [SOURCES, sourceId, 'newest', filter],
    queryFn: async ({ signal }) => (await getDeliveryPage(sourceId, filter, { limit: MOST_NEW, signal })).rows,
    enabled: isFollowing && isKnown,
    gcTime: 0,
  });
  const top = rows[0]?.id ?? '';
  const pending = useMemo(
    () => (isKnown && isFollowing ? (newest.data?.filter(({ id }) => id > top) ?? []) : []),
    [isKnown, isFollowing, newest.data, top],
  );

  const showNew = useCallback((): void => {
    const { queryKey } = deliveriesQuery(sourceId, filter);
    if (pending.length >= MOST_NEW) void client.invalidateQueries({ queryKey });
    else client.setQueryData<InfiniteData<ApiPage<DeliverySummary>, string | undefined>>(queryKey, withNew(pending));
    refetchWhenShown(client, [SOURCES, sourceId, 'delivery-counts']);
  }, [client, sourceId, filter, pending]);

  useEffect(() => {
    if (!(isFree || isEmpty) || pending.length === 0) return undefined;
    const frame = requestAnimationFrame(showNew);
    return () => cancelAnimationFrame(frame);
  }, [isFree, isEmpty, pending, showNew]);

  return { list, rows, pending, showNew };
}

/** Puts rows on top of the first page, each of them once. */
const withNew =
  (added: readonly DeliverySummary[]) =>
  (data: InfiniteData<ApiPage<DeliverySummary>, string | undefined> | undefined) => {
    const [first, ...others] = data?.pages ?? [];
    if (!data || !first) return data;
    const known = new Set(first.rows.map(({ id }) => id));
    const fresh = added.filter(({ id }) => !known.has(id));
    const page = { ...first, rows: [...fresh, ...first.rows], total: first.total + fresh.length };
    return { ...data, pages: [page, ...others] };
  };

/** Scrolled by less than this, in pixels, the list counts as at its top. */
const TOP_PX = 40;

/** Whether the page is scrolled to its top. */
export function useIsAtTop(): boolean {
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const content = document.querySelector('#content');
    if (!content) return undefined;
    const onScroll = (): void => setAtTop(content.scrollTop < TOP_PX);
    content.addEventListener('scroll', onScroll, { passive: true });
    return () => content.removeEventListener('scroll', onScroll);
  }, []);
  return isAtTop;
}
