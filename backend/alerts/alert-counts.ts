import type { EntityManager } from 'typeorm';
import type { AlertFilter, AlertFacets, AlertStats, AlertStatus } from '#backend/contract/alert.ts';
import { MAX_LIST_ROWS } from '#backend/contract/alert.ts';
import type { Dialect, SqlValue } from '#backend/database/dialect.ts';
import { insertSql } from '#backend/database/insert-rows.ts';
import type { StoredAlert } from './alert-entity.ts';
import { type AlertList, statusesOf } from './alert-list.ts';

/** What decides where an alert is counted. */
export type CountedAlert = Pick<StoredAlert, 'status' | 'ownerId' | 'folderId' | 'customer' | 'alertType'>;

/** An alert's way from one place to another; without `before` it is new, without `after` it is gone. */
export interface CountedChange {
  before?: CountedAlert;
  after?: CountedAlert;
}

/**
 * Rows with detail 0 count all alerts of an owner, a folder and a status; rows with detail 1 the same again for each
 * customer and type. So the totals stay few when the names are many. Empty texts stand for what an alert does not have.
 */
const WHOLE = 0;
const BY_NAME = 1;

const KEY = ['detail', 'owner_id', 'folder_id', 'status', 'customer', 'alert_type'] as const;
const COLUMNS = [...KEY, 'alerts'];

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
export async function countChanges(tx: EntityManager, dialect: Dialect, changes: CountedChange[]): Promise<void> {
  const cells = new Map<string, Cell>();
  for (const { before, after } of changes) {
    if (before) add(cells, before, -1);
    if (after) add(cells, after, 1);
  }
  const changed = [...cells.values()]
    .filter(({ difference }) => difference !== 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  if (changed.length === 0) return;
  await dialect.runPrepared(
    tx,
    dialect.upsertSum(insertSql('alert_counts', COLUMNS, changed.length), KEY.join(', '), 'alerts'),
    changed.flatMap(({ values, difference }) => [...values, difference]),
  );
  const emptied = `DELETE FROM alert_counts WHERE ${KEY.map((column) => `${column} = ?`).join(' AND ')} AND alerts = 0`;
  for (const { values, difference } of changed) {
    if (difference < 0 && values[0] === BY_NAME) await dialect.runPrepared(tx, emptied, values);
  }
}

function add(cells: Map<string, Cell>, alert: CountedAlert, difference: number): void {
  const { status } = alert;
  const [owner, folder] = [alert.ownerId ?? '', alert.folderId ?? ''];
  const [customer, alertType] = [alert.customer ?? '', alert.alertType ?? ''];
  const place = `${owner} ${folder} ${status}`;
  addTo(cells, `${WHOLE} ${place}`, [WHOLE, owner, folder, status, '', ''], difference);
  // The length tells where the customer ends, whatever characters it has.
  const names = `${BY_NAME} ${place} ${customer.length} ${customer}${alertType}`;
  addTo(cells, names, [BY_NAME, owner, folder, status, customer, alertType], difference);
}

function addTo(cells: Map<string, Cell>, key: string, values: SqlValue[], difference: number): void {
  const cell = cells.get(key);
  if (cell) cell.difference += difference;
  else cells.set(key, { key, values, difference });
}

/** How many alerts a list holds, filtered: the sum of a few counter rows, however many alerts there are. */
export async function countAlerts(manager: EntityManager, list: AlertList, filter: AlertFilter = {}): Promise<number> {
  const statuses = statusesOf(list, filter);
  if (statuses.length === 0) return 0;
  const { sql, values } = whereCounted(list, statuses, filter);
  const [row] = await manager.query(`SELECT SUM(alerts) AS total FROM alert_counts WHERE ${sql}`, values);
  return Number(row.total ?? 0);
}

/** The numbers over System-Wide Alerts (spec.md section 2). */
export async function findStats(manager: EntityManager): Promise<AlertStats> {
  const rows: { status: AlertStatus; total: unknown }[] = await manager.query(
    'SELECT status, SUM(alerts) AS total FROM alert_counts WHERE detail = ? GROUP BY status',
    [WHOLE],
  );
  const counts = new Map(rows.map(({ status, total }) => [status, Number(total)]));
  const count = (status: AlertStatus) => counts.get(status) ?? 0;
  return {
    total: rows.reduce((sum, { total }) => sum + Number(total), 0),
    pending: count('pending'),
    accepted: count('accepted'),
    'in-progress': count('in-progress'),
    completed: count('completed'),
  };
}

/** The customers and types that a list's alerts name, for its filters (spec.md section 2), sorted for people. */
export async function findFacets(manager: EntityManager, list: AlertList): Promise<AlertFacets> {
  const { sql, values } = whereCounted(
    list,
    statusesOf(list, {}),
    { customer: undefined, alertType: undefined },
    BY_NAME,
  );
  const distinct = async (column: 'customer' | 'alert_type'): Promise<string[]> => {
    const rows: { name: string }[] = await manager.query(
      `SELECT DISTINCT ${column} AS name FROM alert_counts WHERE ${sql} AND ${column} <> '' ORDER BY name LIMIT ${MAX_LIST_ROWS}`,
      values,
    );
    return rows.map(({ name }) => name).sort(FOR_PEOPLE.compare);
  };
  return { customers: await distinct('customer'), alertTypes: await distinct('alert_type') };
}

const FOR_PEOPLE = new Intl.Collator('en', { numeric: true });

/** How many alerts of each of a member's folders are not completed, for the badges of the folder tree. */
export async function countOpenByFolder(manager: EntityManager, ownerId: string): Promise<Map<string, number>> {
  const rows: { folder: string; total: unknown }[] = await manager.query(
    'SELECT folder_id AS folder, SUM(alerts) AS total FROM alert_counts ' +
      "WHERE detail = ? AND owner_id = ? AND folder_id <> '' AND status <> 'completed' GROUP BY folder_id",
    [WHOLE, ownerId],
  );
  return new Map(rows.map(({ folder, total }) => [folder, Number(total)]));
}

function whereCounted(
  list: AlertList,
  statuses: AlertStatus[],
  { customer, alertType }: AlertFilter,
  detail = customer === undefined && alertType === undefined ? WHOLE : BY_NAME,
): { sql: string; values: SqlValue[] } {
  const conditions: [string, SqlValue[]][] = [['detail = ?', [detail]]];
  if (list.list !== 'all') {
    conditions.push(['owner_id = ?', [list.list === 'inbox' ? '' : list.ownerId]]);
    conditions.push(['folder_id = ?', [list.list === 'folder' ? list.folderId : '']]);
  }
  conditions.push([`status IN (${statuses.map(() => '?').join(', ')})`, statuses]);
  if (customer !== undefined) conditions.push(['customer = ?', [customer]]);
  if (alertType !== undefined) conditions.push(['alert_type = ?', [alertType]]);
  return { sql: conditions.map(([sql]) => sql).join(' AND '), values: conditions.flatMap(([, values]) => values) };
}
