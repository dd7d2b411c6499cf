import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Alert, Snooze, WorkStatus } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import type { Session } from '#backend/contract/session.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { type Toasts, useToasts } from '#renderer/toasts/toast.ts';
import { type Undoable, type UndoStack, useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { isSettledElsewhere, undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import {
  acceptCommand,
  deleteAlert,
  moveCommand,
  runCommand,
  snoozeCommand,
  statusCommand,
  unacceptCommand,
} from './alert-commands.ts';
import { STATUS_LABELS, subjectOf } from './alert-labels.ts';
import { alertStoreOf, changeElsewhere, refetchAlertLists } from './list-cache.ts';
import { snoozeEnd, untilLabel } from './snooze.ts';

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
  return useMemo(() => createActions({ client, me, toasts, undo }), [client, me, toasts, undo]);
}

interface ActionDependencies {
  client: QueryClient;
  me: Session;
  toasts: Toasts;
  undo: UndoStack;
}

function createActions({ client, me, toasts, undo }: ActionDependencies): AlertActions {
  const accept = (alert: Alert) => runCommand(client, alert, acceptCommand(alert, me));
  const unaccept = (alert: Alert) => runCommand(client, alert, unacceptCommand(alert));
  const setStatus = (alert: Alert, status: WorkStatus) => runCommand(client, alert, statusCommand(alert, status));
  const move = (alert: Alert, folderId: string | null) => runCommand(client, alert, moveCommand(alert, folderId));
  const snooze = (alert: Alert, wanted: Snooze | null) => runCommand(client, alert, snoozeCommand(alert, wanted));
  /** Snoozes an alert again that was woken by what is undone, unless its time is over. */
  const snoozeAgain = async (alert: Alert): Promise<void> => {
    const until = alert.snoozedUntil;
    const isOver = until === undefined || (until !== 'next-firing' && Date.parse(until) <= Date.now());
    if (!isOver) await snooze(alert, { until });
  };

  /** Accepts an alert again that I had returned, with the status, in the folder and as snoozed as it was. */
  const takeBack = async (alert: Alert): Promise<void> => {
    const { status, folderId } = alert;
    await accept(alert);
    if (status !== 'accepted' && status !== 'pending') await setStatus(alert, status);
    if (folderId !== undefined) await move(alert, folderId);
    await snoozeAgain(alert);
  };

  /** Reports the result: the action, which can be undone unless somebody changed the alert since, or why it failed. */
  const report = async (work: Promise<Alert>, alert: Alert, failed: string, done: Done): Promise<void> => {
    try {
      const after = await work;
      undo.add({ ...done, subject: subjectOf(after), conflict: () => changeElsewhere(client, after) });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      toasts.show({ variant: 'destructive', title: failed, description, subject: subjectOf(alert) });
    }
  };

  const acceptFailed = 'Could not accept the alert';
  const unacceptFailed = 'Could not return the alert';
  const statusFailed = 'Could not change the status';
  const moveFailed = 'Could not move the alert';
  const snoozeFailed = 'Could not snooze the alert';
  const wakeFailed = 'Could not wake the alert';
  return {
    remove: (alert) => undo.add(deletionOf(client, alert)),
    accept: (alert) =>
      void report(accept(alert), alert, acceptFailed, {
        kind: 'accepted',
        title: 'Alert accepted',
        description: 'Moved to your queue',
        many: (count) => ({ title: `${count} accepted`, description: 'Moved to your queue' }),
        undo: async () => {
          await unaccept(alert);
          await snoozeAgain(alert);
        },
        undoFailed: unacceptFailed,
      }),
    unaccept: (alert) =>
      void report(unaccept(alert), alert, unacceptFailed, {
        kind: 'unaccepted',
        title: 'Alert unaccepted',
        description: 'Returned to the inbox',
        many: (count) => ({ title: `${count} unaccepted`, description: 'Returned to the inbox' }),
        undo: () => takeBack(alert),
        undoFailed: acceptFailed,
      }),
    snooze: (alert, wanted) => {
      const now = new Date();
      const until = untilLabel(snoozeEnd(wanted, now), now);
      const description = `${until.charAt(0).toUpperCase()}${until.slice(1)}`;
      const before = alert.snoozedUntil;
      void report(snooze(alert, wanted), alert, snoozeFailed, {
        kind: `snoozed ${until}`,
        title: 'Alert snoozed',
        description,
        many: (count) => ({ title: `${count} snoozed`, description }),
        undo: async () => void (await snooze(alert, before === undefined ? null : { until: before })),
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
        undo: async () => void (await snooze(alert, { until: before })),
        undoFailed: snoozeFailed,
      });
    },
    setStatus: (alert, status) => {
      const before = alert.status;
      if (before === status || before === 'pending') return;
      void report(setStatus(alert, status), alert, statusFailed, {
        kind: `status ${status}`,
        title: 'Status updated',
        description: `Alert status changed to ${STATUS_LABELS[status]}`,
        many: (count) => ({ title: `${count} changed to ${STATUS_LABELS[status]}` }),
        undo: async () => {
          await setStatus(alert, before);
          await snoozeAgain(alert);
        },
        undoFailed: statusFailed,
      });
    },
    move: (alert, folder) => {
      const [before = null, after = null] = [alert.folderId, folder?.id];
      if (before === after) return;
      const description = folder ? `Moved to ${inertLine(folder.name)}` : 'Moved to My Alerts';
      void report(move(alert, after), alert, moveFailed, {
        kind: `moved ${after}`,
        title: 'Alert moved',
        description,
        many: (count) => ({ title: `${count} moved`, description }),
        undo: async () => void (await move(alert, before)),
        undoFailed: moveFailed,
      });
    },
  };
}

/** An action that succeeded. */
type Done = Omit<Undoable, 'subject' | 'conflict' | 'commit'>;

/**
 * Deletes an alert so that it can be undone: its card leaves at once, and the call is sent when it can no longer be
 * undone (docs/decisions/0010-undo.md).
 */
function deletionOf(client: QueryClient, alert: Alert): Undoable {
  const hidden = hideAlerts(client, [alert]);
  return {
    kind: 'deleted',
    title: 'Alert deleted',
    subject: subjectOf(alert),
    many: (count) => ({ title: `${count} deleted` }),
    ...undoableDeletion({
      show: hidden.show,
      send: async (keepalive) => {
        const change = changeElsewhere(client, alert);
        if (change !== undefined) throw new Error(change);
        try {
          await deleteAlert(alert, { keepalive });
          alertStoreOf(client).remove(alert.id);
        } catch (error) {
          // It may be a colleague's by now, who can give it back.
          if (isSettledElsewhere(error)) hidden.lose(alert.id);
          throw error;
        }
      },
      onUndone: () => refetchAlertLists(client),
    }),
    commitFailed: 'Could not delete the alert',
  };
}

/** Alerts that are being deleted, and hidden meanwhile. */
interface HiddenAlerts {
  /** Shows them again, as they are by now. */
  show: () => void;
  /** One of them is gone for this member, but perhaps not for good. */
  lose: (id: string) => void;
}

/** Hides alerts that are being deleted at once. */
export function hideAlerts(client: QueryClient, alerts: readonly Alert[]): HiddenAlerts {
  const store = alertStoreOf(client);
  const own = store.begin(alerts, () => undefined, true);
  return { show: () => void store.end(own), lose: (id) => store.lose(own, id) };
}
