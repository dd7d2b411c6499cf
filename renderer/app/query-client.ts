import { type Query, QueryClient, focusManager } from '@tanstack/react-query';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { isPageShown, watchPageShown } from '#renderer/lib/page-shown.ts';
import { keepOutdated } from '#renderer/lib/query-freshness.ts';

/**
 * The query cache: nothing is retried, goes stale, polls or refetches on focus. Changes
 * come over the live connection, which also resyncs after an outage; so the browser's own idea of being online neither
 * refetches nor holds calls back. What is read every so often for a screen is read only while the page is shown, and at once
 * when that is so again and its time has passed.
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
  // By itself it takes a window in the tray for one that is looked at.
  focusManager.setEventListener((setFocused) => {
    const report = (): void => {
      setFocused(isPageShown());
      if (isPageShown()) void client.refetchQueries({ type: 'active', predicate: isDue });
    };
    report();
    return watchPageShown(report);
  });
  // It follows the answers of lists from the first one on.
  alertStoreOf(client);
  return client;
}

/** Whether a query is read every so often, and was not for so long. */
const isDue = (query: Query): boolean =>
  query.observers.some(({ options: { refetchInterval } }) => {
    const every = typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval;
    return typeof every === 'number' && Date.now() - query.state.dataUpdatedAt >= every;
  });
