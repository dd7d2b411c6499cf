import type { EntityManager } from 'typeorm';
import type { Database } from '#backend/database/database.ts';
import { pause } from '#backend/database/repeat.ts';

/** Alerts whose history one transaction deletes, and the pause after it in milliseconds. */
const BATCH_ALERTS = 200;
const PAUSE_MS = 20;

/** Remembers when an alert was deleted, in the transaction that deletes it: its history stays, and is found by this. */
export async function noteDeleted(tx: EntityManager, alertId: string): Promise<void> {
  await tx.query('INSERT INTO deleted_alerts (deleted_at, alert_id) VALUES (?, ?)', [Date.now(), alertId]);
}

/** Deletes the history of alerts that were deleted before a moment, a few in each transaction. */
export async function deleteHistoryBefore(
  { reads, transaction }: Pick<Database, 'reads' | 'transaction'>,
  before: number,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const rows: { id: string; deletedAt: string | number }[] = await reads.query(
      'SELECT alert_id AS id, deleted_at AS deletedAt FROM deleted_alerts WHERE deleted_at < ? ' +
        `ORDER BY deleted_at, alert_id LIMIT ${BATCH_ALERTS}`,
      [before],
    );
    const last = rows.at(-1);
    if (!last) return;
    const ids = rows.map(({ id }) => id);
    const isOneOf = `alert_id IN (${ids.map(() => '?').join(', ')})`;
    await transaction(async (tx) => {
      await tx.query(`DELETE FROM alert_history WHERE ${isOneOf}`, ids);
      await tx.query(`DELETE FROM deleted_alerts WHERE deleted_at <= ? AND ${isOneOf}`, [last.deletedAt, ...ids]);
    });
    await pause(PAUSE_MS, stopping);
  }
}
