import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { type AlertDetails, alertDetailsSchema } from '#backend/contract/alert.ts';
import { apiGetText, readAnswer } from '#renderer/lib/api-client.ts';
import type { KnownAlert } from './alert-store.ts';
import { alertStoreOf } from './list-cache.ts';

/** What only the call of an alert by its id says. The alert itself is in the store. */
interface ReadAlert extends Pick<AlertDetails, 'previousAlert'> {
  /** The answer as it came, for what parsing loses: notation and order. */
  text: string;
}

/** Keys of what is read of alerts one by one begin with this, then comes the alert's id. */
export const ALERT_KEY = '/api/alert';
export const alertKey = (id: string) => [ALERT_KEY, id] as const;

/** `GET /api/alerts/{id}`. Throws an ApiError. */
const alertDetailsQuery = (id: string) =>
  queryOptions<ReadAlert>({
    queryKey: [...alertKey(id), 'details'],
    queryFn: async ({ client, signal }) => {
      const store = alertStoreOf(client);
      const askedAt = store.moment();
      const text = await apiGetText(`/api/alerts/${encodeURIComponent(id)}`, { signal });
      const { previousAlert, ...alert } = readAnswer(text, alertDetailsSchema);
      store.learnAnswer([alert], askedAt);
      return { text, ...(previousAlert && { previousAlert }) };
    },
    refetchOnMount: 'always',
    gcTime: 60_000,
  });

/** An alert by its id: as the store has it at once, and with the rest when the server has answered. */
export function useAlertDetails(id: string) {
  const { data, error, refetch } = useQuery(alertDetailsQuery(id));
  return { known: useKnownAlert(id), ...data, error, refetch };
}

/** What the store knows of an alert, as it changes. */
function useKnownAlert(id: string): KnownAlert | undefined {
  const store = alertStoreOf(useQueryClient());
  const watch = useCallback((listener: () => void) => store.watch(id, listener), [store, id]);
  return useSyncExternalStore(watch, () => store.look(id));
}

/** Whether anything is kept that was read of the alert by itself. */
export const isRead = (client: QueryClient, id: string): boolean =>
  client.getQueryCache().findAll({ queryKey: alertKey(id) }).length > 0;
