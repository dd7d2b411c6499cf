import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { HandOver } from '#backend/contract/assignment.ts';
import { type BulkChange, type BulkLoss, type BulkResult, bulkResultSchema } from '#backend/contract/bulk.ts';
import type { Session } from '#backend/contract/session.ts';
import {
  asAccepted,
  asAssigned,
  asPending,
  asTouched,
  awake,
  inFolder,
  snoozed,
} from '#renderer/alerts/data/alert-changes.ts';
import { alertStoreOf, refetchAlertLists, refetchAround } from '#renderer/alerts/data/list-cache.ts';
import { noteBulkRunAtom } from '#renderer/alerts/data/list-state.ts';
import { snoozeEnd } from '#renderer/alerts/data/snooze.ts';
import { hideAlerts } from '#renderer/alerts/data/use-alert-actions.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { useSession } from '#renderer/session/session.ts';
import { type Toasts, useToasts } from '#renderer/toasts/toast.ts';
import { type UndoStack, useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { doneLabel, formatCount, lossLabels, resultLabel } from './bulk-labels.ts';
import {
  type BulkAction,
  type BulkOutcome,
  type Chosen,
  type Person,
  runBulk,
  sizeOfChosen,
  undoSteps,
} from './run-bulk.ts';

/** How long a result stays that names alerts which could not be changed, in milliseconds. */
const LOSSES_MS = 8_000;

/** Changes what is selected: `chosen`, of which `alerts` are loaded. One result, one undo. */
export type BulkActions = (action: BulkAction, chosen: Chosen, alerts: readonly Alert[]) => void;

/** The bulk actions of the signed-in member. */
export function useBulkActions(): BulkActions {
  const client = useQueryClient();
  const store = useStore();
  const me = useSession();
  const toasts = useToasts();
  const undo = useUndoStack();
  return useMemo(() => {
    const context = { client, store, me, toasts, undo };
    return (action, chosen, alerts) => {
      if (action.action === 'delete' && chosen.kind === 'ids') return deleteWithUndo(context, action, alerts);
      void changeAndReport(context, action, chosen, alerts);
    };
  }, [client, store, me, toasts, undo]);
}

/** Which of the member’s open alerts go to somebody, and with which note. */
type HandOverChoice = Pick<HandOver, 'userId' | 'status' | 'note'> & Pick<Partial<HandOver>, 'folderIds'>;

/** Hands over the member's own alerts, `count` as far as is known. One result, one undo. */
export function useHandOver(): (choice: HandOverChoice, to: Person, count: number) => void {
  const client = useQueryClient();
  const store = useStore();
  const me = useSession();
  const toasts = useToasts();
  const undo = useUndoStack();
  return (choice, to, count) => {
    const send: SendBatch = ({ before }) =>
      apiSend('POST', '/api/alerts/hand-over', {
        body: { ...choice, ...(before !== undefined && { before }) },
        schema: bulkResultSchema,
      });
    // The server chooses the alerts; only how many they are matters here.
    const chosen: Chosen = { kind: 'filter', filter: { list: 'mine' }, count, upTo: '' };
    const action: BulkAction = { action: 'assign', to, isHandOver: true };
    void changeAndReport({ client, store, me, toasts, undo }, action, chosen, [], send);
  };
}

interface BulkContext {
  client: QueryClient;
  store: ReturnType<typeof useStore>;
  me: Session;
  toasts: Toasts;
  undo: UndoStack;
}

async function changeAndReport(
  context: BulkContext,
  action: BulkAction,
  chosen: Chosen,
  alerts: readonly Alert[],
  send: SendBatch = sendBatch,
): Promise<void> {
  const outcome = await runWithProgress(context, action, chosen, alerts, send);
  const { changed, unchanged, error } = outcome;
  if (changed.length + unchanged === 0 && error) {
    const title = 'Could not change the alerts';
    context.toasts.show({ variant: 'destructive', title, description: error.message });
  } else if (undoSteps(action, changed, context.me.id).length === 0) {
    context.toasts.show({ title: resultLabel(action, outcome) });
  } else report(context, action, chosen, outcome);
}

type SendBatch = (change: BulkChange) => Promise<BulkResult>;

const sendBatch = (body: BulkChange, keepalive = false): Promise<BulkResult> =>
  apiSend('POST', '/api/alerts/bulk', { body, schema: bulkResultSchema, keepalive });

/** Numbers changes of many alerts, and what undoes them. */
let runs = 0;

/** Runs a change; what is loaded of it changes on screen at once, and what could not be changed comes back. */
async function runWithProgress(
  { client, store, me }: BulkContext,
  action: BulkAction,
  chosen: Chosen,
  alerts: readonly Alert[],
  send: SendBatch,
): Promise<BulkOutcome> {
  const cancel = new AbortController();
  runs += 1;
  const run = runs;
  const progress = {
    id: run,
    ids: new Set(alerts.map(({ id }) => id)),
    done: 0,
    total: sizeOfChosen(chosen),
    cancel: () => cancel.abort(),
  };
  store.set(noteBulkRunAtom, run, progress);
  const known = alertStoreOf(client);
  const change = changeOf(action, me);
  // Of what a filter matches the answers say what was changed.
  const own = change && chosen.kind === 'ids' ? known.begin(alerts, change) : undefined;
  const outcome = await runBulk(action, chosen, {
    send,
    onProgress: (done) => store.set(noteBulkRunAtom, run, { ...progress, done }),
    signal: cancel.signal,
  });
  known.batch(() => {
    for (const { id, version } of outcome.changed) {
      if (!change) known.remove(id);
      else if (version !== undefined) known.confirm(id, version, change);
    }
    if (!own) return;
    for (const { id, reason } of outcome.lost) if (ELSEWHERE.has(reason)) known.lose(own, id);
    known.end(own);
  });
  store.set(noteBulkRunAtom, run);
  const isUnsure = own?.isOvertaken === true || outcome.lost.length > 0;
  if (outcome.error || outcome.isCancelled || isUnsure) refetchAlertLists(client);
  refetchAround(client);
  return outcome;
}

/** Why an alert was not changed where it is no longer as it was here. */
const ELSEWHERE: ReadonlySet<BulkLoss['reason']> = new Set<BulkLoss['reason']>(['taken', 'returned', 'gone']);

/** How an action leaves each alert; undefined of a deletion. */
function changeOf(action: BulkAction, me: Session): ((alert: Alert) => Alert) | undefined {
  const asMine = (alert: Alert): Alert => (isEverybodys(alert) ? asAccepted(alert, me.id, me.displayName) : alert);
  switch (action.action) {
    case 'accept':
      return asMine;
    case 'unaccept':
      return asPending;
    case 'status':
      return (alert) => ({ ...asTouched(awake(alert)), status: action.status });
    case 'move':
      return (alert) => asTouched(inFolder(asMine(alert), action.folderId));
    case 'snooze': {
      const { action: _action, ...snooze } = action;
      const until = snoozeEnd(snooze, new Date());
      return (alert) => snoozed(alert, until);
    }
    case 'wake':
      return awake;
    case 'assign': {
      const { id: ownerId, displayName: ownerName } = action.to;
      return (alert) => asAssigned(alert, { ownerId, ownerName, assignment: undefined });
    }
    case 'delete':
      return undefined;
  }
}

/** The result with what became of the others, and one Undo for all of it. */
function report({ client, undo, me }: BulkContext, action: BulkAction, chosen: Chosen, outcome: BulkOutcome): void {
  const steps = undoSteps(action, outcome.changed, me.id);
  const left = sizeOfChosen(chosen) - outcome.changed.length - outcome.unchanged - outcome.lost.length;
  const description = outcome.error
    ? outcome.error.message
    : outcome.isCancelled
      ? `Cancelled: ${formatCount(left)} were left as they are.`
      : undefined;
  const title = resultLabel(action, outcome);
  runs += 1;
  undo.add({
    kind: `bulk ${runs}`,
    title,
    description,
    many: () => ({ title }),
    ...(lossLabels(outcome).length > 0 && { durationMs: LOSSES_MS }),
    undo: async () => {
      const lost: BulkOutcome['lost'] = [];
      for (const step of steps) {
        const undone = await runBulk(step.action, { kind: 'ids', ids: step.ids }, { send: sendBatch });
        if (undone.error) throw undone.error;
        lost.push(...undone.lost);
      }
      refetchAlertLists(client);
      refetchAround(client);
      if (lost.length > 0) throw new Error(`${lossLabels({ lost, missing: 0 }).join(', ')}.`);
    },
    undoFailed: 'Not everything could be undone',
  });
}

/** Deletes named alerts as one alert is deleted: hidden at once, sent when it can no longer be undone. */
function deleteWithUndo({ client, undo }: BulkContext, action: BulkAction, alerts: readonly Alert[]): void {
  runs += 1;
  const title = `${formatCount(alerts.length)} ${doneLabel(action)}`;
  const hidden = hideAlerts(client, alerts);
  undo.add({
    kind: `bulk ${runs}`,
    title,
    many: () => ({ title }),
    ...undoableDeletion({
      show: hidden.show,
      send: async (keepalive) => {
        for (const [ifOwner, group] of Map.groupBy(alerts, ({ ownerId }) => ownerId ?? 'none')) {
          const ids = group.map(({ id }) => id);
          const outcome = await runBulk(
            { action: 'delete', ifOwner },
            { kind: 'ids', ids },
            { send: (change) => sendBatch(change, keepalive) },
          );
          alertStoreOf(client).batch(() => {
            for (const { id } of outcome.changed) alertStoreOf(client).remove(id);
            for (const { id, reason } of outcome.lost) if (reason === 'gone') hidden.lose(id);
          });
          if (outcome.error) throw outcome.error;
          const kept = outcome.lost.filter(({ reason }) => reason !== 'gone');
          if (kept.length > 0) throw new Error(`${lossLabels({ lost: kept, missing: 0 }).join(', ')}.`);
        }
      },
      onUndone: () => refetchAlertLists(client),
    }),
    commitFailed: 'Not every alert could be deleted',
  });
}
