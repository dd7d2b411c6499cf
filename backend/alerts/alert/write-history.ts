import { marksOf } from '#backend/platform/database/conditions.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { continueIdsAfter, newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { StoredAlert } from './alert.ts';
import type { StoredHistoryEntry } from './history.ts';
import { isSet } from './stored-status.ts';

/** An entry's parts that its writer decides; what is left out does not apply. */
export type NewHistoryEntry = Pick<StoredHistoryEntry, 'alertId' | 'action' | 'userDisplayName'> &
  Partial<StoredHistoryEntry>;

/** What the first entry of an alert's history says. */
type FirstReport = Pick<StoredAlert, 'id' | 'sourceName' | 'receivedAt' | 'isTest'>;

/** What is to be known of a locked alert's history before it goes on. */
export interface HistorySoFar extends FirstReport {
  /** Null where none is stored yet: the alert itself holds the first one. */
  lastEntryId: string | null;
}

/** SQL for the id of the last entry of an alert of the statement around it, which ends with `lock`. */
export const lastEntryIdOf = (alertId: string, lock: string): string =>
  `(SELECT h.id FROM alert_history h WHERE h.alert_id = ${alertId} ORDER BY h.id DESC LIMIT 1${lock})`;

/** Rows that one insert writes; SQLite takes 32,766 parameters. */
const ENTRIES_AT_ONCE = 500;

/**
 * Writes down changes of locked alerts, in the transaction of the changes, each history with its first entry where that is not
 * stored yet. A history is in order of its ids, also with a clock that was set back.
 *
 * @param known what was read of these histories when their alerts were locked; the others are read
 * @returns the entries as stored, in the same order
 */
export async function addHistories(
  tx: Transaction,
  entries: NewHistoryEntry[],
  known: readonly HistorySoFar[] = [],
): Promise<StoredHistoryEntry[]> {
  const stored: StoredHistoryEntry[] = [];
  for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
    const some = entries.slice(at, at + ENTRIES_AT_ONCE);
    const alertIds = new Set(some.map(({ alertId }) => alertId));
    const histories = await readHistories(tx, alertIds, at === 0 ? known : []);
    for (const id of [...alertIds, ...histories.map(({ lastEntryId }) => lastEntryId)]) continueIdsAfter(id);
    const rows = some.map(newRow);
    const first = histories.filter(({ lastEntryId }) => lastEntryId === null).flatMap(firstEntryOf);
    await insertHistories(tx, [...first, ...rows]);
    stored.push(...rows);
  }
  return stored;
}

async function readHistories(
  tx: Transaction,
  alertIds: ReadonlySet<string>,
  known: readonly HistorySoFar[],
): Promise<HistorySoFar[]> {
  const histories = known.filter(({ id }) => alertIds.has(id));
  const ids = [...alertIds].filter((id) => !histories.some((history) => history.id === id));
  if (ids.length === 0) return histories;
  const rows: HistorySoFar[] = await tx.query(
    `SELECT id, source_name AS sourceName, received_at AS receivedAt, is_test AS isTest, ` +
      `${lastEntryIdOf('alerts.id', '')} AS lastEntryId ` +
      `FROM alerts WHERE id IN (${marksOf(ids)})`,
    ids,
  );
  return histories.concat(rows.map((row) => Object.assign(row, { isTest: isSet(row.isTest) })));
}

/** The history of an alert that nobody has changed yet: that it was received. This entry has the alert's own id. */
export function firstEntryOf({ id, sourceName, receivedAt, isTest }: FirstReport): StoredHistoryEntry[] {
  if (sourceName === null) return [];
  const action = isTest ? 'test_received' : 'received';
  return [newRow({ alertId: id, id, action, userDisplayName: sourceName, createdAt: Number(receivedAt) })];
}

const HISTORY_COLUMNS = [
  'alert_id',
  'id',
  'action',
  'previous_status',
  'new_status',
  'previous_folder_name',
  'new_folder_name',
  'folder_owner_id',
  'previous_severity',
  'new_severity',
  'occurrences',
  'snoozed_until',
  'assignee_name',
  'note',
  'untouched_hours',
  'unreported_minutes',
  'user_display_name',
  'created_at',
] as const;

/** TypeORM takes longer to put such a statement together than the database to run it. */
const insertHistories = (tx: Transaction, rows: StoredHistoryEntry[]): Promise<void> =>
  tx.runRows(
    (count) => insertSql('alert_history', HISTORY_COLUMNS, count),
    rows.map((row) => [
      row.alertId,
      row.id,
      row.action,
      row.previousStatus,
      row.newStatus,
      row.previousFolderName,
      row.newFolderName,
      row.folderOwnerId,
      row.previousSeverity,
      row.newSeverity,
      row.occurrences,
      row.snoozedUntil,
      row.assigneeName,
      row.note,
      row.untouchedHours,
      row.unreportedMinutes,
      row.userDisplayName,
      row.createdAt,
    ]),
  );

const BLANK_ENTRY = {
  previousStatus: null,
  newStatus: null,
  previousFolderName: null,
  newFolderName: null,
  folderOwnerId: null,
  previousSeverity: null,
  newSeverity: null,
  occurrences: null,
  snoozedUntil: null,
  assigneeName: null,
  note: null,
  untouchedHours: null,
  unreportedMinutes: null,
} as const;

const newRow = (entry: NewHistoryEntry): StoredHistoryEntry => ({
  ...BLANK_ENTRY,
  id: newId(),
  createdAt: Date.now(),
  ...entry,
});
