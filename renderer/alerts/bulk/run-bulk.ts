import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Snooze, WorkStatus } from '#backend/contract/alert.ts';
import {
  type BulkChange,
  type BulkFilter,
  type BulkLoss,
  type BulkResult,
  MAX_BULK_BATCH,
} from '#backend/contract/bulk.ts';

/** What is done to many alerts. */
export type BulkAction =
  | { action: 'accept' }
  | { action: 'unaccept' }
  | { action: 'status'; status: WorkStatus }
  | { action: 'move'; folderId: string | null }
  | ({ action: 'snooze' } & Snooze)
  | { action: 'wake' }
  | { action: 'assign'; to: Person; ifOwner?: string; isHandOver?: true }
  | { action: 'delete'; ifOwner?: string };

/** To whom alerts are given. */
export interface Person {
  id: string;
  displayName: string;
}

/** Which alerts: by name, or all that a list's filter matches up to the newest that was seen. */
export type Chosen =
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'filter'; filter: BulkFilter; count: number; upTo: string };

export type ChangedAlert = BulkResult['changed'][number];

/** How a run ended. */
export interface BulkOutcome {
  changed: ChangedAlert[];
  /** Those that were as they should be already. */
  unchanged: number;
  lost: BulkLoss[];
  /** Those that the filter matched when they were chosen, and no longer did. */
  missing: number;
  isCancelled: boolean;
  /** Why it ended early. */
  error?: Error;
}

interface BulkRun {
  /** Sends one batch. */
  send: (change: BulkChange) => Promise<BulkResult>;
  /** How many alerts are done with, after each batch. */
  onProgress?: (done: number) => void;
  /** Ends the run after the batch in flight. */
  signal?: AbortSignal;
}

/** How many alerts are concerned. */
export const sizeOfChosen = (chosen: Chosen): number => (chosen.kind === 'ids' ? chosen.ids.length : chosen.count);

/** Changes the alerts batch by batch. Never rejects: what was done before an error stays done. */
export async function runBulk(action: BulkAction, chosen: Chosen, run: BulkRun): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], unchanged: 0, lost: [], missing: 0, isCancelled: false };
  const handled = (): number => outcome.changed.length + outcome.unchanged + outcome.lost.length;
  const batches = chosen.kind === 'ids' ? chunksOf(chosen.ids) : undefined;
  let before: string | undefined;
  const most = batches?.length ?? Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < most; batch += 1) {
    if (run.signal?.aborted) return { ...outcome, isCancelled: true };
    const selection =
      chosen.kind === 'ids'
        ? { ids: batches?.[batch] }
        : { filter: chosen.filter, expectedCount: chosen.count, upTo: chosen.upTo, ...(before && { before }) };
    try {
      const result = await run.send({ ...requestOf(action), ...selection } as BulkChange);
      outcome.changed.push(...result.changed);
      outcome.unchanged += result.unchanged;
      outcome.lost.push(...result.lost);
      run.onProgress?.(handled());
      before = result.next;
    } catch (error) {
      return { ...outcome, error: error instanceof Error ? error : new Error(String(error)) };
    }
    if (chosen.kind === 'filter' && before === undefined) break;
  }
  return { ...outcome, missing: Math.max(0, sizeOfChosen(chosen) - handled()) };
}

/** An action as a request has it. */
function requestOf(action: BulkAction): object {
  if (action.action !== 'assign') return action;
  const { to, ifOwner } = action;
  return { action: 'assign', userId: to.id, ...(ifOwner !== undefined && { ifOwner }) };
}

/** Ids in batches as large as one request takes. */
function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < ids.length; at += MAX_BULK_BATCH) chunks.push(ids.slice(at, at + MAX_BULK_BATCH));
  return chunks;
}

/** One step of taking a change back. */
export interface UndoStep {
  action: BulkAction;
  ids: string[];
}

/**
 * What takes a change back, in order: each alert becomes what it was before. A deletion cannot be taken back.
 *
 * @param me id of the member who made the change
 */
export function undoSteps(change: BulkAction, changed: readonly ChangedAlert[], me = ''): UndoStep[] {
  const pending = changed.filter(isEverybodys);
  const owned = changed.filter((alert) => !isEverybodys(alert));
  switch (change.action) {
    case 'accept':
      return stepsOf([[{ action: 'unaccept' }, pending]]);
    case 'status':
      return stepsOf(byStatus(owned));
    case 'move':
      return stepsOf([[{ action: 'unaccept' }, pending], ...byFolder(owned)]);
    case 'unaccept':
      return stepsOf([
        [{ action: 'accept' }, owned],
        ...byStatus(owned.filter(({ status }) => status !== 'accepted')),
        ...byFolder(owned.filter(({ folderId }) => folderId !== undefined)),
      ]);
    case 'snooze':
    case 'wake':
      return stepsOf(bySnooze(changed));
    case 'assign':
      return stepsOf([
        [{ action: 'unaccept' }, pending],
        ...byOwner(owned, change.to.id),
        ...byFolder(owned.filter(({ folderId, ownerId }) => folderId !== undefined && ownerId === me)),
      ]);
    case 'delete':
      return [];
  }
}

/** Until when alerts were snoozed; what was awake is woken. */
const bySnooze = (alerts: readonly ChangedAlert[]): Group[] =>
  [...Map.groupBy(alerts, ({ snoozedUntil }) => snoozedUntil)].map(([until, group]): Group => [
    until === undefined ? { action: 'wake' } : { action: 'snooze', until },
    group,
  ]);

type Group = readonly [BulkAction, readonly ChangedAlert[]];

const stepsOf = (groups: readonly Group[]): UndoStep[] =>
  groups.flatMap(([action, alerts]) => (alerts.length === 0 ? [] : [{ action, ids: alerts.map(({ id }) => id) }]));

const byStatus = (alerts: readonly ChangedAlert[]): Group[] =>
  [...Map.groupBy(alerts, ({ status }) => status)].flatMap(([status, group]): Group[] =>
    status === 'pending' ? [] : [[{ action: 'status', status }, group]],
  );

const byFolder = (alerts: readonly ChangedAlert[]): Group[] =>
  [...Map.groupBy(alerts, ({ folderId }) => folderId ?? null)].map(([folderId, group]): Group => [
    { action: 'move', folderId },
    group,
  ]);

/** Back to whose they were, where they still are with whom they were given to. */
const byOwner = (alerts: readonly ChangedAlert[], ifOwner: string): Group[] =>
  [...Map.groupBy(alerts, ({ ownerId }) => ownerId ?? '')].map(([id, group]): Group => [
    { action: 'assign', to: { id, displayName: '' }, ifOwner },
    group,
  ]);
