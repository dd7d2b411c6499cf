import { marksOf } from '#backend/platform/database/conditions.ts';
import { type EntityManager, EntitySchema } from 'typeorm';
import type { AlertSeverity, AlertStatus } from '#backend/contract/alert.ts';
import { presentSnoozedUntil } from './stored-status.ts';
import type { HistoryAction, HistoryEntry } from '#backend/contract/history-entry.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';

/**
 * One stored change of an alert. It outlives the alert; names are as they were at the time. The key begins with the
 * alert, so that an alert's entries lie together in order of time and need no index of their own. The first of them,
 * `received`, has the alert's own id. It is written with the alert's first change: until then the alert itself holds all
 * of it, and taking an alert writes one row.
 */
export interface StoredHistoryEntry {
  id: string;
  alertId: string;
  action: HistoryAction;
  previousStatus: AlertStatus | null;
  newStatus: AlertStatus | null;
  previousFolderName: string | null;
  newFolderName: string | null;
  /** Whose folders the names are; null where there are none, or where it is not known. */
  folderOwnerId: string | null;
  previousSeverity: AlertSeverity | null;
  newSeverity: AlertSeverity | null;
  /** How many repeats a `repeated` entry counts. */
  occurrences: number | null;
  /** Until when a `snoozed` entry snoozes, as in alerts. */
  snoozedUntil: number | null;
  /** Whose the alert became. */
  assigneeName: string | null;
  /** What was said when it was handed over. */
  note: string | null;
  /** For how long its owner had left it when the server returned it. */
  untouchedHours: number | null;
  /** For how long its sender had not reported a problem when the server ended it. */
  unreportedMinutes: number | null;
  userDisplayName: string;
  createdAt: number;
}

export const HistoryEntity = new EntitySchema<StoredHistoryEntry>({
  name: 'HistoryEntry',
  tableName: 'alert_history',
  columns: {
    alertId: primary(idColumn('alert_id')),
    id: primary(idColumn('id')),
    action: textColumn('action', 16),
    previousStatus: nullable(textColumn('previous_status', 16)),
    newStatus: nullable(textColumn('new_status', 16)),
    previousFolderName: nullable(textColumn('previous_folder_name', 100)),
    newFolderName: nullable(textColumn('new_folder_name', 100)),
    folderOwnerId: nullable(idColumn('folder_owner_id')),
    previousSeverity: nullable(textColumn('previous_severity', 8)),
    newSeverity: nullable(textColumn('new_severity', 8)),
    occurrences: nullable({ type: 'int', name: 'occurrences' }),
    snoozedUntil: nullable(timeColumn('snoozed_until')),
    assigneeName: nullable(textColumn('assignee_name', 100)),
    note: nullable(textColumn('note', 500)),
    untouchedHours: nullable({ type: 'int', name: 'untouched_hours' }),
    unreportedMinutes: nullable({ type: 'int', name: 'unreported_minutes' }),
    userDisplayName: textColumn('user_display_name', 100),
    createdAt: timeColumn('created_at'),
  },
});

/**
 * A history entry as it leaves the server. What does not apply is left out, and so are the names
 * of folders that are not the reader's: folders are private, also to administrators.
 */
export function presentHistoryEntry(entry: StoredHistoryEntry, readerId: string): HistoryEntry {
  const until = presentSnoozedUntil(entry.snoozedUntil);
  const isOwnFolder = entry.folderOwnerId === readerId;
  return {
    id: entry.id,
    action: entry.action,
    ...(entry.previousStatus && { previousStatus: entry.previousStatus }),
    ...(entry.newStatus && { newStatus: entry.newStatus }),
    ...(isOwnFolder && entry.previousFolderName && { previousFolderName: entry.previousFolderName }),
    ...(isOwnFolder && entry.newFolderName && { newFolderName: entry.newFolderName }),
    ...(entry.previousSeverity && { previousSeverity: entry.previousSeverity }),
    ...(entry.newSeverity && { newSeverity: entry.newSeverity }),
    ...(entry.occurrences !== null && { occurrences: entry.occurrences }),
    ...(until !== null && { snoozedUntil: until }),
    ...(entry.assigneeName !== null && { assigneeName: entry.assigneeName }),
    ...(entry.note !== null && { note: entry.note }),
    ...(entry.untouchedHours !== null && { untouchedHours: entry.untouchedHours }),
    ...(entry.unreportedMinutes !== null && { unreportedMinutes: entry.unreportedMinutes }),
    userDisplayName: entry.userDisplayName,
    createdAt: new Date(entry.createdAt).toISOString(),
  };
}

/** When alerts left the inbox for their owners last, by the alerts' ids. A hand-over between colleagues is none. */
export async function findAcceptedAt(
  reads: EntityManager,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (alertIds.length === 0) return new Map();
  const rows: { alertId: string; acceptedAt: unknown }[] = await reads.query(
    'SELECT alert_id AS alertId, MAX(created_at) AS acceptedAt FROM alert_history ' +
      `WHERE alert_id IN (${marksOf(alertIds)}) ` +
      "AND (action = 'accepted' OR (action = 'assigned' AND previous_status = 'pending')) GROUP BY alert_id",
    [...alertIds],
  );
  return new Map(rows.map(({ alertId, acceptedAt }) => [alertId, Number(acceptedAt)]));
}

/** Alerts whose history one transaction deletes, and the pause after it in milliseconds. */
const BATCH_ALERTS = 200;
const PAUSE_MS = 20;

/** Remembers when alerts were deleted, in the transaction that deletes them: their history stays, and is found by this. */
export async function noteDeleted(tx: Transaction, alertIds: string[]): Promise<void> {
  const deletedAt = Date.now();
  await tx.query(
    insertSql('deleted_alerts', ['deleted_at', 'alert_id'], alertIds.length),
    alertIds.flatMap((alertId) => [deletedAt, alertId]),
  );
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
    const isOneOf = `alert_id IN (${marksOf(ids)})`;
    await transaction(async (tx) => {
      await tx.query(`DELETE FROM alert_history WHERE ${isOneOf}`, ids);
      await tx.query(`DELETE FROM deleted_alerts WHERE deleted_at <= ? AND ${isOneOf}`, [last.deletedAt, ...ids]);
    });
    await pause(PAUSE_MS, stopping);
  }
}
