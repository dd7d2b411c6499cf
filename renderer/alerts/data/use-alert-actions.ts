import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback, useMemo } from 'react';
import type { Alert, Snooze, WorkStatus } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import type { Session } from '#backend/contract/session.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { type Toasts, useToasts } from '#renderer/toasts/toast.ts';
import { type Undoable, type UndoStack, useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import {
  acceptAlertMutation,
  asPending,
  deleteAlert,
  inFolder,
  moveAlertMutation,
  setAlertStatusMutation,
  snoozeAlertMutation,
  unacceptAlertMutation,
} from './alert-commands.ts';
import { STATUS_LABELS, subjectOf } from './alert-labels.ts';
import { changeElsewhere, recountAround, refetchAlertLists, relistAlert, unlistAlert } from './list-cache.ts';
import { departuresAtom, markDeletionAtom } from './list-state.ts';
import { awake, snoozeEnd, snoozed, untilLabel } from './snooze.ts';

/** What a card can do. Each takes effect on screen at once, says so in a toast, and can be undone from there. */
export interface AlertActions {
  accept: (alert: Alert) => void;
  unaccept: (alert: Alert) => void;
  setStatus: (alert: Alert, status: WorkStatus) => void;
  /** Into a folder of mine, or out of any (`null`). */
  move: (alert: Alert, folder: Pick<Folder, 'id' | 'name'> | null) => void;
  remove: (alert: Alert) => void;
  snooze: (alert: Alert, snooze: Snooze) => void;
  /** Ends a snooze. */
  wake: (alert: Alert) => void;
}

/** The actions of the signed-in member. The same object on every render. */
export function useAlertActions(): AlertActions {
  const client = useQueryClient();
  const me = useSession();
  const toasts = useToasts();
  const undo = useUndoStack();
  const remove = useDeleteWithUndo();
  return useMemo(
    () => ({ ...createActions({ client, me, toasts, undo }), remove }),
    [client, me, toasts, undo, remove],
  );
}

interface ActionDependencies {
  client: QueryClient;
  me: Session;
  toasts: Toasts;
  undo: UndoStack;
}

function createActions({ client, me, toasts, undo }: ActionDependencies): Omit<AlertActions, 'remove'> {
  const accept = (alert: Alert) => run(client, alert, acceptAlertMutation(client, me, alert));
  const unaccept = (alert: Alert) => run(client, alert, unacceptAlertMutation(client, me.id, alert));
  const setStatus = (alert: Alert, status: WorkStatus) =>
    run(client, alert, setAlertStatusMutation(client, me.id, alert, status));
  const move = (alert: Alert, folderId: string | null) =>
    run(client, alert, moveAlertMutation(client, me.id, alert, folderId));
  const snooze = (alert: Alert, wanted: Snooze | null) =>
    run(client, alert, snoozeAlertMutation(client, me.id, alert, wanted));
  const mine = (alert: Alert): Alert => ({
    ...awake(alert),
    status: 'accepted',
    ownerId: me.id,
    ownerName: me.displayName,
  });

  /** Accepts an alert again that I had returned, with the status and in the folder that it had. */
  const takeBack = async (alert: Alert): Promise<void> => {
    const { status, folderId } = alert;
    await accept(asPending(alert));
    const back = inFolder(mine(alert), null);
    if (status !== 'accepted' && status !== 'pending') await setStatus(back, status);
    if (folderId !== undefined) await move({ ...back, status }, folderId);
  };

  /** Reports the result: the action, which can be undone, or why it failed. */
  const report = async (work: Promise<unknown>, alert: Alert, failed: string, done: Done): Promise<void> => {
    const subject = subjectOf(alert);
    try {
      await work;
      const { after, ...undoable } = done;
      undo.add({ ...undoable, subject: subjectOf(after), conflict: () => changeElsewhere(client, after) });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      toasts.show({ variant: 'destructive', title: failed, description, subject });
    }
  };

  const acceptFailed = 'Could not accept the alert';
  const unacceptFailed = 'Could not return the alert';
  const statusFailed = 'Could not change the status';
  const moveFailed = 'Could not move the alert';
  const snoozeFailed = 'Could not snooze the alert';
  const wakeFailed = 'Could not wake the alert';
  return {
    accept: (alert) =>
      void report(accept(alert), alert, acceptFailed, {
        kind: 'accepted',
        title: 'Alert accepted',
        description: 'Moved to your queue',
        many: (count) => ({ title: `${count} accepted`, description: 'Moved to your queue' }),
        after: mine(alert),
        undo: async () => void (await unaccept(mine(alert))),
        undoFailed: unacceptFailed,
      }),
    unaccept: (alert) =>
      void report(unaccept(alert), alert, unacceptFailed, {
        kind: 'unaccepted',
        title: 'Alert unaccepted',
        description: 'Returned to the inbox',
        many: (count) => ({ title: `${count} unaccepted`, description: 'Returned to the inbox' }),
        after: asPending(alert),
        undo: () => takeBack(alert),
        undoFailed: acceptFailed,
      }),
    snooze: (alert, wanted) => {
      const now = new Date();
      const after = snoozed(alert, snoozeEnd(wanted, now));
      const until = untilLabel(snoozeEnd(wanted, now), now);
      const before = alert.snoozedUntil;
      void report(snooze(alert, wanted), alert, snoozeFailed, {
        kind: `snoozed ${until}`,
        title: 'Alert snoozed',
        description: `${until.charAt(0).toUpperCase()}${until.slice(1)}`,
        many: (count) => ({
          title: `${count} snoozed`,
          description: `${until.charAt(0).toUpperCase()}${until.slice(1)}`,
        }),
        after,
        undo: async () => void (await snooze(after, before === undefined ? null : { until: before })),
        undoFailed: wakeFailed,
      });
    },
    wake: (alert) => {
      const before = alert.snoozedUntil;
      if (before === undefined) return;
      const back = isEverybodys(alert) ? 'Back in the inbox' : 'Back in your queue';
      void report(snooze(alert, null), alert, wakeFailed, {
        kind: `woken ${back}`,
        title: 'Alert woken',
        description: back,
        many: (count) => ({ title: `${count} woken`, description: back }),
        after: awake(alert),
        undo: async () => void (await snooze(awake(alert), { until: before })),
        undoFailed: snoozeFailed,
      });
    },
    setStatus: (alert, status) => {
      const before = alert.status;
      if (before === status || before === 'pending') return;
      const changed: Alert = { ...awake(alert), status };
      void report(setStatus(alert, status), alert, statusFailed, {
        kind: `status ${status}`,
        title: 'Status updated',
        description: `Alert status changed to ${STATUS_LABELS[status]}`,
        many: (count) => ({ title: `${count} changed to ${STATUS_LABELS[status]}` }),
        after: changed,
        undo: async () => void (await setStatus(changed, before)),
        undoFailed: statusFailed,
      });
    },
    move: (alert, folder) => {
      const [before = null, after = null] = [alert.folderId, folder?.id];
      if (before === after) return;
      const description = folder ? `Moved to ${inertLine(folder.name)}` : 'Moved to My Alerts';
      const moved = inFolder(alert, after);
      void report(move(alert, after), alert, moveFailed, {
        kind: `moved ${after}`,
        title: 'Alert moved',
        description,
        many: (count) => ({ title: `${count} moved`, description }),
        after: moved,
        undo: async () => void (await move(moved, before)),
        undoFailed: moveFailed,
      });
    },
  };
}

/** An action that succeeded, and the alert as it left it. */
interface Done extends Omit<Undoable, 'subject' | 'conflict' | 'commit'> {
  after: Alert;
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
  const options = { ...mutation, scope: scopeOf(alert.id), networkMode: 'always' as const, retry: false };
  return client.getMutationCache().build(client, options).execute(undefined);
}

const scopeOf = (alertId: string) => ({ id: `alert ${alertId}` });

/** Whether an action of the person at this screen on the alert is in flight. */
export const isActingOn = (client: QueryClient, alertId: string): boolean =>
  client.isMutating({ predicate: ({ options }) => options.scope?.id === scopeOf(alertId).id }) > 0;

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
function useDeleteWithUndo(): (alert: Alert) => void {
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
    const acceptedBy = isEverybodys(alert) ? store.get(departuresAtom).get(alert.id) : undefined;
    return acceptedBy === undefined ? changeElsewhere(client, alert) : `${acceptedBy} accepted it first.`;
  };
  return {
    kind: 'deleted',
    title: 'Alert deleted',
    subject: subjectOf(alert),
    many: (count) => ({ title: `${count} deleted` }),
    ...undoableDeletion({
      mark: (isPending) => store.set(markDeletionAtom, alert, isPending),
      send: async (keepalive) => {
        const change = changed();
        if (change !== undefined) throw new Error(change);
        await deleteAlert(alert, { keepalive });
      },
      onUndone: () => {
        if (changed() === undefined) relistAlert(client, me, alert);
        refetchAlertLists(client);
      },
      onSent: () => recountAround(client, me, alert, undefined),
    }),
    commitFailed: 'Could not delete the alert',
  };
}
