import { QueryClient } from '@tanstack/react-query';

/**
 * The query cache as spec.md section 7 wants it: nothing is retried, goes stale, polls or refetches on focus. Changes
 * come over the live connection, which also resyncs after an outage; so the browser's own idea of being online neither
 * refetches nor holds calls back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
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
}
