import { useStore } from 'jotai';
import { useMemo } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Alert } from '#backend/contract/alert.ts';
import type { HandOver } from '#backend/contract/assignment.ts';
import {
  type BulkChange,
  type BulkLoss,
  type BulkResult,
  type BulkSelection,
  bulkResultSchema,
} from '#backend/contract/bulk.ts';
import type { ChangeDeps } from '#renderer/alerts/actions/action.ts';
import { ALERTS_DELETED, changeElsewhere, useChangeDeps } from '#renderer/alerts/actions/change-alert.ts';
import {
  type AlertChange,
  type AlertStanding,
  type Person,
  type UndoStep,
  assignChange,
  undoSteps,
} from '#renderer/alerts/actions/changes.ts';
import type { OwnChange } from '#renderer/alerts/data/alert-entry.ts';
import type { AlertStore } from '#renderer/alerts/data/alert-store.ts';
import { refetchAround } from '#renderer/alerts/data/around-lists.ts';
import { alertStoreOf, refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import { noteBulkRunAtom } from '#renderer/alerts/data/list-state.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PartlyUndoneError } from '#renderer/toasts/undo-stack.ts';
import { lossLabels, resultLabel } from './bulk-labels.ts';
import { canHoldBack, deleteWithUndo } from './delete-many.ts';
import { type BulkOutcome, type Chosen, chunksOf, runBulk, sizeOfChosen } from './run-bulk.ts';
import { sendBatch } from './send-batch.ts';
import * as texts from './bulk-texts.ts';

/** How long a result stays that names alerts which could not be changed, in milliseconds. */
const LOSSES_MS = 8_000;

/** Changes what is chosen, of which `alerts` are loaded. One result, one undo. */
export interface ChangeMany {
  change: (change: AlertChange, chosen: Chosen, alerts: readonly Alert[]) => void;
  /** Whoever is the owner by now keeps theirs. What cannot be held back cannot be undone. */
  remove: (chosen: Chosen, alerts: readonly Alert[]) => void;
  /** Hands over the member's own open alerts, `count` as far as is known. */
  handOver: (which: HandOverChoice, to: Person, count: number) => void;
}

/** Which of the member’s open alerts go to somebody, and with which note. */
type HandOverChoice = Pick<HandOver, 'userId' | 'status' | 'note'> & Pick<Partial<HandOver>, 'folderIds'>;

/** Changes of many alerts by the signed-in member. The same object on every render. */
export function useChangeMany(): ChangeMany {
  const deps = useChangeDeps();
  const store = useStore();
  return useMemo(() => {
    const context = { ...deps, store };
    return {
      change: (change, chosen, alerts) => void changeAndReport(context, change, chosen, alerts),
      remove: (chosen, alerts) => {
        if (canHoldBack(chosen)) deleteWithUndo(context, chosen, alerts);
        else void changeAndReport(context, DELETION, chosen, alerts);
      },
      handOver: (choice, to, count) => {
        const send = ({ before }: BulkSelection): Promise<BulkResult> =>
          apiSend('POST', '/api/alerts/hand-over', {
            body: { ...choice, ...(before !== undefined && { before }) },
            schema: bulkResultSchema,
          });
        // The server chooses the alerts; only how many they are matters here.
        const chosen: Chosen = { kind: 'filter', filter: { list: 'mine' }, count, upTo: '' };
        const change = { ...assignChange(to), done: texts.handedOverTo(inertLine(to.displayName)) };
        void changeAndReport(context, change, chosen, [], send);
      },
    };
  }, [deps, store]);
}

/** What runs of many have of a change; one without `apply` deletes, which is not taken back. */
type ManyChange = Pick<AlertChange, 'request' | 'done'> & Partial<Pick<AlertChange, 'apply'>>;

const DELETION: ManyChange = { request: { action: 'delete' }, done: texts.deleted };

interface ManyContext extends ChangeDeps {
  store: ReturnType<typeof useStore>;
}

async function changeAndReport(
  context: ManyContext,
  change: AlertChange | ManyChange,
  chosen: Chosen,
  alerts: readonly Alert[],
  send: SendBatch = sendBatch,
): Promise<void> {
  const outcome = await runWithProgress(context, change, chosen, alerts, send);
  const { changed, unchanged, error } = outcome;
  if (changed.length + unchanged === 0 && error) {
    const title = texts.couldNotChangeAlerts;
    context.toasts.show({ variant: 'destructive', title, description: error.message });
  } else if (changed.length === 0 || !isUndoable(change)) {
    context.toasts.show({ title: resultLabel(change.done, outcome), description: whyNotAll(chosen, outcome) });
  } else report(context, change, chosen, outcome);
}

type SendBatch = (change: BulkChange) => Promise<BulkResult>;

const isUndoable = (change: AlertChange | ManyChange): change is AlertChange => 'send' in change;

/** Numbers changes of many alerts, and what undoes them. */
let runs = 0;

/** Runs a change; what is loaded of it changes on screen at once, and what could not be changed comes back. */
async function runWithProgress(
  { client, store, undo }: ManyContext,
  { request, apply }: ManyChange,
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
  // Of what a filter matches the answers say what was changed.
  const own = apply && chosen.kind === 'ids' ? await beginMany(known, chosen.ids, alerts, apply) : [];
  // On the server a filter still matches what was deleted here and can be brought back.
  const isSent =
    chosen.kind === 'filter' && known.delayedAlerts().length > 0 ? undo.commitAll(false, ALERTS_DELETED) : undefined;
  const outcome = await runBulk(request, chosen, {
    send: async (body) => {
      const [failed] = (await isSent) ?? [];
      if (failed) throw failed;
      return send(body);
    },
    onResult: ({ changed, lost }, batch, done) => {
      known.batch(() => {
        for (const { id, version } of changed) {
          if (!apply) known.remove(id);
          else if (version !== undefined) known.confirm(id, version, apply);
        }
        const begun = own[batch];
        if (!begun) return;
        for (const loss of lost) if (isElsewhere(loss, known)) known.lose(begun, loss.id);
        known.end(begun);
      });
      store.set(noteBulkRunAtom, run, { ...progress, done, total: Math.max(done, progress.total) });
    },
    signal: cancel.signal,
  });
  known.batch(() => {
    for (const begun of own) known.end(begun);
  });
  store.set(noteBulkRunAtom, run);
  const isUnsure = own.some(({ isOvertaken }) => isOvertaken) || outcome.lost.length > 0;
  if (outcome.error || outcome.isCancelled || isUnsure) refetchAlertLists(client);
  refetchAround(client);
  return outcome;
}

/** So many batches change on screen in one task: with more, nothing else is answered meanwhile on a slow processor. */
const BEGUN_AT_ONCE = 2;

/**
 * Shows a change of many alerts, a part in each task, as one own change for each batch that is sent. The first alerts are
 * on screen; then come the last, so that none of those between is drawn in their place.
 */
async function beginMany(
  known: AlertStore,
  ids: readonly string[],
  alerts: readonly Alert[],
  change: AlertChange['apply'],
): Promise<OwnChange[]> {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const batches = chunksOf(ids).map((batch) => batch.flatMap((id) => byId.get(id) ?? []));
  const begin = (part: readonly Alert[][]): OwnChange[] =>
    known.batch(() => part.map((batch) => known.begin(batch, change)));
  const first = begin(batches.splice(0, BEGUN_AT_ONCE));
  const last: OwnChange[][] = [];
  while (batches.length > 0) {
    await nextTask();
    last.push(begin(batches.splice(-BEGUN_AT_ONCE)));
  }
  return [first, ...last.toReversed()].flat();
}

/** Resolves in a task of its own. Timers of a tab in the background run once a second at most; messages do not wait. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });

/** Why an alert was not changed where it is no longer as it was here. */
const ELSEWHERE: ReadonlySet<BulkLoss['reason']> = new Set<BulkLoss['reason']>(['taken', 'returned', 'gone']);

/** Whether an alert that could not be changed has left its list. The inbox has none that is completed. */
function isElsewhere({ id, reason }: BulkLoss, known: AlertStore): boolean {
  const alert = reason === 'completed' ? known.onServer(id) : undefined;
  return ELSEWHERE.has(reason) || (alert !== undefined && isEverybodys(alert));
}

/** Why a change ended early; undefined when it did not. */
function whyNotAll(chosen: Chosen, { changed, unchanged, lost, error, isCancelled }: BulkOutcome): string | undefined {
  if (error) return error.message;
  if (!isCancelled) return undefined;
  const left = sizeOfChosen(chosen) - changed.length - unchanged - lost.length;
  return texts.canceled(chosen.kind === 'filter' && chosen.isAtLeast ? texts.theOthers : countText(left));
}

/** The result with what became of the others, and one Undo for all of it. */
function report({ client, undo, me }: ManyContext, change: AlertChange, chosen: Chosen, outcome: BulkOutcome): void {
  const title = resultLabel(change.done, outcome);
  runs += 1;
  const lost: BulkOutcome['lost'] = [];
  // One that fails half-way goes on from there when it is tried again.
  let steps: UndoStep[] | undefined;
  let since = 0;
  const isAsLeft = (was: AlertStanding): boolean => {
    // Where answers name no owner, it was the member at this screen.
    const ownerId = was.ownerId ?? (isEverybodys(was) ? undefined : me.id);
    const isSame = changeElsewhere(client, change.apply({ ...was, ownerId } as Alert)) === undefined;
    if (!isSame) since += 1;
    return isSame;
  };
  undo.add({
    kind: `bulk ${runs}`,
    title,
    description: whyNotAll(chosen, outcome),
    many: () => ({ title }),
    ...(lossLabels(outcome).length > 0 && { durationMs: LOSSES_MS }),
    undo: async () => {
      steps ??= undoSteps(change, outcome.changed.filter(isAsLeft), me);
      for (let [step] = steps; step; [step] = steps) {
        const undone = await runBulk(step.change.request, { kind: 'ids', ids: step.ids }, { send: sendBatch });
        if (undone.error) throw undone.error;
        if (undone.isCancelled) throw new Error(texts.stopped);
        lost.push(...undone.lost);
        steps.shift();
      }
      refetchAlertLists(client);
      refetchAround(client);
      const labels = lossLabels({ lost, missing: 0 }, since);
      if (labels.length > 0) throw new PartlyUndoneError(`${labels.join(', ')}.`);
    },
    undoFailed: texts.notAllUndone,
  });
}
