import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { type DeliveryOutcome, MAX_REPLAY, type ReplayResult } from '#backend/contract/delivery.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { replaySentence } from '#renderer/features/sources/shown/outcome-labels.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { replayDeliveries } from './get-deliveries.ts';
import { SOURCES } from './get-sources.ts';
import * as texts from './texts.ts';

/**
 * Replays deliveries of a source, the oldest first and at most so many in one call, and reports in a toast what that made. Where
 * a later call fails, the result has the ids that are `left`. While one runs no other begins: each makes its alerts again.
 */
export function useReplay(sourceId: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  /** Known at once: a second click can be of a drawing in which nothing runs. */
  const isRunning = useRef(false);
  const replay = useMutation({
    mutationFn: async ({
      ids: asked,
      notify,
      unverified = false,
    }: {
      ids: readonly string[];
      notify: boolean;
      unverified?: boolean;
    }) => {
      // The server keeps the order within one call. Ids are in the order of time: what is resolved stays resolved.
      const ids = asked.toSorted();
      const results: ReplayResult[] = [];
      for (let from = 0; from < ids.length; from += MAX_REPLAY) {
        try {
          results.push(await replayDeliveries(sourceId, ids.slice(from, from + MAX_REPLAY), { notify, unverified }));
        } catch (error) {
          if (from === 0) throw error;
          return { results, count: from, left: ids.slice(from), error };
        }
      }
      return { results, count: ids.length, left: [], error: undefined };
    },
    onSuccess: ({ results, count: asked, left: ahead, error }) => {
      const outcomes: Partial<Record<DeliveryOutcome, number>> = {};
      for (const result of results) {
        for (const [outcome, count] of Object.entries(result.outcomes)) {
          const kind = outcome as DeliveryOutcome;
          outcomes[kind] = (outcomes[kind] ?? 0) + count;
        }
      }
      const left = results.flatMap(({ notReplayed }) => notReplayed);
      const made = replaySentence(outcomes);
      const replayed = counted(asked - left.length, 'delivery', 'deliveries');
      const description =
        left.length > 0
          ? texts.notReplayed(counted(left.length, 'delivery', 'deliveries'), left[0]?.reason ?? '')
          : undefined;
      if (ahead.length > 0) {
        const title = texts.replayedInPart(replayed, countText(ahead.length));
        const message = messageOf(error);
        toasts.show({ variant: 'destructive', title, description: message });
        return;
      }
      toasts.show({ intent: 'done', title: texts.replayed(replayed, made), description });
    },
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: texts.failedToReplayDeliveries, description: message }),
    onSettled: () => {
      isRunning.current = false;
      return client.invalidateQueries({ queryKey: [SOURCES, sourceId, 'newest'] });
    },
  });
  const mutate: typeof replay.mutate = (...call) => {
    if (isRunning.current) return;
    isRunning.current = true;
    replay.mutate(...call);
  };
  return { ...replay, mutate };
}
