import { type EntityManager, type FindOptionsWhere, IsNull, LessThan, Not } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type AlertListQuery, MAX_LIST_ROWS } from '#backend/contract/alert.ts';
import { AlertEntity, type StoredAlert } from './alert-entity.ts';
import { HistoryEntity, type StoredHistoryEntry } from './history-entity.ts';

/** A page of alerts, newest first, with the number of rows in the whole list and the cursor of the next page. */
export interface AlertPage {
  alerts: StoredAlert[];
  total: number;
  /** Id of the last row, when there are more after it. */
  next: string | undefined;
}

/** Which list: the shared inbox, one member's queue without what is filed in folders, or one of their folders. */
export type AlertList =
  | { list: 'inbox' }
  | { list: 'mine'; ownerId: string }
  | { list: 'folder'; ownerId: string; folderId: string };

function where(list: AlertList): FindOptionsWhere<StoredAlert> {
  switch (list.list) {
    case 'inbox':
      return { status: 'pending' };
    case 'mine':
      return { ownerId: list.ownerId, folderId: IsNull() };
    case 'folder':
      return { ownerId: list.ownerId, folderId: list.folderId };
  }
}

/** One page of a list. Ids are in order of time, so the cursor is an id and no page is ever skipped over by OFFSET. */
export async function findAlertPage(
  manager: EntityManager,
  list: AlertList,
  query: AlertListQuery,
): Promise<AlertPage> {
  const alerts = manager.getRepository(AlertEntity);
  const limit = query.limit ?? MAX_LIST_ROWS;
  const rows = await alerts.find({
    where: { ...where(list), ...(query.before && { id: LessThan(query.before) }) },
    order: { id: 'DESC' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    alerts: page,
    total: await alerts.countBy(where(list)),
    next: rows.length > limit ? page.at(-1)?.id : undefined,
  };
}

/** A member's alerts that are filed in any folder, newest first. */
export const findFiledAlerts = (manager: EntityManager, ownerId: string): Promise<StoredAlert[]> =>
  manager.getRepository(AlertEntity).find({
    where: { ownerId, folderId: Not(IsNull()) },
    order: { id: 'DESC' },
    take: MAX_LIST_ROWS,
  });

/** How many alerts wait in the inbox. */
export const countInbox = (manager: EntityManager): Promise<number> =>
  manager.getRepository(AlertEntity).countBy({ status: 'pending' });

/** The alert with this id. */
export const findAlert = (manager: EntityManager, id: string): Promise<StoredAlert | null> =>
  manager.getRepository(AlertEntity).findOneBy({ id });

/** What an update needs to find as it was read, so that of two at once only one goes through. */
type Expected = Pick<StoredAlert, 'id' | 'status' | 'ownerId'>;

/** Changes an alert if it is still as `expected`. False when somebody else was quicker. */
export async function updateAlertIf(
  tx: EntityManager,
  expected: Expected,
  change: Partial<Pick<StoredAlert, 'status' | 'ownerId' | 'folderId'>>,
): Promise<boolean> {
  const { affected } = await tx.getRepository(AlertEntity).update(asWhere(expected), change);
  return affected === 1;
}

/** Deletes an alert if it is still as `expected`. False when somebody else was quicker. */
export async function deleteAlertIf(tx: EntityManager, expected: Expected): Promise<boolean> {
  const { affected } = await tx.getRepository(AlertEntity).delete(asWhere(expected));
  return affected === 1;
}

const asWhere = ({ id, status, ownerId }: Expected) => ({ id, status, ownerId: ownerId ?? IsNull() });

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
