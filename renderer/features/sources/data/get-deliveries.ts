import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  type ReplayOne,
  type DeliveryCounts,
  type DeliveryOutcome,
  type DeliverySummary,
  type ReplayResult,
  deliveryCountsSchema,
  deliveryListSchema,
  deliverySchema,
  replayResultSchema,
} from '#backend/contract/delivery.ts';
import { type ApiPage, apiGet, apiGetPage, apiSend } from '#renderer/lib/api-client.ts';
import { DELIVERIES, SOURCES, sourcePath } from './get-sources.ts';

/** Rows of a page of the log. */
const PAGE_ROWS = 100;

/** Which deliveries of a source are shown. Times are ISO 8601. */
export interface DeliveryFilter {
  outcome?: DeliveryOutcome | undefined;
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A filter as the query of a call, without what is not set. */
export function filterQuery(filter: DeliveryFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}

/** `GET /api/sources/{id}/deliveries`: newest first, page by page. Throws an ApiError. */
export const deliveriesQuery = (sourceId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [DELIVERIES, sourceId, filter],
    queryFn: ({ signal, pageParam }): Promise<ApiPage<DeliverySummary>> =>
      getDeliveryPage(sourceId, filter, { limit: PAGE_ROWS, before: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });

/** One page of the log. Throws an ApiError. */
export const getDeliveryPage = (
  sourceId: string,
  filter: DeliveryFilter,
  request: { limit?: number; before?: string | undefined; signal?: AbortSignal },
): Promise<ApiPage<DeliverySummary>> =>
  apiGetPage(`${sourcePath(sourceId)}/deliveries${filterQuery(filter)}`, deliveryListSchema, request);

/** The ids of all deliveries that match, however many. Throws an ApiError. */
export async function getDeliveryIds(sourceId: string, filter: DeliveryFilter, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  do {
    const page = await getDeliveryPage(sourceId, filter, { limit: 500, before, signal });
    ids.push(...page.rows.map(({ id }) => id));
    before = page.next;
  } while (before !== undefined);
  return ids;
}

/** `GET /api/sources/{id}/delivery-counts`: how many of each outcome, and in equal parts of the time. */
export const deliveryCountsQuery = (sourceId: string, range: Pick<DeliveryFilter, 'from' | 'to'>) =>
  queryOptions<DeliveryCounts>({
    queryKey: [SOURCES, sourceId, 'delivery-counts', range],
    queryFn: ({ signal }) =>
      apiGet(`${sourcePath(sourceId)}/delivery-counts${filterQuery(range)}`, deliveryCountsSchema, { signal }),
    refetchOnMount: 'always',
  });

/** `GET /api/deliveries/{id}`: the request, and how it is read now. Throws an ApiError, 404 for one that is gone. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [DELIVERIES, 'one', id],
    queryFn: ({ signal }) => apiGet(`/api/deliveries/${encodeURIComponent(id)}`, deliverySchema, { signal }),
    refetchOnMount: 'always',
  });

/** `POST /api/sources/{id}/replay`: reads deliveries again with the mapping as it is now. Throws an ApiError. */
export const replayDeliveries = (sourceId: string, ids: readonly string[], how: ReplayOne): Promise<ReplayResult> =>
  apiSend('POST', `${sourcePath(sourceId)}/replay`, { body: { ids, ...how }, schema: replayResultSchema });
