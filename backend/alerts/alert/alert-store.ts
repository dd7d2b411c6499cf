import { marksOf } from '#backend/platform/database/conditions.ts';
import { type EntityManager, In } from 'typeorm';
import type { AlertStatus } from '#backend/contract/alert.ts';
import { holdCredential, selectCredential } from '#backend/identity/users/on-behalf-of.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { AUTOCOMMIT, type Transaction } from '#backend/platform/database/transaction.ts';
import type { AlertAccess } from '#backend/platform/live/event-bus.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { FolderEntity } from './folder.ts';
import { countChanges } from './count-changes.ts';
import { AlertEntity, type AlertPlace, ALERT_PLACE, type StoredAlert } from './alert.ts';
import { noteDeleted } from './history.ts';
import { type StoredStatus, UNTIL_NEXT_FIRING, storedStatusOf } from './stored-status.ts';
import { type HistorySoFar, type NewHistoryEntry, addHistories, lastEntryIdOf } from './write-history.ts';

/** The alert with this id. */
export const findAlert = (manager: EntityManager, id: string): Promise<StoredAlert | null> =>
  manager.getRepository(AlertEntity).findOneBy({ id });

/** What decides who may see alerts, by their ids. One that does not exist is missing. */
export async function findAccess(manager: EntityManager, ids: string[]): Promise<Map<string, AlertAccess>> {
  const select = { id: true, status: true, ownerId: true } as const;
  const alerts = await manager.getRepository(AlertEntity).find({ select, where: { id: In(ids) } });
  return new Map(alerts.map(({ id, status, ownerId }) => [id, { status, ownerId }]));
}

/** What `lockAlert` reads beside the alert. */
interface RawAlert {
  lastEntryId: string | null;
  credential?: string | null;
  autocommit?: unknown;
}

/** A locked alert, with what was read of its history in the same statement. */
export interface LockedAlert extends StoredAlert {
  history: HistorySoFar;
}

/**
 * The alert with this id, which nobody else changes until the transaction ends.
 *
 * @param asker on whose behalf the transaction is, where it is not one of `onBehalfOf`: the same is read and kept here
 * @throws {ProblemError} 401 when the asker's access was revoked.
 */
export async function lockAlert(
  tx: Transaction,
  id: string,
  asker?: Pick<Actor, 'sessionId'>,
): Promise<LockedAlert | null> {
  const { dialect } = tx;
  const query = tx
    .getRepository(AlertEntity)
    .createQueryBuilder('alert')
    // With a lock of its own it reads what was committed last, whatever the statement waited for.
    .addSelect(lastEntryIdOf('alert.id', dialect.forShare), 'lastEntryId')
    .where('alert.id = :id', { id });
  if (asker) {
    query
      .addSelect(`(${selectCredential(asker.sessionId, ':sessionId', dialect)})`, 'credential')
      .setParameters({ sessionId: asker.sessionId });
  }
  if (dialect.rowLock) query.setLock(dialect.rowLock.mode);
  if (!tx.isBegun) query.addSelect(AUTOCOMMIT, 'autocommit');
  const { alert, raw } = await tx.beginBy(async () => {
    const { entities, raw: rows } = await query.getRawAndEntities<RawAlert>();
    return { alert: entities[0], raw: rows[0], autocommit: rows[0]?.autocommit };
  });
  if (!alert) {
    if (asker) await holdCredential(tx, asker.sessionId);
    return null;
  }
  if (raw?.credential === null) throw notSignedIn();
  const { sourceName, receivedAt, isTest } = alert;
  return { ...alert, history: { id, sourceName, receivedAt, isTest, lastEntryId: raw?.lastEntryId ?? null } };
}

/** What is needed of a locked alert to change it, and what is known of its history: that of others is read. */
export type LockedPlace = AlertPlace & { history?: HistorySoFar };

const historiesOf = (alerts: readonly LockedPlace[]): HistorySoFar[] => alerts.flatMap(({ history }) => history ?? []);

/** What people change of an alert. */
export type AlertChange = Partial<
  Pick<
    StoredAlert,
    | 'status'
    | 'completedAt'
    | 'ownerId'
    | 'folderId'
    | 'snoozedUntil'
    | 'wokenAt'
    | 'assignment'
    | 'assignedById'
    | 'assignedByName'
    | 'groupId'
  >
>;

/** Whatever people do to an alert, who gave it to its owner cannot take it back any more. */
const KEPT = { assignment: null, assignedById: null, assignedByName: null } as const;

/**
 * Changes locked alerts, all in the same way, writes the history of each and keeps the counters. Returns the
 * change with what follows from it: another status ends a snooze.
 *
 * @param by `time` alone leaves who gave an alert the right to take it back
 */
export async function changeAlerts(
  tx: Transaction,
  before: readonly LockedPlace[],
  change: AlertChange,
  entriesOf: (alert: AlertPlace) => NewHistoryEntry[],
  by: 'people' | 'time' = 'people',
): Promise<AlertChange & Partial<Pick<StoredAlert, 'touchedAt'>>> {
  if (before.length === 0) return change;
  const now = Date.now();
  const set = {
    ...(by === 'people' && KEPT),
    touchedAt: change.ownerId === null ? null : now,
    ...(change.status !== undefined && AWAKE),
    // What is reopened keeps its time: undo gives it back (`status`).
    ...(change.status === 'completed' && { completedAt: now }),
    ...(change.status === 'pending' && { completedAt: null }),
    ...change,
  };
  const alerts = tx.getRepository(AlertEntity);
  for (const [status, ids] of byStoredStatus(before, set))
    await alerts.update({ id: In(ids) }, { ...set, ...status, ...NEXT_VERSION });
  if (set.snoozedUntil !== undefined) await scheduleWakes(tx, before, set.snoozedUntil);
  await addHistories(tx, before.flatMap(entriesOf), historiesOf(before));
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
    await tx.query(`DELETE FROM alert_wakes WHERE alert_id IN (${marksOf(known)})`, known);
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
  before: readonly LockedPlace[],
  entriesOf: (alert: AlertPlace) => NewHistoryEntry[],
): Promise<void> {
  if (before.length === 0) return;
  const ids = before.map(({ id }) => id);
  // Before the alerts go: a history may take its first entry from its alert.
  await addHistories(tx, before.flatMap(entriesOf), historiesOf(before));
  await tx.getRepository(AlertEntity).delete({ id: In(ids) });
  const areThese = `alert_id IN (${marksOf(ids)})`;
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
