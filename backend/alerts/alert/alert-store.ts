import { type EntityManager, In } from 'typeorm';
import type { AlertStatus } from '#backend/contract/alert.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { continueIdsAfter, newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { FolderEntity } from './folder.ts';
import { countChanges } from './count-changes.ts';
import { AlertEntity, type AlertPlace, ALERT_PLACE, type StoredAlert } from './alert.ts';
import { noteDeleted, type StoredHistoryEntry } from './history.ts';
import { type StoredStatus, UNTIL_NEXT_FIRING, storedStatusOf } from './stored-status.ts';

/** The alert with this id. */
export const findAlert = (manager: EntityManager, id: string): Promise<StoredAlert | null> =>
  manager.getRepository(AlertEntity).findOneBy({ id });

/** The alert with this id, which nobody else changes until the transaction ends. */
export async function lockAlert(tx: Transaction, id: string): Promise<StoredAlert | null> {
  const [alert] = await tx.lockRows(AlertEntity, { id });
  return alert ?? null;
}

/** What people change of an alert. */
export type AlertChange = Partial<
  Pick<
    StoredAlert,
    'status' | 'ownerId' | 'folderId' | 'snoozedUntil' | 'wokenAt' | 'assignment' | 'assignedById' | 'assignedByName'
  >
>;

/** Whatever people do to an alert, who gave it to its owner cannot take it back any more. */
const KEPT = { assignment: null, assignedById: null, assignedByName: null } as const;

/** Changes a locked alert, writes its history and keeps its counters. Returns it as it then is. */
export async function changeAlert(
  tx: Transaction,
  before: StoredAlert,
  change: AlertChange,
  entry: Omit<NewHistoryEntry, 'alertId'>,
): Promise<StoredAlert> {
  const changed = await changeAlerts(tx, [before], change, ({ id }) => [{ ...entry, alertId: id }]);
  return { ...before, ...changed, version: before.version + 1 };
}

/**
 * Changes locked alerts, all in the same way, writes the history of each and keeps the counters. Returns the
 * change with what follows from it: another status ends a snooze.
 */
export async function changeAlerts(
  tx: Transaction,
  before: readonly AlertPlace[],
  change: AlertChange,
  entriesOf: (alert: AlertPlace) => NewHistoryEntry[],
): Promise<AlertChange & Partial<Pick<StoredAlert, 'completedAt' | 'touchedAt'>>> {
  if (before.length === 0) return change;
  const now = Date.now();
  const set = {
    ...KEPT,
    touchedAt: change.ownerId === null ? null : now,
    ...(change.status !== undefined && { ...AWAKE, completedAt: change.status === 'completed' ? now : null }),
    ...change,
  };
  const alerts = tx.getRepository(AlertEntity);
  for (const [status, ids] of byStoredStatus(before, set))
    await alerts.update({ id: In(ids) }, { ...set, ...status, ...NEXT_VERSION });
  if (set.snoozedUntil !== undefined) await scheduleWakes(tx, before, set.snoozedUntil);
  await addHistories(tx, before.flatMap(entriesOf));
  await countChanges(
    tx,
    before.map((alert) => ({ before: alert, after: Object.assign({}, alert, set) })),
  );
  return set;
}

/** Every update of an alert counts itself. */
const NEXT_VERSION = { version: () => 'version + 1' };

const AWAKE = { snoozedUntil: null, wokenAt: null } as const;

/**
 * Alerts by what a change writes to the column of the status: nothing where neither status nor snooze changes. The column
 * takes stored statuses (`stored-status`).
 */
function byStoredStatus(before: readonly AlertPlace[], set: AlertChange): [{ status?: AlertStatus }, string[]][] {
  if (set.snoozedUntil === undefined) return [[{}, before.map(({ id }) => id)]];
  const groups = new Map<StoredStatus, string[]>();
  for (const alert of before) {
    const status = storedStatusOf({ ...alert, ...set });
    groups.set(status, [...(groups.get(status) ?? []), alert.id]);
  }
  return [...groups].map(([status, ids]) => [{ status: status as AlertStatus }, ids]);
}

/** Writes down when locked alerts are due to wake, in the place of what was written before. */
export async function scheduleWakes(
  tx: Transaction,
  before: readonly Pick<AlertPlace, 'id' | 'snoozedUntil'>[],
  until: number | null,
): Promise<void> {
  const known = before.filter(({ snoozedUntil }) => isTime(snoozedUntil)).map(({ id }) => id);
  if (known.length > 0) {
    await tx.query(`DELETE FROM alert_wakes WHERE alert_id IN (${known.map(() => '?').join(', ')})`, known);
  }
  if (!isTime(until)) return;
  await tx.query(
    insertSql('alert_wakes', ['alert_id', 'due_at'], before.length),
    before.flatMap(({ id }) => [id, until]),
  );
}

const isTime = (until: number | null): until is number => until !== null && until !== UNTIL_NEXT_FIRING;

/** Notes that the owner of a locked alert did something with it that changes nothing of it, such as writing a note. */
export async function touchAlert(tx: Transaction, id: string): Promise<void> {
  await tx.getRepository(AlertEntity).update({ id }, { ...KEPT, touchedAt: Date.now(), ...NEXT_VERSION });
}

/** Names of the folders that alerts are filed in, by their ids. */
export async function findFolderNames(
  tx: Transaction,
  alerts: readonly AlertPlace[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(alerts.flatMap(({ folderId }) => folderId ?? []))];
  if (ids.length === 0) return new Map();
  const folders = await tx
    .getRepository(FolderEntity)
    .find({ select: { id: true, name: true }, where: { id: In(ids) } });
  return new Map(folders.map(({ id, name }) => [id, name]));
}

/** Deletes locked alerts with their notes. Their history stays, and gets one more entry each. */
export async function removeAlerts(
  tx: Transaction,
  before: readonly AlertPlace[],
  entriesOf: (alert: AlertPlace) => NewHistoryEntry[],
): Promise<void> {
  if (before.length === 0) return;
  const ids = before.map(({ id }) => id);
  // Before the alerts go: a history may take its first entry from its alert.
  await addHistories(tx, before.flatMap(entriesOf));
  await tx.getRepository(AlertEntity).delete({ id: In(ids) });
  const areThese = `alert_id IN (${ids.map(() => '?').join(', ')})`;
  await tx.query(`DELETE FROM problems WHERE ${areThese}`, ids);
  await tx.query(`DELETE FROM alert_notes WHERE ${areThese}`, ids);
  await scheduleWakes(tx, before, null);
  await noteDeleted(tx, ids);
  await countChanges(
    tx,
    before.map((alert) => ({ before: alert })),
  );
}

/** Alerts that leave a folder in one transaction: on SQLite nobody else writes, or is answered, meanwhile. */
export const RELEASED_AT_ONCE = 100;

/**
 * Takes alerts out of a folder into which none can come any more; they are in their owner's queue again, and have an entry
 * in their history.
 *
 * @returns how many left, and whether some may be left
 */
export async function releaseFolder(
  tx: Transaction,
  { id: folderId, ownerId }: { id: string; ownerId: string },
  entry: Omit<NewHistoryEntry, 'alertId'>,
): Promise<{ released: number; hasMore: boolean }> {
  const alerts = tx.getRepository(AlertEntity);
  // In no order, which would have the database sort all that are left. They may leave the folder until they are locked.
  const filed = await alerts.find({ select: { id: true }, where: { ownerId, folderId }, take: RELEASED_AT_ONCE });
  const locked = await tx.lockRows(AlertEntity, { id: In(filed.map(({ id }) => id)) }, ALERT_PLACE);
  const inside = locked.filter((alert) => alert.ownerId === ownerId && alert.folderId === folderId);
  await alerts.update({ id: In(inside.map(({ id }) => id)) }, { folderId: null, ...NEXT_VERSION });
  await addHistories(
    tx,
    inside.map(({ id }) => ({ ...entry, alertId: id })),
  );
  await countChanges(
    tx,
    inside.map((before) => ({ before, after: { ...before, folderId: null } })),
  );
  return { released: inside.length, hasMore: filed.length === RELEASED_AT_ONCE };
}

/** An entry's parts that its writer decides; what is left out does not apply. */
export type NewHistoryEntry = Pick<StoredHistoryEntry, 'alertId' | 'action' | 'userDisplayName'> &
  Partial<StoredHistoryEntry>;

/** Rows that one insert writes; SQLite takes 32,766 parameters. */
const HISTORY_ROWS_AT_ONCE = 500;

/** Writes down changes, in the transaction of the changes. Returns the entries as stored, in the same order. */
export async function addHistories(tx: Transaction, entries: NewHistoryEntry[]): Promise<StoredHistoryEntry[]> {
  const stored: StoredHistoryEntry[] = [];
  for (let at = 0; at < entries.length; at += HISTORY_ROWS_AT_ONCE) {
    const some = entries.slice(at, at + HISTORY_ROWS_AT_ONCE);
    const alertIds = some.map(({ alertId }) => alertId);
    if ((await continueHistories(tx, alertIds)) < new Set(alertIds).size) await beginHistories(tx, alertIds);
    const rows = some.map(newRow);
    await insertHistories(tx, rows);
    stored.push(...rows);
  }
  return stored;
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
      row.userDisplayName,
      row.createdAt,
    ]),
  );

/** Writes the first entry of locked alerts that have no history yet. */
async function beginHistories(tx: Transaction, alertIds: string[]): Promise<void> {
  await tx.query(
    'INSERT INTO alert_history (alert_id, id, action, user_display_name, created_at) ' +
      "SELECT id, id, 'received', source_name, received_at FROM alerts " +
      `WHERE id IN (${alertIds.map(() => '?').join(', ')}) AND source_name IS NOT NULL ` +
      'AND NOT EXISTS (SELECT 1 FROM alert_history WHERE alert_history.alert_id = alerts.id)',
    alertIds,
  );
}

/** The history of an alert that nobody has changed yet: that it was received. */
export const firstEntryOf = ({ id, sourceName, receivedAt }: StoredAlert): StoredHistoryEntry[] =>
  sourceName === null
    ? []
    : [newRow({ alertId: id, id, action: 'received', userDisplayName: sourceName, createdAt: receivedAt })];

/**
 * An alert's history is in order of its ids, also with a clock that was set back; the first entry has the alert's own id.
 * Returns how many of the alerts have a history.
 */
async function continueHistories(tx: Transaction, alertIds: string[]): Promise<number> {
  const [found]: { id: string | null; alerts: unknown }[] = await tx.query(
    'SELECT MAX(id) AS id, COUNT(DISTINCT alert_id) AS alerts FROM alert_history ' +
      `WHERE alert_id IN (${alertIds.map(() => '?').join(', ')})`,
    alertIds,
  );
  for (const id of [found?.id, ...alertIds]) continueIdsAfter(id);
  return Number(found?.alerts);
}

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
} as const;

const newRow = (entry: NewHistoryEntry): StoredHistoryEntry => ({
  ...BLANK_ENTRY,
  id: newId(),
  createdAt: Date.now(),
  ...entry,
});
