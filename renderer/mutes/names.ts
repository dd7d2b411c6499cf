import { type InfiniteData, type UseInfiniteQueryResult, infiniteQueryOptions } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import * as z from 'zod/mini';
import { type Customer, alertTypeListSchema, customerSchema } from '#backend/contract/mute.ts';
import { sortByName } from '#backend/contract/name.ts';
import { type ApiPage, apiGet, apiGetPage } from '#renderer/lib/api-client.ts';

const customerListSchema = z.array(customerSchema);

/**
 * The query of a list of names, page by page, each as long as the server makes it; with `search` of those that contain
 * it. Read again when a page opens: no event announces new names.
 */
function namePagesQuery<Row>(path: string, schema: z.ZodMiniType<Row[]>, search = '') {
  return infiniteQueryOptions({
    queryKey: search === '' ? ([path, 'pages'] as const) : ([path, 'pages', search] as const),
    queryFn: ({ pageParam, signal }) =>
      apiGetPage(search === '' ? path : `${path}?${new URLSearchParams({ q: search })}`, schema, {
        before: pageParam,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last): string | undefined => last.next,
    refetchOnMount: 'always',
    // A search is read again when it is typed again.
    gcTime: search === '' ? Infinity : 0,
  });
}

/** `GET /api/customers`: the customers that alerts have named, page by page; with `search` those that contain it. */
export const customersQuery = (search = '') => namePagesQuery('/api/customers', customerListSchema, search);

/** `GET /api/alert-types`: the types that alerts have named, page by page. */
export const alertTypesQuery = namePagesQuery('/api/alert-types', alertTypeListSchema);

/** The customer of this name, past the cache; undefined when there is none. Throws as `apiGet` does. */
export async function findCustomer(name: string): Promise<Customer | undefined> {
  const found = await apiGet(`/api/customers?${new URLSearchParams({ q: name })}`, customerListSchema);
  return found.find((customer) => customer.name === name);
}

/** Above so many customers there is a search box. */
export const SEARCH_ABOVE = 5;

/** The customers in the order of their names. */
export const sortCustomers = (customers: readonly Customer[]): Customer[] => sortByName(customers, ({ name }) => name);

/** The customers whose name has the text in it, without regard to case. */
export function filterCustomers(customers: readonly Customer[], search: string): readonly Customer[] {
  const wanted = search.trim().toLowerCase();
  return wanted === '' ? customers : customers.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** The names of a list as far as they are loaded (undefined: not at all), and how many there are in all. */
export interface NamePages<Row> {
  names: readonly Row[] | undefined;
  total: number;
  hasMore: boolean;
  /** Loads the next page; undefined when there is none, or one is loading. */
  loadMore: (() => void) | undefined;
}

/** The pages of a list of names, as one list. */
export function useNamePages<Row>({
  data,
  hasNextPage,
  isFetching,
  isFetchNextPageError,
  fetchNextPage,
}: UseInfiniteQueryResult<InfiniteData<ApiPage<Row>>>): NamePages<Row> {
  const names = useMemo(() => data?.pages.flatMap(({ rows }) => rows), [data]);
  const load = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  return {
    names,
    total: Math.max(data?.pages.at(-1)?.total ?? 0, names?.length ?? 0),
    hasMore: hasNextPage,
    loadMore: hasNextPage && !isFetching && !isFetchNextPageError ? load : undefined,
  };
}
