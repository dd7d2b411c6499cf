import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type QueueProgress, queueProgressSchema } from '#backend/contract/alert-totals.ts';
import { startOfDay } from '#backend/contract/search-times.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { dateOf } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { PROGRESS_KEY } from './facets.ts';
import { alertStoreOf, whenAnswered } from './list-cache.ts';
import type { AlertListView } from './list-view.ts';

/** `GET /api/alerts/progress`: how far the member is with a list on a day (`2026-11-21`). Live events have it read again. */
const queueProgressQuery = ({ list, folderId }: Pick<AlertListView, 'list' | 'folderId'>, date: string) => {
  const since = new Date(startOfDay(date, timeZoneHere())).toISOString();
  const query = new URLSearchParams({ list, ...(folderId !== undefined && { folderId }), since });
  const queryKey = [...PROGRESS_KEY, String(query)] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<QueueProgress> => {
      const store = alertStoreOf(client);
      // The server may count what changes meanwhile, and own changes that it has not answered, or not.
      const [askedAt, isCertain] = [store.moment(), !store.hasUnanswered()];
      const progress = await apiGet(`${PROGRESS_KEY[0]}?${query}`, queueProgressSchema, { signal });
      if (!isCertain || store.moment() !== askedAt) whenAnswered(store, () => refetchWhenShown(client, queryKey));
      return progress;
    },
    staleTime: 0,
  });
};

/** How far the member is with My Alerts or a folder today; undefined until it is known, or while nobody asks for it. */
export function useQueueProgress(
  list: Pick<AlertListView, 'list' | 'folderId'>,
  isWanted: boolean,
): QueueProgress | undefined {
  const date = useNow(dateOf);
  return useQuery({ ...queueProgressQuery(list, date), enabled: isWanted, placeholderData: keepPreviousData }).data;
}
