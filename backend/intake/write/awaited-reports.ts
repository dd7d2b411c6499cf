import type { Sender } from '#backend/contract/sender.ts';
import { inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import type { ProblemAlert } from './problems.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Senders that report a problem again and again for as long as it lasts, after their repeat interval. */
const REPEATING: ReadonlySet<Sender> = new Set(['alertmanager', 'grafana']);

/** Reports so close together come of changes in a group, not of the repeat interval. */
const SHORT_SILENCE_MS = HOUR_MS;

/**
 * Alertmanager and Grafana forget after 120 hours that they have notified (`--data.retention`), and then notify again whatever
 * their repeat interval is.
 */
const FORGOTTEN_AFTER_MS = 121 * HOUR_MS;

/** A problem counts as no longer reported after so many of its longest silences, but not before a day and two hours. */
const SILENCES = 3;
const MIN_SILENCE_MS = 26 * HOUR_MS;

/** The bounds of a sender's own end time, from now. */
const MIN_UNTIL_MS = 5 * MINUTE_MS;
const MAX_UNTIL_MS = 30 * 24 * HOUR_MS;

/** When the next report of a problem is due at the latest. */
export interface AwaitedReport {
  sourceId: string;
  dueAt: number;
}

/**
 * When a report is due that follows this one; undefined where none is expected: the source does not ask for it, or its sender
 * neither says how long the report holds nor repeats.
 *
 * @param seenBefore when the problem was reported before; undefined for the first report
 */
export function nextReportDue(
  { unreportedAfter }: Pick<IncomingDelivery['policy'], 'unreportedAfter'>,
  { state, sender, until, isTest }: Pick<IncomingEvent, 'state' | 'sender' | 'until' | 'isTest'>,
  now: number,
  seenBefore: number | undefined,
): number | undefined {
  if (unreportedAfter === undefined || isTest || (state !== 'firing' && state !== 'acknowledged')) return undefined;
  if (unreportedAfter !== 'automatic') return now + unreportedAfter;
  if (typeof until === 'number' && until > now) {
    return now + Math.min(MAX_UNTIL_MS, Math.max(MIN_UNTIL_MS, until - now));
  }
  if (sender === null || !REPEATING.has(sender) || seenBefore === undefined) return undefined;
  const silence = now - seenBefore;
  if (silence < SHORT_SILENCE_MS) return now + FORGOTTEN_AFTER_MS;
  return now + Math.min(MAX_UNTIL_MS, Math.max(MIN_SILENCE_MS, SILENCES * silence));
}

/** Notes that a report of an alert is due, where it is. */
export function awaitReport(
  awaited: Map<string, AwaitedReport>,
  { id }: Pick<ProblemAlert, 'id'>,
  { source, policy, receivedAt }: IncomingDelivery,
  event: IncomingEvent,
  seenBefore?: number,
): void {
  const dueAt = nextReportDue(policy, event, receivedAt, seenBefore);
  if (dueAt !== undefined) awaited.set(id, { sourceId: source.id, dueAt });
}

/** Writes when reports are due. What is due later already stays: a longer silence was seen before. */
export async function writeAwaited(tx: Transaction, awaited: ReadonlyMap<string, AwaitedReport>): Promise<void> {
  const rows = [...awaited].map(([id, { sourceId, dueAt }]) => [id, sourceId, dueAt, dueAt]);
  for (const some of inSizes(rows)) {
    await tx.runRows(
      (count) =>
        tx.dialect.upsertGreatest(insertSql('awaited_reports', AWAITED_COLUMNS, count), 'alert_id', DUE_COLUMNS),
      some,
    );
  }
}

/** When a report is judged, which is put off while reports may be missed, and when it was due by the reports alone. */
export const DUE_COLUMNS = ['due_at', 'reported_due_at'] as const;
export const AWAITED_COLUMNS = ['alert_id', 'source_id', ...DUE_COLUMNS] as const;

/** A report of an alert is not due before this: its sender keeps quiet, and was asked whether it fires. */
export const putOffReport = (tx: Transaction, alertId: string, dueAt: number): Promise<unknown> =>
  tx.query('UPDATE awaited_reports SET due_at = ? WHERE alert_id = ? AND due_at < ?', [dueAt, alertId, dueAt]);

/** Once a sender is not kept quiet any more, it has so long to report, in milliseconds. */
export const AFTER_SILENCE_MS = MIN_SILENCE_MS;
