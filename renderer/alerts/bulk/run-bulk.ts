import {
  type BulkChange,
  type BulkFilter,
  type BulkLoss,
  type BulkResult,
  type BulkSelection,
  MAX_BULK_ALERTS,
  MAX_BULK_BATCH,
} from '#backend/contract/bulk.ts';
import type { AlertStanding, ChangeRequest } from '#renderer/alerts/actions/changes.ts';
import { type LongWork, followWork } from '#renderer/lib/long-work.ts';

/** Alerts by name. `ownerOf` says whose one was when it was chosen: where it has another owner by now, it is left. */
export interface Named {
  kind: 'ids';
  ids: readonly string[];
  ownerOf?: (id: string) => string | undefined;
}

/**
 * Which alerts: by name, or all that a list's filter matches up to the newest that was seen: so many, or at least so many.
 */
export type Chosen = Named | { kind: 'filter'; filter: BulkFilter; count: number; isAtLeast?: true; upTo: string };

/** How a run ended. */
export interface BulkOutcome {
  changed: AlertStanding[];
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
  /** Receives each batch's result, the batch's index, and how many alerts are done with. */
  onResult?: (result: BulkResult, batch: number, done: number) => void;
  /** Ends the run after the batch in flight. */
  signal?: AbortSignal;
  /** Sends every batch of ids without waiting for the one before: a page that is going away gets no answers. */
  isAtOnce?: boolean;
}

/** How many alerts are concerned, as far as is known. */
export const sizeOfChosen = (chosen: Chosen): number => (chosen.kind === 'ids' ? chosen.ids.length : chosen.count);

/** Changes the alerts batch by batch. Never rejects: what was done before an error stays done. */
export function runBulk(request: ChangeRequest, chosen: Chosen, run: BulkRun): Promise<BulkOutcome> {
  const ending = new AbortController();
  const work: LongWork = { left: sizeOfChosen(chosen), stop: () => ending.abort() };
  const done = sendBatches(request, chosen, run, work, ending.signal);
  followWork(work, done);
  return done;
}

async function sendBatches(
  request: ChangeRequest,
  chosen: Chosen,
  run: BulkRun,
  work: LongWork,
  ending: AbortSignal,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], unchanged: 0, lost: [], missing: 0, isCancelled: false };
  const handled = (): number => outcome.changed.length + outcome.unchanged + outcome.lost.length;
  const count = (result: BulkResult, batch: number): void => {
    outcome.changed.push(...result.changed);
    outcome.unchanged += result.unchanged;
    outcome.lost.push(...result.lost);
    // There may be more than are known of.
    work.left = Math.max(1, sizeOfChosen(chosen) - handled());
    run.onResult?.(result, batch, handled());
  };
  const ended = (): BulkOutcome => {
    work.left = 0;
    return { ...outcome, missing: Math.max(0, sizeOfChosen(chosen) - handled()) };
  };
  const failed = (error: unknown): BulkOutcome => {
    work.error = toError(error);
    return { ...outcome, error: work.error };
  };
  const batches = chosen.kind === 'ids' ? batchesOf(chosen) : undefined;
  if (run.isAtOnce && batches) {
    const sent = batches.map(async (one, batch) => count(await run.send({ ...request, ...one } as BulkChange), batch));
    const unsent = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
    return unsent?.status === 'rejected' ? failed(unsent.reason) : ended();
  }
  let before: string | undefined;
  // How many a step by filter changes is not known.
  let inFlight = 1;
  // What was not begun by then is not wanted any more.
  run.signal?.addEventListener('abort', () => (work.left = Math.min(work.left, inFlight)), { once: true });
  const most = batches?.length ?? Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < most; batch += 1) {
    if (run.signal?.aborted) work.left = 0;
    if (run.signal?.aborted || ending.aborted) return { ...outcome, isCancelled: true };
    inFlight = batches?.[batch]?.ids?.length ?? 1;
    const selection =
      chosen.kind === 'ids'
        ? batches?.[batch]
        : {
            filter: chosen.filter,
            // Of more than can be said, all are meant: up to the newest that was seen.
            expectedCount: Math.min(chosen.count, MAX_BULK_ALERTS),
            ...((chosen.isAtLeast || chosen.count > MAX_BULK_ALERTS) && { expectsMore: true }),
            upTo: chosen.upTo,
            ...(before && { before }),
          };
    try {
      const result = await run.send({ ...request, ...selection } as BulkChange);
      count(result, batch);
      before = result.next;
    } catch (error) {
      return failed(error);
    }
    if (chosen.kind === 'filter' && before === undefined) break;
  }
  return ended();
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** What each request says of named alerts: those of one owner together. */
export const batchesOf = ({ ids, ownerOf }: Named): Pick<BulkSelection, 'ids'>[] =>
  [...Map.groupBy(ids, (id) => ownerOf?.(id))].flatMap(([ifOwner, group]) =>
    chunksOf(group).map((chunk) => (ifOwner === undefined ? { ids: chunk } : { ids: chunk, ifOwner })),
  );

/** Ids in batches as large as one request takes. */
export function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < ids.length; at += MAX_BULK_BATCH) chunks.push(ids.slice(at, at + MAX_BULK_BATCH));
  return chunks;
}
