import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useSession } from '#renderer/lib/session.ts';
import { type Undoable, useUndoStack } from '#renderer/lib/undo-stack.ts';
import { changeElsewhere } from './alert-conflict.ts';
import { subjectOf } from './alert-name.ts';
import { deleteAlert } from './delete-alert.ts';
import { departuresAtom } from './departures.ts';
import { markDeletionAtom } from './pending-deletions.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';
import { recountAround, relistAlert, unlistAlert } from './replace-alert.ts';

/** What a deletion works with. */
interface DeletionContext {
  client: QueryClient;
  me: string;
  store: ReturnType<typeof useStore>;
}

/**
 * Deletes an alert so that it can be undone: its card leaves at once, and the call is sent when it can no longer be
 * undone (docs/decisions/0010-undo.md).
 */
export function useDeleteWithUndo(): (alert: Alert) => void {
  const client = useQueryClient();
  const me = useSession().id;
  const store = useStore();
  const undo = useUndoStack();
  return useCallback(
    (alert) => {
      store.set(markDeletionAtom, alert, true);
      unlistAlert(client, alert.id);
      undo.add(deletionOf({ client, me, store }, alert));
    },
    [client, me, store, undo],
  );
}

function deletionOf({ client, me, store }: DeletionContext, alert: Alert): Undoable {
  /** What became of the alert that is hidden here: somebody else may still have seen it, and accepted it. */
  const changed = (): string | undefined => {
    const acceptedBy = alert.status === 'pending' ? store.get(departuresAtom).get(alert.id) : undefined;
    return acceptedBy === undefined ? changeElsewhere(client, alert) : `${acceptedBy} accepted it first.`;
  };
  return {
    kind: 'deleted',
    title: 'Alert deleted',
    subject: subjectOf(alert),
    many: (count) => ({ title: `${count} deleted` }),
    undo: () => {
      store.set(markDeletionAtom, alert, false);
      if (changed() === undefined) relistAlert(client, me, alert);
      refetchAlertLists(client);
    },
    undoFailed: 'Too late to undo',
    commit: async (keepalive) => {
      const change = changed();
      if (change !== undefined) throw new Error(change);
      await deleteAlert(alert, { keepalive }).catch((error: Error) => {
        if (!isSettledElsewhere(error)) throw error;
      });
      recountAround(client, me, alert, undefined);
      store.set(markDeletionAtom, alert, false);
    },
    commitFailed: 'Could not delete the alert',
  };
}
