import { type EntityManager, In } from 'typeorm';
import type { Dialect } from '#backend/database/dialect.ts';
import { firstIdAt } from '#backend/database/first-id-at.ts';
import { lockRows } from '#backend/database/lock-rows.ts';
import { countChanges } from './alert-counts.ts';
import { ALERT_PLACE, AlertEntity, type AlertPlace } from './alert-entity.ts';

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
export async function deleteOldAlerts(
  tx: EntityManager,
  dialect: Dialect,
  ids: string[],
  before: number,
): Promise<string[]> {
  // Locked first, so that nobody opens one of them again between the look at it and its end.
  const alerts = await lockRows(tx, AlertEntity, { id: In(ids) }, ALERT_PLACE);
  const completed = alerts.filter(({ status }) => status === 'completed');
  const untouched = await findUntouched(tx, completed, before);
  if (untouched.length === 0) return [];
  const gone = untouched.map(({ id }) => id);
  await tx.query(`DELETE FROM alert_history WHERE alert_id IN (${marks(gone)})`, gone);
  await tx.query(`DELETE FROM alerts WHERE id IN (${marks(gone)})`, gone);
  await countChanges(
    tx,
    dialect,
    untouched.map((alert) => ({ before: alert })),
  );
  return gone;
}

/** Those whose history ends before a moment. */
async function findUntouched(tx: EntityManager, alerts: AlertPlace[], before: number): Promise<AlertPlace[]> {
  if (alerts.length === 0) return [];
  const touched: { id: string }[] = await tx.query(
    `SELECT DISTINCT alert_id AS id FROM alert_history WHERE alert_id IN (${marks(alerts)}) AND created_at >= ?`,
    [...alerts.map(({ id }) => id), before],
  );
  const young = new Set(touched.map(({ id }) => id));
  return alerts.filter(({ id }) => !young.has(id));
}

const marks = (values: unknown[]): string => values.map(() => '?').join(', ');
