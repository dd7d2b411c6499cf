import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useSession } from '#renderer/lib/session.ts';
import { type Toasts, useToasts } from '#renderer/lib/toast.ts';
import { sendBeforeLeaving } from '#renderer/lib/send-before-leaving.ts';
import { deleteAlert } from './delete-alert.ts';
import { departuresAtom } from './departures.ts';
import { markDeletionAtom } from './pending-deletions.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';
import { recountAround, relistAlert, unlistAlert } from './replace-alert.ts';

type Store = ReturnType<typeof useStore>;

/** What a deletion works with. */
interface Desk {
  client: QueryClient;
  me: string;
  store: Store;
  toasts: Toasts;
}

/**
 * Deletes an alert so that it can be undone: its card leaves at once, and the call is sent when the toast goes or the
 * page is hidden, whichever is first (ux.md, "Hands").
 */
export function useDeleteWithUndo(): (alert: Alert) => void {
  const client = useQueryClient();
  const me = useSession().id;
  const store = useStore();
  const toasts = useToasts();
  return useCallback((alert) => startDeletion({ client, me, store, toasts }, alert), [client, me, store, toasts]);
}

function startDeletion(desk: Desk, alert: Alert): void {
  const { client, store, toasts } = desk;
  store.set(markDeletionAtom, alert, true);
  unlistAlert(client, alert.id);
  const { send, cancel } = sendBeforeLeaving((keepalive) => void finishDeletion(desk, alert, keepalive));

  const undo = (): void => {
    if (!cancel()) {
      toasts.show({ variant: 'destructive', title: 'Too late to undo', description: 'The alert is already deleted.' });
      return;
    }
    store.set(markDeletionAtom, alert, false);
    bringBack(desk, alert);
  };
  toasts.show({ title: 'Alert deleted', action: { label: 'Undo', onSelect: undo }, onDismiss: send });
}

/** Shows the alert where it was. Somebody may have taken it meanwhile, so the lists are fetched again. */
function bringBack({ client, me }: Desk, alert: Alert): void {
  relistAlert(client, me, alert);
  refetchAlertLists(client);
}

async function finishDeletion(desk: Desk, alert: Alert, keepalive: boolean): Promise<void> {
  const { client, me, store, toasts } = desk;
  const acceptedBy = alert.status === 'pending' ? store.get(departuresAtom).get(alert.id) : undefined;
  if (acceptedBy === undefined) {
    const error = await deleteAlert(alert.id, { keepalive }).then(
      () => undefined,
      (failure: Error) => failure,
    );
    if (error && !isSettledElsewhere(error)) {
      bringBack(desk, alert);
      toasts.show({ variant: 'destructive', title: 'Could not delete the alert', description: error.message });
    } else {
      recountAround(client, me, alert, undefined);
    }
  } else {
    const description = `${acceptedBy} accepted it first.`;
    toasts.show({ variant: 'destructive', title: 'Could not delete the alert', description });
  }
  store.set(markDeletionAtom, alert, false);
}
