import { type EntityManager, IsNull, Not } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { MAX_LIST_ROWS } from '#backend/contract/alert.ts';
import type { Dialect } from '#backend/database/dialect.ts';
import { conflict } from '#backend/endpoint/errors.ts';
import { countChanges } from './alert-counts.ts';
import { AlertEntity, type StoredAlert } from './alert-entity.ts';
import { HistoryEntity, type StoredHistoryEntry } from './history-entity.ts';

/** A member's alerts that are filed in any folder, newest first. */
export const findFiledAlerts = (manager: EntityManager, ownerId: string): Promise<StoredAlert[]> =>
  manager.getRepository(AlertEntity).find({
    where: { ownerId, folderId: Not(IsNull()) },
    order: { id: 'DESC' },
    take: MAX_LIST_ROWS,
  });

/** The alert with this id. */
export const findAlert = (manager: EntityManager, id: string): Promise<StoredAlert | null> =>
  manager.getRepository(AlertEntity).findOneBy({ id });

/** What a change of an alert needs: the transaction, and the dialect of its counter rows. */
export interface AlertTransaction {
  tx: EntityManager;
  dialect: Dialect;
}

type AlertChange = Partial<Pick<StoredAlert, 'status' | 'ownerId' | 'folderId'>>;

/** Gives an alert that waits in the inbox to a member. False when somebody else was quicker. */
export async function claimAlert({ tx, dialect }: AlertTransaction, id: string, ownerId: string): Promise<boolean> {
  const waiting = { status: 'pending', ownerId: null, folderId: null } as const;
  const { affected } = await tx
    .getRepository(AlertEntity)
    .update(asWhere({ id, ...waiting }), { status: 'accepted', ownerId });
  if (affected !== 1) return false;
  // Read after the update: on MySQL a read before it would show the row as it was when the transaction began.
  const after = await tx.getRepository(AlertEntity).findOneByOrFail({ id });
  await countChanges(tx, dialect, [{ before: { ...after, ...waiting }, after }]);
  return true;
}

/** Changes an alert, and its counters, if it is still as it was read. False when somebody else was quicker. */
export async function updateAlertIf(
  { tx, dialect }: AlertTransaction,
  before: StoredAlert,
  change: AlertChange,
): Promise<boolean> {
  const { affected } = await tx.getRepository(AlertEntity).update(asWhere(before), change);
  if (affected !== 1) return false;
  await countChanges(tx, dialect, [{ before, after: { ...before, ...change } }]);
  return true;
}

/** Deletes an alert, and counts it no more, if it is still as it was read. False when somebody else was quicker. */
export async function deleteAlertIf({ tx, dialect }: AlertTransaction, before: StoredAlert): Promise<boolean> {
  const { affected } = await tx.getRepository(AlertEntity).delete(asWhere(before));
  if (affected !== 1) return false;
  await countChanges(tx, dialect, [{ before }]);
  return true;
}

const asWhere = ({ id, status, ownerId, folderId }: Pick<StoredAlert, 'id' | 'status' | 'ownerId' | 'folderId'>) => ({
  id,
  status,
  ownerId: ownerId ?? IsNull(),
  folderId: folderId ?? IsNull(),
});

/** Takes all alerts out of a folder; they are in their owner's queue again. Returns them as they then are. */
export async function releaseFolder(
  { tx, dialect }: AlertTransaction,
  ownerId: string,
  folderId: string,
): Promise<StoredAlert[]> {
  const ids: { id: string }[] = await tx.query(
    `SELECT id FROM alerts WHERE owner_id = ? AND folder_id = ? ORDER BY id${dialect.forUpdate}`,
    [ownerId, folderId],
  );
  const alerts = tx.getRepository(AlertEntity);
  const inside = await alerts.findBy({ ownerId, folderId });
  if (ids.length !== inside.length) throw conflict('Somebody else changed this folder at the same moment. Try again.');
  await alerts.update({ ownerId, folderId }, { folderId: null });
  const moves = inside.map((before) => ({ before, after: { ...before, folderId: null } }));
  await countChanges(tx, dialect, moves);
  return moves.map(({ after }) => after);
}

/** An entry's parts that its writer decides; what is left out does not apply. */
export type NewHistoryEntry = Pick<StoredHistoryEntry, 'alertId' | 'action' | 'userDisplayName'> &
  Partial<StoredHistoryEntry>;

/** Writes down a change, in the transaction of the change. */
export const addHistory = (tx: EntityManager, entry: NewHistoryEntry): Promise<void> => addHistories(tx, [entry]);

/** Rows that one insert writes; SQLite takes 32,766 parameters. */
const HISTORY_ROWS_AT_ONCE = 500;

/** Writes down changes of several alerts, in the transaction of the changes. */
export async function addHistories(tx: EntityManager, entries: NewHistoryEntry[]): Promise<void> {
  const rows = entries.map((entry): StoredHistoryEntry => ({
    ...BLANK_ENTRY,
    id: uuidv7(),
    createdAt: Date.now(),
    ...entry,
  }));
  for (let at = 0; at < rows.length; at += HISTORY_ROWS_AT_ONCE) {
    await tx.getRepository(HistoryEntity).insert(rows.slice(at, at + HISTORY_ROWS_AT_ONCE));
  }
}

const BLANK_ENTRY = {
  previousStatus: null,
  newStatus: null,
  previousFolderName: null,
  newFolderName: null,
} as const;

/** Everything that happened to an alert, newest first. */
export const findHistory = (manager: EntityManager, alertId: string): Promise<StoredHistoryEntry[]> =>
  manager.getRepository(HistoryEntity).find({ where: { alertId }, order: { id: 'DESC' } });
