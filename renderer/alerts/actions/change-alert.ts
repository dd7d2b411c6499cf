import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { subjectOf } from '#renderer/alerts/data/alert-labels.ts';
import type { OwnChange } from '#renderer/alerts/data/alert-entry.ts';
import { alertStoreOf, refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { type Undoable, useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { isSettledElsewhere, undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import { useWriteNote } from '#renderer/alerts/panel/open-alert.tsx';
import type { ActionContext, AlertAction, ChangeDeps } from './action.ts';
import { type AlertChange, type UndoStep, undoSteps } from './changes.ts';
import * as texts from './texts.ts';

/** How the kinds of what the undo stack has begin that deletes alerts. */
export const ALERTS_DELETED = 'alerts deleted';

/** What changes of the signed-in member work with. The same object on every render. */
export function useChangeDeps(): ChangeDeps {
  const client = useQueryClient();
  const me = useSession();
  const toasts = useToasts();
  const undo = useUndoStack();
  return useMemo(() => ({ client, me, toasts, undo }), [client, me, toasts, undo]);
}

/** What can be done with one alert from here. */
export interface Actions {
  context: ActionContext;
  /** Does it, where nothing is to be chosen before. */
  run: (action: AlertAction, alert: Alert) => void;
  change: (alert: Alert, change: AlertChange) => void;
  /** Whether it is on offer. */
  offers: (action: AlertAction, alert: Alert) => boolean;
}

/** The actions of the signed-in member. The same object on every render. */
export function useActions(): Actions {
  const deps = useChangeDeps();
  const ask = useAsk();
  const pages = { write: useWriteNote(), navigate: useNavigate() };
  // They depend on what is open, and cards are not drawn again for that.
  const latest = useRef(pages);
  useEffect(() => {
    latest.current = pages;
  });
  return useMemo(() => {
    const context: ActionContext = {
      ...deps,
      ask,
      writeNote: (alert) => latest.current.write(alert),
      go: (path) => void latest.current.navigate(path),
    };
    const change = (alert: Alert, wanted: AlertChange) => void changeAlert(context, alert, wanted);
    return {
      context,
      change,
      run: (action, alert) => {
        if (!action.isOffered(alert, context)) return;
        if (action.run) action.run(alert, context);
        else if (action.change) change(alert, action.change(alert, context.me));
      },
      offers: (action, alert) => action.isOffered(alert, context),
    };
  }, [deps, ask]);
}

/**
 * Runs a change of one alert apart from any component, which may be gone with its card before the answer comes. It is shown
 * at once and until it is answered. Changes of the same alert run one after the other, so that an undo never overtakes what
 * it undoes. Rejects with the error of the call.
 */
export function runChange(
  client: QueryClient,
  alert: Alert,
  change: Pick<AlertChange, 'apply' | 'send' | 'isRace' | 'isOfFolder'>,
): Promise<Alert> {
  const { apply, send, isRace = false, isOfFolder = false } = change;
  const store = alertStoreOf(client);
  return client
    .getMutationCache()
    .build<Alert, Error, undefined, OwnChange>(client, {
      scope: { id: `alert ${alert.id}` },
      networkMode: 'always',
      retry: false,
      onMutate: () => store.begin([alert], apply),
      mutationFn: () => send(alert),
      onSuccess: (answer, _variables, own) => {
        store.batch(() => {
          if (store.end(own)) store.learn(answer);
        });
        if (own.isOvertaken) refetchAlertLists(client);
      },
      onError: (error, _variables, own) => {
        const isElsewhere = isSettledElsewhere(error);
        store.batch(() => {
          if (!own) return;
          if (isElsewhere && !isOfFolder) store.lose(own, alert.id);
          store.end(own);
        });
        if (!isElsewhere || !isRace) refetchAlertLists(client);
      },
    })
    .execute(undefined);
}

/** Whether a change leaves an alert as it is. */
function isNoChange(alert: Alert, { apply }: AlertChange): boolean {
  const after = apply(alert);
  const parts = ['status', 'ownerId', 'folderId', 'snoozedUntil'] as const;
  return parts.every((part) => after[part] === alert[part]);
}

/**
 * Changes one alert: on screen at once, with its result in a toast from which, as by Z, it can be undone unless somebody
 * changed the alert since; or why it failed.
 */
export async function changeAlert(deps: ChangeDeps, alert: Alert, change: AlertChange): Promise<void> {
  const { client, me, toasts, undo } = deps;
  if (isNoChange(alert, change)) return;
  const { title, description, done, failed } = change;
  const doneDescription = 'doneDescription' in change ? change.doneDescription : description;
  try {
    let now = await runChange(client, alert, change);
    // One that fails half-way goes on from there when it is tried again.
    let left: UndoStep[] | undefined;
    undo.add({
      kind: `${done} ${description ?? ''}`,
      title,
      description,
      many: (count) => ({ title: `${count} ${done}`, ...(doneDescription && { description: doneDescription }) }),
      subject: subjectOf(now),
      conflict: () => {
        const elsewhere = changeElsewhere(client, now);
        // A step whose answer was lost may have been carried out. To send it again changes nothing.
        const isDone = left?.[0] && changeElsewhere(client, left[0].change.apply(now)) === undefined;
        return isDone ? undefined : elsewhere;
      },
      undo: async () => {
        left ??= undoSteps(change, [alert], me);
        for (; left[0]; left.shift()) now = await runChange(client, now, left[0].change);
      },
      undoFailed: texts.couldNotUndo(title),
    });
  } catch (error) {
    toasts.show({
      variant: 'destructive',
      title: failed,
      description: messageOf(error),
      subject: subjectOf(alert),
    });
  }
}

/**
 * `DELETE /api/webhooks/{id}`, of the alert as it was when that was decided: one that has another owner by now stays.
 * `keepalive` sends it even though the page is going away. Throws an ApiError, or what became of the alert.
 */
async function sendDeletion({ id, ownerId }: Alert, keepalive: boolean): Promise<void> {
  const path = `/api/webhooks/${encodeURIComponent(id)}?ifOwner=${encodeURIComponent(ownerId ?? 'none')}`;
  await apiSend('DELETE', path, { keepalive }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 409 ? new Error(error.body, { cause: error }) : error;
  });
}

/**
 * Deletes an alert so that it can be undone: its card leaves at once, and the call is sent when it can no longer be
 * undone (docs/decisions/0010-undo.md).
 */
export function deleteAlert({ client, undo }: ChangeDeps, alert: Alert): void {
  const hidden = hideAlerts(client, [alert]);
  const deletion: Undoable = {
    kind: ALERTS_DELETED,
    title: texts.alertDeleted,
    subject: subjectOf(alert),
    many: (count) => ({ title: texts.countDeleted(count) }),
    ...undoableDeletion({
      show: hidden.show,
      send: async (keepalive) => {
        const elsewhere = changeElsewhere(client, alert);
        if (elsewhere !== undefined) throw new Error(elsewhere);
        try {
          await sendDeletion(alert, keepalive);
          alertStoreOf(client).remove(alert.id);
        } catch (error) {
          // It may be a colleague's by now, who can give it back.
          if (isSettledElsewhere(error)) hidden.lose(alert.id);
          throw error;
        }
      },
      onUndone: () => refetchAlertLists(client),
    }),
    commitFailed: texts.couldNotDeleteAlert,
  };
  undo.add(deletion);
}

/** Alerts that are being deleted, and hidden meanwhile. */
interface HiddenAlerts {
  /** Shows them again, as they are by now. */
  show: () => void;
  /** One of them is gone for this member, but perhaps not for good. */
  lose: (id: string) => void;
}

/** Hides alerts that are being deleted at once, and those with the ids of `unknown` as soon as they are read. */
export function hideAlerts(
  client: QueryClient,
  alerts: readonly Alert[],
  unknown: readonly string[] = [],
): HiddenAlerts {
  const store = alertStoreOf(client);
  const own = store.begin(alerts, () => undefined, true, unknown);
  return { show: () => void store.end(own), lose: (id) => store.lose(own, id) };
}

const isAsleep = ({ snoozedUntil }: Pick<Alert, 'snoozedUntil'>): boolean => snoozedUntil !== undefined;

/** What somebody, or this member elsewhere, has made of an alert since it was as `expected`; undefined for nothing that is known here. */
export function changeElsewhere(
  client: QueryClient,
  expected: Pick<Alert, 'id' | 'ownerId' | 'status' | 'folderId' | 'snoozedUntil'>,
): string | undefined {
  const now = alertStoreOf(client).onServer(expected.id);
  if (!now) return undefined;
  if (now.ownerId !== expected.ownerId) {
    return now.ownerId === undefined ? texts.itWasReturnedToInbox : texts.acceptedItFirst(now.ownerName);
  }
  return now.status === expected.status && now.folderId === expected.folderId && isAsleep(now) === isAsleep(expected)
    ? undefined
    : texts.itHasBeenChangedSince;
}
