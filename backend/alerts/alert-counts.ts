import type { EntityManager } from 'typeorm';
import type { AlertFilter, AlertStats, AlertStatus } from '#backend/contract/alert.ts';
import { type SqlValue, insertSql } from '#backend/database/dialect.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import type { StoredAlert } from './alert.ts';
import { type AlertList, statusesOf, type Condition, allOf, anyOf, withNames } from './alert-list.ts';

/** What decides where an alert is counted. */
export type CountedAlert = Pick<StoredAlert, 'status' | 'ownerId' | 'folderId' | 'customer' | 'alertType'>;

/** An alert's move from one place to another; without `before` it is new, without `after` it is gone. */
export interface CountedChange {
  before?: CountedAlert;
  after?: CountedAlert;
}

/**
 * What a counter row counts: all alerts of an owner, a folder and a status; the same again for each customer and type;
 * or, whoever's they are, the accepted alerts of a status for each customer and type (pending ones are nobody's
 * anyway). So every number that is asked for is a sum of few rows, also when owners and names are many. Empty texts
 * stand for what an alert does not have.
 */
export const WHOLE = 0;
export const BY_NAME = 1;
export const OF_ALL_BY_NAME = 2;

/** The key of one counter: which of the three it is, and what it counts. */
export interface CountedPlace {
  detail: number;
  ownerId: string;
  folderId: string;
  status: AlertStatus;
  customer: string;
  alertType: string;
}

const KEY = ['detail', 'owner_id', 'folder_id', 'status', 'customer', 'alert_type'] as const;
const COLUMNS = [...KEY, 'alerts'];
const WHERE_KEY = `WHERE ${KEY.map((column) => `${column} = ?`).join(' AND ')}`;

/** Names whose counters are empty would stay in the lists' filters. */
const DELETE_EMPTY = `DELETE FROM alert_counts ${WHERE_KEY} AND alerts = 0`;

interface Cell {
  key: string;
  values: SqlValue[];
  difference: number;
}

/**
 * Keeps the counter rows true, in the transaction of the changes that they count, as its last statements: these rows
 * are shared, and stay locked no longer than the commit takes. In the order of their keys, so that two transactions
 * do not wait for each other.
 */
export async function countChanges(tx: Transaction, changes: CountedChange[]): Promise<void> {
  const cells = new Map<string, Cell>();
  for (const { before, after } of changes) {
    if (before) add(cells, before, -1);
    if (after) add(cells, after, 1);
  }
  const changed = [...cells.values()]
    .filter(({ difference }) => difference !== 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  if (changed.length === 0) return;
  await tx.runPrepared(
    tx.dialect.upsertSum(insertSql('alert_counts', COLUMNS, changed.length), KEY.join(', '), 'alerts'),
    changed.flatMap(({ values, difference }) => [...values, difference]),
  );
  for (const { values, difference } of changed) {
    if (difference < 0 && values[0] !== WHOLE) await tx.runPrepared(DELETE_EMPTY, values);
  }
}

const keyOf = (place: CountedPlace): SqlValue[] => [
  place.detail,
  place.ownerId,
  place.folderId,
  place.status,
  place.customer,
  place.alertType,
];

/** What one counter says, which nobody else changes until the transaction ends; it is made when it is missing. */
export async function lockCounter(tx: Transaction, place: CountedPlace): Promise<number> {
  const sql = tx.dialect.upsertSum(insertSql('alert_counts', COLUMNS, 1), KEY.join(', '), 'alerts');
  await tx.query(sql, [...keyOf(place), 0]);
  const [row]: { alerts: unknown }[] = await tx.query(`SELECT alerts FROM alert_counts ${WHERE_KEY}`, keyOf(place));
  return Number(row?.alerts);
}

/** Adds to a locked counter. */
export async function addToCounter(tx: Transaction, place: CountedPlace, difference: number): Promise<void> {
  await tx.query(`UPDATE alert_counts SET alerts = alerts + ? ${WHERE_KEY}`, [difference, ...keyOf(place)]);
  if (place.detail !== WHOLE) await tx.query(DELETE_EMPTY, keyOf(place));
}

function add(cells: Map<string, Cell>, alert: CountedAlert, difference: number): void {
  const { status, ownerId } = alert;
  const [owner, folder] = [ownerId ?? '', alert.folderId ?? ''];
  const [customer, alertType] = [alert.customer ?? '', alert.alertType ?? ''];
  // The length says where the customer ends, whatever characters it has.
  const names = `${customer.length} ${customer}${alertType}`;
  addTo(cells, `${WHOLE} ${owner} ${folder} ${status}`, difference, WHOLE, owner, folder, status, '', '');
  const byName = `${BY_NAME} ${owner} ${folder} ${status} ${names}`;
  addTo(cells, byName, difference, BY_NAME, owner, folder, status, customer, alertType);
  if (status === 'pending') return;
  const ofAll = `${OF_ALL_BY_NAME} ${status} ${names}`;
  addTo(cells, ofAll, difference, OF_ALL_BY_NAME, '', '', status, customer, alertType);
}

function addTo(cells: Map<string, Cell>, key: string, difference: number, ...values: SqlValue[]): void {
  const cell = cells.get(key);
  if (cell) cell.difference += difference;
  else cells.set(key, { key, values, difference });
}

/** How many alerts a list holds, filtered: the sum of a few counter rows, however many alerts there are. */
export async function countAlerts(manager: EntityManager, list: AlertList, filter: AlertFilter = {}): Promise<number> {
  return sumOf(await countByStatus(manager, list, filter));
}

/** All statuses together. */
export const sumOf = (counts: ReadonlyMap<AlertStatus, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The same for each status that it has alerts of. */
export async function countByStatus(
  manager: EntityManager,
  list: AlertList,
  filter: AlertFilter,
): Promise<ReadonlyMap<AlertStatus, number>> {
  const statuses = statusesOf(list, filter);
  if (statuses.length === 0) return new Map();
  const isByName = filter.customer !== undefined || filter.alertType !== undefined;
  const { sql, values } = isByName ? whereByName(list, statuses, filter) : whereWhole(list, statuses);
  const rows: { status: AlertStatus; total: unknown }[] = await manager.query(
    `SELECT status, SUM(alerts) AS total FROM alert_counts WHERE ${sql} GROUP BY status`,
    values,
  );
  return new Map(rows.map(({ status, total }) => [status, Number(total)] as const).filter(([, count]) => count > 0));
}

/** The numbers over System-Wide Alerts. */
export async function findStats(manager: EntityManager): Promise<AlertStats> {
  const counts = await countByStatus(manager, { list: 'all' }, {});
  const count = (status: AlertStatus) => counts.get(status) ?? 0;
  return {
    total: sumOf(counts),
    pending: count('pending'),
    accepted: count('accepted'),
    'in-progress': count('in-progress'),
    completed: count('completed'),
  };
}

/** Rows that count a list's alerts whatever their names. */
function whereWhole(list: AlertList, statuses: AlertStatus[]): Condition {
  const ofStatuses = { sql: `status IN (${statuses.map(() => '?').join(', ')})`, values: statuses };
  if (list.list === 'all') return allOf([{ sql: 'detail = ?', values: [WHOLE] }, ofStatuses]);
  return allOf([whereInPlace(WHOLE, list), ofStatuses]);
}

/** Rows that count a list's alerts by their names: one range of the table's key for each status. */
export function whereByName(list: AlertList, statuses: AlertStatus[], filter: AlertFilter): Condition {
  const ranges = statuses.map((status) => {
    const detail = list.list === 'all' && status !== 'pending' ? OF_ALL_BY_NAME : BY_NAME;
    return allOf([whereInPlace(detail, list), { sql: 'status = ?', values: [status] }, ...withNames(filter)]);
  });
  return anyOf(ranges);
}

/** Rows of one detail that count what a list's alerts have in common: whose they are, and where. */
function whereInPlace(detail: number, list: AlertList): Condition {
  const ownerId = list.list === 'inbox' || list.list === 'all' ? '' : list.ownerId;
  return list.list === 'filed'
    ? { sql: "detail = ? AND owner_id = ? AND folder_id <> ''", values: [detail, ownerId] }
    : {
        sql: 'detail = ? AND owner_id = ? AND folder_id = ?',
        values: [detail, ownerId, list.list === 'folder' ? list.folderId : ''],
      };
}
