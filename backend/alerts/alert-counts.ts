import type { EntityManager } from 'typeorm';
import type { AlertFilter, AlertStats, AlertStatus } from '#backend/contract/alert.ts';
import { type SqlValue, insertSql } from '#backend/database/dialect.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import type { StoredAlert } from './alert.ts';
import {
  type AlertList,
  type Condition,
  type ListPart,
  type NarrowedList,
  type PlainList,
  allOf,
  anyOf,
  isOneOf,
  partsOf,
  withNames,
} from './alert-list.ts';
import { type StoredStatus, storedStatusOf, visibleStatusOf } from './stored-status.ts';

/** What decides where an alert is counted. */
export type CountedAlert = Pick<
  StoredAlert,
  'status' | 'snoozedUntil' | 'ownerId' | 'folderId' | 'customer' | 'alertType' | 'sourceId' | 'severity'
>;

/** An alert's move from one place to another; without `before` it is new, without `after` it is gone. */
export interface CountedChange {
  before?: CountedAlert;
  after?: CountedAlert;
}

/**
 * What a counter row counts: all alerts of an owner, a folder and a status; the same again for each customer and type, and
 * for each source and severity; or, whoever's they are, the accepted alerts of a status for each customer and type, and for
 * each source and severity (pending ones are nobody's anyway). So every number that is asked for is a sum of few rows,
 * also when owners and names are many. Empty texts stand for what an alert does not have.
 */
export const WHOLE = 0;
export const BY_NAME = 1;
export const OF_ALL_BY_NAME = 2;
export const BY_ORIGIN = 3;
export const OF_ALL_BY_ORIGIN = 4;

/** Details that count by source and severity: these stand in the columns of customer and type. */
export const isByOrigin = (detail: number): boolean => detail === BY_ORIGIN || detail === OF_ALL_BY_ORIGIN;

/** Details that count everybody's accepted alerts. */
export const isOfAll = (detail: number): boolean => detail === OF_ALL_BY_NAME || detail === OF_ALL_BY_ORIGIN;

/** The key of one counter: its detail, and what it counts. By origin, `customer` is a source's id and `alertType` a severity. */
export interface CountedPlace {
  detail: number;
  ownerId: string;
  folderId: string;
  status: StoredStatus;
  customer: string;
  alertType: string;
}

const KEY = ['detail', 'owner_id', 'folder_id', 'status', 'customer', 'alert_type'] as const;
const COLUMNS = [...KEY, 'alerts'];
const IS_KEY = KEY.map((column) => `${column} = ?`).join(' AND ');
const WHERE_KEY = `WHERE ${IS_KEY}`;

/** Counters that one statement looks at; a bulk change empties many. */
const DELETED_AT_ONCE = 50;

/** Names whose counters are empty would stay in the lists' filters. */
const deleteEmpty = (counters: number): string =>
  `DELETE FROM alert_counts WHERE alerts = 0 AND (${Array(counters).fill(`(${IS_KEY})`).join(' OR ')})`;

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
  const lowered = changed.filter(({ values, difference }) => difference < 0 && values[0] !== WHOLE);
  for (let at = 0; at < lowered.length; at += DELETED_AT_ONCE) {
    const some = lowered.slice(at, at + DELETED_AT_ONCE);
    await tx.runPrepared(
      deleteEmpty(some.length),
      some.flatMap(({ values }) => values),
    );
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
  if (place.detail !== WHOLE) await tx.query(deleteEmpty(1), keyOf(place));
}

function add(cells: Map<string, Cell>, alert: CountedAlert, difference: number): void {
  const { ownerId } = alert;
  const status = storedStatusOf(alert);
  const [owner, folder] = [ownerId ?? '', alert.folderId ?? ''];
  addTo(cells, `${WHOLE} ${owner} ${folder} ${status}`, difference, WHOLE, owner, folder, status, '', '');
  const parts = [
    [BY_NAME, OF_ALL_BY_NAME, alert.customer ?? '', alert.alertType ?? ''],
    [BY_ORIGIN, OF_ALL_BY_ORIGIN, alert.sourceId ?? '', alert.severity ?? ''],
  ] as const;
  for (const [detail, ofAll, first, second] of parts) {
    // The length says where the first ends, whatever characters it has.
    const names = `${first.length} ${first}${second}`;
    addTo(
      cells,
      `${detail} ${owner} ${folder} ${status} ${names}`,
      difference,
      detail,
      owner,
      folder,
      status,
      first,
      second,
    );
    if (status !== 'pending')
      addTo(cells, `${ofAll} ${status} ${names}`, difference, ofAll, '', '', status, first, second);
  }
}

function addTo(cells: Map<string, Cell>, key: string, difference: number, ...values: SqlValue[]): void {
  const cell = cells.get(key);
  if (cell) cell.difference += difference;
  else cells.set(key, { key, values, difference });
}

/** How many alerts a list holds, filtered. */
export interface ListSize {
  alerts: number;
  /** False when it is only known that there are no more: nothing counts a name together with an origin. */
  isExact: boolean;
}

/** How many alerts a narrowed list holds, as far as counters know. */
export async function sizeOfAll(manager: EntityManager, { parts, conditions, range }: NarrowedList): Promise<ListSize> {
  const sizes = await Promise.all(parts.map(({ list, filter }) => sizeOf(manager, list, filter)));
  const alerts = sizes.reduce((sum, size) => sum + size.alerts, 0);
  const isWhole = conditions.length === 0 && range.from === undefined && range.below === undefined;
  return { alerts, isExact: alerts === 0 || (isWhole && sizes.every(({ isExact }) => isExact)) };
}

/** How many entries of indexes are looked at for all alerts of these parts: those of their statuses and severities. */
export async function countEntries(manager: EntityManager, parts: NarrowedList['parts']): Promise<number> {
  const counts = await Promise.all(
    parts.map(({ list, filter: { status, severity } }) => countAlerts(manager, list, { status, severity })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How many alerts a list holds, filtered: the sum of a few counter rows, however many alerts there are. */
async function sizeOf(manager: EntityManager, list: AlertList, filter: AlertFilter): Promise<ListSize> {
  const { customer, alertType, severity, source, ...others } = filter;
  const hasNames = customer !== undefined || alertType !== undefined;
  const hasOrigin = severity !== undefined || source !== undefined;
  if (!hasNames || !hasOrigin) return { alerts: await countAlerts(manager, list, filter), isExact: true };
  const byName = await countByStatus(manager, list, { ...others, customer, alertType });
  const byOrigin = await countByStatus(manager, list, { ...others, severity, source });
  const most = [...byName].reduce((sum, [status, alerts]) => sum + Math.min(alerts, byOrigin.get(status) ?? 0), 0);
  return { alerts: most, isExact: most === 0 };
}

/** The number of alerts of a list, filtered by names or by origin, not by both. */
export const countAlerts = async (manager: EntityManager, list: AlertList, filter: AlertFilter = {}): Promise<number> =>
  sumOf(await countByStatus(manager, list, filter));

/** All statuses together. */
const sumOf = (counts: ReadonlyMap<StoredStatus, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The same for each stored status that it has alerts of. */
async function countByStatus(
  manager: EntityManager,
  list: AlertList,
  filter: AlertFilter,
): Promise<ReadonlyMap<StoredStatus, number>> {
  const parts = partsOf(list, filter);
  if (parts.length === 0) return new Map();
  const { sql, values } = anyOf(parts.map((part) => whereCounted(part, filter)));
  const rows: { status: StoredStatus; total: unknown }[] = await manager.query(
    `SELECT status, SUM(alerts) AS total FROM alert_counts WHERE ${sql} GROUP BY status`,
    values,
  );
  return new Map(rows.map(({ status, total }) => [status, Number(total)] as const).filter(([, count]) => count > 0));
}

function whereCounted(part: ListPart, filter: AlertFilter): Condition {
  const { customer, alertType, severity, source } = filter;
  if (severity !== undefined || source !== undefined) return whereByOrigin(part, filter);
  const isByName = customer !== undefined || alertType !== undefined;
  return isByName ? whereByName(part, filter) : whereWhole(part);
}

/** The numbers over System-Wide Alerts. */
export async function findStats(manager: EntityManager): Promise<AlertStats> {
  const counts = await countByStatus(manager, { list: 'all' }, {});
  const count = (status: AlertStatus) =>
    [...counts].reduce((sum, [stored, alerts]) => (visibleStatusOf(stored) === status ? sum + alerts : sum), 0);
  return {
    total: sumOf(counts),
    pending: count('pending'),
    accepted: count('accepted'),
    'in-progress': count('in-progress'),
    completed: count('completed'),
  };
}

/** Rows that count a list's alerts whatever their names. */
function whereWhole({ list, statuses }: ListPart): Condition {
  const ofStatuses = { sql: `status IN (${statuses.map(() => '?').join(', ')})`, values: statuses };
  if (list.list === 'all') return allOf([{ sql: 'detail = ?', values: [WHOLE] }, ofStatuses]);
  return allOf([whereInPlace(WHOLE, list), ofStatuses]);
}

/** Rows that count a list's alerts by their names: one range of the table's key for each status. */
export const whereByName = (part: ListPart, filter: AlertFilter): Condition =>
  whereDetailed(part, [BY_NAME, OF_ALL_BY_NAME], withNames(filter));

/** Rows that count a list's alerts by source and severity, in the same way. */
export function whereByOrigin(part: ListPart, { severity, source }: AlertFilter): Condition {
  const conditions = [
    ...(source === undefined ? [] : [isOneOf('customer', source)]),
    ...(severity === undefined
      ? []
      : [
          isOneOf(
            'alert_type',
            severity.map((one) => (one === 'none' ? '' : one)),
          ),
        ]),
  ];
  return whereDetailed(part, [BY_ORIGIN, OF_ALL_BY_ORIGIN], conditions);
}

function whereDetailed(
  { list, statuses }: ListPart,
  [detail, ofAll]: [number, number],
  conditions: Condition[],
): Condition {
  const ranges = statuses.map((status) => {
    const counted = list.list === 'all' && status !== 'pending' ? ofAll : detail;
    return allOf([whereInPlace(counted, list), { sql: 'status = ?', values: [status] }, ...conditions]);
  });
  return anyOf(ranges);
}

/** Rows of one detail that count what a list's alerts have in common: whose they are, and where. */
function whereInPlace(detail: number, list: PlainList): Condition {
  const ownerId = list.list === 'inbox' || list.list === 'all' ? '' : list.ownerId;
  return list.list === 'filed'
    ? { sql: "detail = ? AND owner_id = ? AND folder_id <> ''", values: [detail, ownerId] }
    : {
        sql: 'detail = ? AND owner_id = ? AND folder_id = ?',
        values: [detail, ownerId, list.list === 'folder' ? list.folderId : ''],
      };
}
