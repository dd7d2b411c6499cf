import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import type { LadderRun, PlannedStep } from '#backend/contract/ladder.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { TOAST_DURATION_MS } from '#renderer/toasts/toast-queue.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { createPendingDeletions, isSettledElsewhere, undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { type Undoable, useUndoStack } from '#renderer/toasts/undo-stack.ts';
import * as texts from './next-steps-texts.ts';

/** Key of what is read of an alert's ladders. */
export const laddersKey = (alertId: string) => ['ladders', alertId] as const;

/** Ladders of which something is asked that can still be undone. */
const pending = createPendingDeletions<LadderRun>();

/** Whether the next step comes before a Stop would be sent that can be undone first; a second is for its way to the server. */
const isNextTooSoon = ({ steps }: LadderRun): boolean => {
  const next = steps.find(({ state }) => state === 'next');
  return next !== undefined && Date.parse(next.at) - Date.now() < TOAST_DURATION_MS + 1_000;
};

interface RunCommands {
  /** Something is asked that can still be undone, or is on its way. */
  isPending: boolean;
  skip: (next: PlannedStep) => void;
  stop: () => void;
}

/**
 * Takes the next step of a ladder at once, or stops it. Neither can be taken back at the server, where people are notified, so
 * each is sent when it can no longer be undone, and a Stop at once where the next step comes sooner
 * (docs/decisions/0010-undo.md).
 */
export function useRunCommands(alertId: string, run: LadderRun): RunCommands {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();
  const mark = useSetAtom(pending.markAtom);
  const isPending = useAtomValue(pending.pendingAtom).has(run.id);
  const path = `/api/alerts/${encodeURIComponent(alertId)}/ladders/${encodeURIComponent(run.id)}`;
  const readAgain = () => client.invalidateQueries({ queryKey: laddersKey(alertId) });
  const description = inertLine(run.ruleName);
  const { mutate: stopNow } = useMutation({
    mutationFn: () => apiSend('POST', `${path}/stop`, { keepalive: true }),
    onMutate: () => mark(run, true),
    onSuccess: () => toasts.show({ intent: 'done', title: texts.ladderStopped, description }),
    onError: (error) => {
      // A ladder that has ended meanwhile is as it was wanted.
      if (isSettledElsewhere(error)) return;
      toasts.show({ variant: 'destructive', title: texts.couldNotStopLadder, description: error.message });
    },
    onSettled: async () => {
      await readAgain();
      mark(run, false);
    },
  });
  const hold = (
    what: Pick<Undoable, 'kind' | 'title' | 'many' | 'commitFailed'>,
    call: string,
    body?: object,
  ): void => {
    mark(run, true);
    undo.add({
      ...what,
      description,
      ...(call === 'stop' && { neverPauses: true }),
      ...undoableDeletion({
        show: () => mark(run, false),
        // A step that was taken, and a ladder that has ended meanwhile, is as it was wanted.
        send: (keepalive) => apiSend('POST', `${path}/${call}`, { keepalive, ...(body && { body }) }),
        onSent: readAgain,
        onFailed: () => void readAgain(),
      }),
    });
  };
  return {
    isPending,
    skip: ({ step, position }) =>
      hold(
        {
          kind: 'ladder skipped',
          title: texts.notifyingStep(step),
          many: (count) => ({ title: texts.notifyingSteps(count) }),
          commitFailed: texts.couldNotNotifyStep(step),
        },
        'skip',
        { position },
      ),
    stop: () => {
      if (isNextTooSoon(run)) {
        stopNow();
        return;
      }
      hold(
        {
          kind: 'ladder stopped',
          title: texts.stoppingLadder,
          many: (count) => ({ title: texts.stoppingLadders(count) }),
          commitFailed: texts.couldNotStopLadder,
        },
        'stop',
      );
    },
  };
}
