import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import { readAgain } from './query-freshness.ts';

/**
 * Writes what the server has answered to a change into what was read. A fetch that is on its way may have been answered
 * before the change, and would take it back: it begins again. Where nothing is known yet, another one follows it.
 *
 * @param query what was read
 * @param change makes the new answer of the one that is known, if any; what it returns as undefined stays unknown
 */
export function writeAnswer<Data>(
  client: QueryClient,
  { queryKey }: { queryKey: QueryKey },
  change: (known: Data | undefined) => Data | undefined,
): void {
  const filters = { queryKey, exact: true };
  const isOnItsWay = client.isFetching(filters) > 0;
  const isKnown = client.setQueryData<Data>(queryKey, change) !== undefined;
  if (!isOnItsWay) return;
  if (isKnown) void client.refetchQueries(filters);
  else readAgain(client, filters);
}

/**
 * Reads what the server has by now: a fetch that is on its way may have been answered before what was done since, and is
 * waited for. Rejects as the query does.
 */
export async function readNow<FnData, Failure, Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<FnData, Failure, Data, Key>,
): Promise<Data> {
  const known = client.getQueryCache().find({ queryKey: query.queryKey, exact: true });
  if (known?.state.fetchStatus === 'fetching') await known.promise?.catch(() => undefined);
  return client.fetchQuery({ ...query, staleTime: 0 });
}
