import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ApiPage } from '#renderer/lib/api-client.ts';

/** The names of a list as far as they are loaded (undefined: not at all), and how many there are in all. */
export interface NamePages<Row> {
  names: readonly Row[] | undefined;
  total: number;
  hasMore: boolean;
  /** Loads the next page; undefined when there is none, or one is on its way. */
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
