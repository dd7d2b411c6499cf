import {
  type BulkChange,
  type BulkFilter,
  type BulkLoss,
  type BulkResult,
  MAX_BULK_BATCH,
} from '#backend/contract/bulk.ts';
import type { AlertStanding, ChangeRequest } from '#renderer/alerts/actions/alert-change.ts';

/** Which alerts: by name, or all that a list's filter matches up to the newest that was seen. */
export type Chosen =
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'filter'; filter: BulkFilter; count: number; upTo: string };

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
}

/** How many alerts are concerned. */
export const sizeOfChosen = (chosen: Chosen): number => (chosen.kind === 'ids' ? chosen.ids.length : chosen.count);

/** Changes the alerts batch by batch. Never rejects: what was done before an error stays done. */
export async function runBulk(request: ChangeRequest, chosen: Chosen, run: BulkRun): Promise<BulkOutcome> {
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
      const result = await run.send({ ...request, ...selection } as BulkChange);
      outcome.changed.push(...result.changed);
      outcome.unchanged += result.unchanged;
      outcome.lost.push(...result.lost);
      run.onResult?.(result, batch, handled());
      before = result.next;
    } catch (error) {
      return { ...outcome, error: error instanceof Error ? error : new Error(String(error)) };
    }
    if (chosen.kind === 'filter' && before === undefined) break;
  }
  return { ...outcome, missing: Math.max(0, sizeOfChosen(chosen) - handled()) };
}

/** Ids in batches as large as one request takes. */
export function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < ids.length; at += MAX_BULK_BATCH) chunks.push(ids.slice(at, at + MAX_BULK_BATCH));
  return chunks;
}
