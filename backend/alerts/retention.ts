import { type EntityManager, In } from 'typeorm';
import type { Dialect } from '#backend/database/dialect.ts';
import { firstIdAt } from '#backend/database/ids.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import { countChanges } from './count-changes.ts';
import { ALERT_PLACE, AlertEntity, type AlertPlace } from './alert.ts';
import { addAudit, changeAuditSubject } from '#backend/audit/audit-log.ts';
import type { AppContext } from '#backend/context.ts';
import { type Repeating, pause, startRepeating } from '#backend/database/repeat.ts';
import { type ObserveDeleted, UNOBSERVED } from '#backend/metrics/observers.ts';

/**
 * Ids of completed alerts that were received before a moment, oldest first: those that may be old enough to be deleted.
 *
 * @param after the last id of the page before, empty for the first
 */
export async function findOldAlerts(
  reads: EntityManager,
  dialect: Dialect,
  { after, before, limit }: { after: string; before: number; limit: number },
): Promise<string[]> {
  const rows: { id: string }[] = await reads.query(
    `SELECT id FROM alerts ${dialect.byIndex('alerts_by_status')} ` +
      `WHERE status = 'completed' AND id > ? AND id < ? ORDER BY id LIMIT ${limit}`,
    [after, firstIdAt(before)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes those of the alerts that are completed and had their last change before a moment, with their history.
 *
 * @returns the ids of the deleted
 */
export async function deleteOldAlerts(tx: Transaction, ids: string[], before: number): Promise<string[]> {
  // Locked first, so that nobody opens one of them again between the look at it and its end.
  const alerts = await tx.lockRows(AlertEntity, { id: In(ids) }, ALERT_PLACE);
  const completed = alerts.filter(({ status }) => status === 'completed');
  const untouched = await findUntouched(tx, completed, before);
  if (untouched.length === 0) return [];
  const gone = untouched.map(({ id }) => id);
  await tx.query(`DELETE FROM alert_history WHERE alert_id IN (${marks(gone)})`, gone);
  await tx.query(`DELETE FROM alerts WHERE id IN (${marks(gone)})`, gone);
  await tx.query(`DELETE FROM alert_notes WHERE alert_id IN (${marks(gone)})`, gone);
  await tx.query(`DELETE FROM problems WHERE alert_id IN (${marks(gone)})`, gone);
  await countChanges(
    tx,
    untouched.map((alert) => ({ before: alert })),
  );
  return gone;
}

/** Those whose history ends before a moment. */
async function findUntouched(tx: Transaction, alerts: AlertPlace[], before: number): Promise<AlertPlace[]> {
  if (alerts.length === 0) return [];
  const touched: { id: string }[] = await tx.query(
    `SELECT DISTINCT alert_id AS id FROM alert_history WHERE alert_id IN (${marks(alerts)}) AND created_at >= ?`,
    [...alerts.map(({ id }) => id), before],
  );
  const young = new Set(touched.map(({ id }) => id));
  return alerts.filter(({ id }) => !young.has(id));
}

const marks = (values: unknown[]): string => values.map(() => '?').join(', ');

const DAY_MS = 24 * 60 * 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Alerts that one transaction deletes at most, and the pause after it: ingest goes between. */
export const BATCH_ALERTS = 200;
const PAUSE_MS = 20;

/** Who deletes, in the audit trail. */
const AUTHOR = { id: null, name: 'retention', ip: null } as const;

/** What decides which alerts go, and when. */
export interface RetentionDeps extends Pick<AppContext, 'database' | 'events' | 'logger'> {
  /** Completed alerts go so many days after their last change (RETENTION_DAYS). */
  days: number;
  observe?: ObserveDeleted;
  now?: () => number;
  intervalMs?: number;
}

/** Deletes old alerts at once and then every hour, until it is stopped. */
export function startRetention(deps: RetentionDeps): Repeating {
  const { logger, intervalMs = INTERVAL_MS } = deps;
  return startRepeating((stopping) => sweep(deps, stopping), {
    intervalMs,
    onError: (error) => logger.error({ err: error }, 'old alerts could not be deleted; the next attempt follows'),
  });
}

/**
 * Deletes every alert that is completed and had its last change `days` ago or more, with its history, in small
 * transactions. Members are notified after each; the audit trail says how many in each of them, in one entry.
 *
 * @returns how many were deleted
 */
export async function sweep(deps: RetentionDeps, stopping: AbortSignal): Promise<number> {
  const { database, events, logger, days, observe = UNOBSERVED.deleted, now = Date.now } = deps;
  const before = now() - days * DAY_MS;
  let deleted = 0;
  let auditId: string | undefined;
  let after = '';
  while (!stopping.aborted) {
    const ids = await findOldAlerts(database.reads, database.dialect, { after, before, limit: BATCH_ALERTS });
    const last = ids.at(-1);
    if (last === undefined) break;
    const batch = await database.transaction(async (tx) => {
      const gone = await deleteOldAlerts(tx, ids, before);
      if (gone.length === 0) return { gone, auditId };
      const subject = describe(deleted + gone.length, before);
      if (auditId === undefined) return { gone, auditId: await addAudit(tx, AUTHOR, 'alerts_expired', subject) };
      await changeAuditSubject(tx, auditId, subject);
      return { gone, auditId };
    });
    auditId = batch.auditId;
    deleted += batch.gone.length;
    observe(batch.gone.length);
    for (const alertId of batch.gone) events.publish({ type: 'alert_deleted', alertId });
    after = last;
    await pause(PAUSE_MS, stopping);
  }
  if (deleted > 0) logger.info({ alerts: deleted, days }, 'deleted old completed alerts');
  return deleted;
}

const describe = (alerts: number, before: number): string =>
  `${alerts} completed ${alerts === 1 ? 'alert' : 'alerts'} without a change since ${new Date(before).toISOString()}`;
