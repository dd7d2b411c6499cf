import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { type Toasts, useToasts } from '#renderer/lib/toast.ts';
import type { AlertListPath } from './alert-list.ts';
import { dropAlert, putAlert } from './alert-pages.ts';
import { changeAlertList } from './change-alert-list.ts';
import { deleteAlert } from './delete-alert.ts';
import { departuresAtom } from './departures.ts';
import { markDeletionAtom } from './pending-deletions.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';

type Store = ReturnType<typeof useStore>;

/** What a deletion works with. */
interface Desk {
  client: QueryClient;
  store: Store;
  toasts: Toasts;
}

/**
 * Deletes an alert so that it can be undone: its card leaves at once, and the call is sent when the toast goes or the
 * page is hidden, whichever is first (ux.md, "Hands").
 */
export function useDeleteWithUndo(): (alert: Alert) => void {
  const client = useQueryClient();
  const store = useStore();
  const toasts = useToasts();
  return useCallback((alert) => startDeletion({ client, store, toasts }, alert), [client, store, toasts]);
}

function startDeletion(desk: Desk, alert: Alert): void {
  const { client, store, toasts } = desk;
  const list: AlertListPath = alert.status === 'pending' ? '/api/alerts/inbox' : '/api/alerts/mine';
  store.set(markDeletionAtom, alert, true);
  changeAlertList(client, list, dropAlert(alert.id));

  let isOpen = true;
  const close = (): boolean => {
    const wasOpen = isOpen;
    isOpen = false;
    document.removeEventListener('visibilitychange', sendWhenHidden);
    window.removeEventListener('pagehide', sendNow);
    return wasOpen;
  };
  const send = (keepalive: boolean): void => void (close() && finishDeletion(desk, alert, list, keepalive));
  const sendNow = (): void => send(true);
  const sendWhenHidden = (): void => void (document.visibilityState === 'hidden' && send(true));
  document.addEventListener('visibilitychange', sendWhenHidden);
  window.addEventListener('pagehide', sendNow);

  const undo = (): void => {
    if (!close()) {
      toasts.show({ variant: 'destructive', title: 'Too late to undo', description: 'The alert is already deleted.' });
      return;
    }
    store.set(markDeletionAtom, alert, false);
    changeAlertList(client, list, putAlert(alert));
    // Somebody may have taken it meanwhile.
    refetchAlertLists(client);
  };
  toasts.show({ title: 'Alert deleted', action: { label: 'Undo', onSelect: undo }, onDismiss: () => send(false) });
}

async function finishDeletion(desk: Desk, alert: Alert, list: AlertListPath, keepalive: boolean): Promise<void> {
  const { client, store, toasts } = desk;
  const acceptedBy = alert.status === 'pending' ? store.get(departuresAtom).get(alert.id) : undefined;
  if (acceptedBy === undefined) {
    const error = await deleteAlert(alert.id, { keepalive }).then(
      () => undefined,
      (failure: Error) => failure,
    );
    if (error && !isSettledElsewhere(error)) {
      changeAlertList(client, list, putAlert(alert));
      refetchAlertLists(client);
      toasts.show({ variant: 'destructive', title: 'Could not delete the alert', description: error.message });
    }
  } else {
    const description = `${acceptedBy} accepted it first.`;
    toasts.show({ variant: 'destructive', title: 'Could not delete the alert', description });
  }
  store.set(markDeletionAtom, alert, false);
}
