import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Alert, WorkStatus } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import type { Session } from '#backend/contract/session.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/lib/session.ts';
import { type Toasts, useToasts } from '#renderer/lib/toast.ts';
import { acceptAlertMutation } from './accept-alert.ts';
import { inFolder, moveAlertMutation } from './move-alert.ts';
import { setAlertStatusMutation } from './set-alert-status.ts';
import { STATUS_WORDS } from './status-words.ts';
import { asPending, unacceptAlertMutation } from './unaccept-alert.ts';
import { useDeleteWithUndo } from './use-delete-with-undo.ts';

/** What a card can do. Each takes effect on screen at once, says so in a toast, and can be undone from there. */
export interface AlertActions {
  accept: (alert: Alert) => void;
  unaccept: (alert: Alert) => void;
  setStatus: (alert: Alert, status: WorkStatus) => void;
  /** Into a folder of mine, or out of any (`null`). */
  move: (alert: Alert, folder: Pick<Folder, 'id' | 'name'> | null) => void;
  remove: (alert: Alert) => void;
}

/** The actions of the signed-in member. The same object on every render. */
export function useAlertActions(): AlertActions {
  const client = useQueryClient();
  const me = useSession();
  const toasts = useToasts();
  const remove = useDeleteWithUndo();
  return useMemo(() => ({ ...createActions(client, me, toasts), remove }), [client, me, toasts, remove]);
}

function createActions(client: QueryClient, me: Session, toasts: Toasts): Omit<AlertActions, 'remove'> {
  const accept = (alert: Alert) => run(client, alert, acceptAlertMutation(client, me, alert));
  const unaccept = (alert: Alert) => run(client, alert, unacceptAlertMutation(client, me.id, alert));
  const setStatus = (alert: Alert, status: WorkStatus) =>
    run(client, alert, setAlertStatusMutation(client, me.id, alert, status));
  const move = (alert: Alert, folderId: string | null) =>
    run(client, alert, moveAlertMutation(client, me.id, alert, folderId));
  const mine = (alert: Alert): Alert => ({ ...alert, status: 'accepted', ownerId: me.id, ownerName: me.displayName });

  /** Accepts an alert again that I had returned, with the status and in the folder that it had. */
  const takeBack = async (alert: Alert): Promise<void> => {
    const { status, folderId } = alert;
    await accept(asPending(alert));
    const back = inFolder(mine(alert), null);
    if (status !== 'accepted' && status !== 'pending') await setStatus(back, status);
    if (folderId !== undefined) await move({ ...back, status }, folderId);
  };

  /** Says what came of it: the done words with their undo, or why it failed. */
  const tell = async (work: Promise<unknown>, done: Done | undefined, failed: string): Promise<void> => {
    try {
      await work;
      if (done) toasts.show({ ...done.words, action: { label: 'Undo', onSelect: done.undo } });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      toasts.show({ variant: 'destructive', title: failed, description });
    }
  };

  const acceptFailed = 'Could not accept the alert';
  const unacceptFailed = 'Could not return the alert';
  const statusFailed = 'Could not change the status';
  const moveFailed = 'Could not move the alert';
  return {
    accept: (alert) =>
      void tell(
        accept(alert),
        {
          words: { title: 'Alert accepted', description: 'Moved to your queue' },
          undo: () => void tell(unaccept(mine(alert)), undefined, unacceptFailed),
        },
        acceptFailed,
      ),
    unaccept: (alert) =>
      void tell(
        unaccept(alert),
        {
          words: { title: 'Alert unaccepted', description: 'Returned to the inbox' },
          undo: () => void tell(takeBack(alert), undefined, acceptFailed),
        },
        unacceptFailed,
      ),
    setStatus: (alert, status) => {
      const before = alert.status;
      if (before === status || before === 'pending') return;
      const changed: Alert = { ...alert, status };
      void tell(
        setStatus(alert, status),
        {
          words: { title: 'Status updated', description: `Alert status changed to ${STATUS_WORDS[status]}` },
          undo: () => void tell(setStatus(changed, before), undefined, statusFailed),
        },
        statusFailed,
      );
    },
    move: (alert, folder) => {
      const [before = null, after = null] = [alert.folderId, folder?.id];
      if (before === after) return;
      const description = folder ? `Moved to ${inertLine(folder.name)}` : 'Moved to My Alerts';
      void tell(
        move(alert, after),
        {
          words: { title: 'Alert moved', description },
          undo: () => void tell(move(inFolder(alert, after), before), undefined, moveFailed),
        },
        moveFailed,
      );
    },
  };
}

interface Done {
  words: { title: string; description: string };
  undo: () => void;
}

/** What a mutation of one alert is made of; see `acceptAlertMutation` and its like. */
interface AlertMutation {
  mutationFn: () => Promise<unknown>;
  onMutate: () => void;
  onError: (error: Error) => void;
}

/**
 * Runs a mutation apart from any component, which may be gone with its card before the answer comes. Mutations of the
 * same alert run one after the other, so that an undo never overtakes what it undoes.
 */
function run(client: QueryClient, alert: Alert, mutation: AlertMutation): Promise<unknown> {
  const options = { ...mutation, scope: { id: `alert ${alert.id}` }, networkMode: 'always' as const, retry: false };
  return client.getMutationCache().build(client, options).execute(undefined);
}
