import { QueryClient } from '@tanstack/react-query';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { keepOutdated } from '#renderer/lib/query-freshness.ts';

/**
 * The query cache: nothing is retried, goes stale, polls or refetches on focus. Changes
 * come over the live connection, which also resyncs after an outage; so the browser's own idea of being online neither
 * refetches nor holds calls back.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  keepOutdated(client);
  // It follows the answers of lists from the first one on.
  alertStoreOf(client);
  return client;
}
