import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeliverySummary } from '#backend/contract/delivery.ts';
import { type DeliveryFilter, deliveriesQuery } from '#renderer/features/sources/data/get-deliveries.ts';
import { DELIVERIES } from '#renderer/features/sources/data/get-sources.ts';
import type { ApiPage } from '#renderer/lib/api-client.ts';

/** Ids of the deliveries before and after one in the list that one came from, newest first. */
export function useNeighbours(
  sourceId: string,
  id: string,
  filter: DeliveryFilter,
): { newer: string | undefined; older: string | undefined } {
  const client = useQueryClient();
  // The list that one came from is still there, with all that was loaded of it.
  const known = useMemo(() => {
    const lists = client
      .getQueriesData<InfiniteData<ApiPage<DeliverySummary>>>({ queryKey: [DELIVERIES, sourceId] })
      .map(([[, , listed], data]) => ({ filter: (listed ?? {}) as DeliveryFilter, ids: idsOf(data) }))
      .filter((list) => isSameButFrom(list.filter, filter) && list.ids.includes(id));
    // The span of a list began when its page was opened.
    const distances = lists.map((list) => Math.abs(startOf(list.filter) - startOf(filter)));
    return lists[distances.indexOf(Math.min(...distances))]?.ids;
  }, [client, sourceId, id, filter]);
  const { data } = useInfiniteQuery({ ...deliveriesQuery(sourceId, filter), enabled: known === undefined });
  const ids = known ?? idsOf(data);
  const place = ids.indexOf(id);
  return place === -1 ? { newer: undefined, older: undefined } : { newer: ids[place - 1], older: ids[place + 1] };
}

const idsOf = (data: InfiniteData<ApiPage<DeliverySummary>> | undefined): string[] =>
  data?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? [];

/** Whether two filters ask for the same but for where their span begins. */
const isSameButFrom = (one: DeliveryFilter, other: DeliveryFilter): boolean =>
  one.outcome === other.outcome && one.q === other.q && one.to === other.to;

const startOf = ({ from }: DeliveryFilter): number => (from === undefined ? 0 : Date.parse(from));
