import { queryOptions, useQuery } from '@tanstack/react-query';
import { type HistoryEntry, historySchema } from '#backend/contract/history-entry.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';

/** `GET /api/alerts/{id}/history`, newest first. Throws an ApiError. */
export const getHistory = (id: string, signal?: AbortSignal): Promise<HistoryEntry[]> =>
  apiGetAll(`/api/alerts/${encodeURIComponent(id)}/history`, historySchema, signal ? { signal } : {});

/** An alert's history: always fetched again when the dialog opens. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['/api/alerts', id, 'history'] as const,
    queryFn: ({ signal }) => getHistory(id, signal),
    refetchOnMount: 'always',
    gcTime: 0,
  });

/** What happened to the alert. */
export const useHistory = (id: string) => useQuery(historyQuery(id));
