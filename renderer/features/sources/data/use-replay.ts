import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DeliveryOutcome, MAX_REPLAY, type ReplayResult } from '#backend/contract/delivery.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { replaySentence } from '#renderer/features/sources/shown/outcome-labels.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { replayDeliveries } from './get-deliveries.ts';
import { SOURCES } from './get-sources.ts';
import * as texts from './texts.ts';

/** Replays deliveries of a source, at most so many in one call, and reports in a toast what that made. */
export function useReplay(sourceId: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async ({
      ids,
      notify,
      unverified = false,
    }: {
      ids: readonly string[];
      notify: boolean;
      unverified?: boolean;
    }) => {
      const results: ReplayResult[] = [];
      for (let from = 0; from < ids.length; from += MAX_REPLAY) {
        results.push(await replayDeliveries(sourceId, ids.slice(from, from + MAX_REPLAY), { notify, unverified }));
      }
      return results;
    },
    onSuccess: (results, { ids }) => {
      const outcomes: Partial<Record<DeliveryOutcome, number>> = {};
      for (const result of results) {
        for (const [outcome, count] of Object.entries(result.outcomes)) {
          const kind = outcome as DeliveryOutcome;
          outcomes[kind] = (outcomes[kind] ?? 0) + count;
        }
      }
      const left = results.flatMap(({ notReplayed }) => notReplayed);
      const made = replaySentence(outcomes);
      const replayed = counted(ids.length - left.length, 'delivery', 'deliveries');
      const description =
        left.length > 0
          ? texts.notReplayed(counted(left.length, 'delivery', 'deliveries'), left[0]?.reason ?? '')
          : undefined;
      toasts.show({ intent: 'done', title: texts.replayed(replayed, made), description });
    },
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: texts.failedToReplayDeliveries, description: message }),
    onSettled: () => client.invalidateQueries({ queryKey: [SOURCES, sourceId, 'newest'] }),
  });
}
