import { COUNTER_SLOTS } from '#backend/platform/database/database.ts';
import { type Dialect, type SqlValue, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import {
  BY_NAME,
  BY_ORIGIN,
  type CountedPlace,
  OF_ALL_BY_NAME,
  OF_ALL_BY_ORIGIN,
  WHOLE,
  isCountedOfAll,
} from './alert-counts.ts';
import type { StoredAlert } from './alert.ts';
import { storedStatusOf } from './stored-status.ts';

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

const KEY = ['detail', 'owner_id', 'folder_id', 'status', 'customer', 'alert_type'];
export const COUNTER_KEY = KEY.join(', ');
export const IS_COUNTER = KEY.map((column) => `${column} = ?`).join(' AND ');

/** Counters that one statement looks at; a bulk change empties many. */
const DELETED_AT_ONCE = 50;

/** The statement that adds to rows of counters, which have a slot or not. */
const addsTo =
  (key: readonly string[]) =>
  (dialect: Dialect, rows: number): string =>
    dialect.upsertSum(insertSql('alert_counts', [...key, 'alerts'], rows), key.join(', '), 'alerts');

const [addToSingle, addToSlotted] = [addsTo(KEY), addsTo([...KEY, 'slot'])];

const deletesEmpty = (rows: number): string =>
  `DELETE FROM alert_counts WHERE alerts = 0 AND (${Array(rows).fill(`(${IS_COUNTER})`).join(' OR ')})`;

interface Cell {
  key: string;
  values: SqlValue[];
  difference: number;
}

/**
 * Keeps the counter rows true, in the transaction of the changes that they count, as its last statements: these rows
 * are shared, and stay locked no longer than the commit takes. In the order of their keys, so that two transactions
 * do not wait for each other. On MySQL each server has a slot of rows of its own; a counter is the sum of its slots, of
 * which one may be negative. A row may be zero: who lists names asks for sums above it.
 */
export async function countChanges(tx: Transaction, changes: CountedChange[]): Promise<void> {
  const cells = new Map<string, Cell>();
  for (const { alert, difference } of countAlike(changes)) add(cells, alert, difference);
  const changed = [...cells.values()]
    .filter(({ difference }) => difference !== 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  if (changed.length === 0) return;
  const { slot } = tx;
  if (slot !== undefined) {
    const rows = changed.map(({ values, difference }) => [...values, slot, difference]);
    // Rows that are empty now go with the merge of slots (`mergeCounts`): to look for them here is a round trip.
    await tx.runRows((size) => addToSlotted(tx.dialect, size), filledUp(rows));
    return;
  }
  await tx.runRows(
    (size) => addToSingle(tx.dialect, size),
    changed.map(({ values, difference }) => [...values, difference]),
  );
  const lowered = changed.filter(({ values, difference }) => difference < 0 && values[0] !== WHOLE);
  for (let at = 0; at < lowered.length; at += DELETED_AT_ONCE) {
    const some = lowered.slice(at, at + DELETED_AT_ONCE);
    await tx.runPrepared(
      deletesEmpty(some.length),
      some.flatMap(({ values }) => values),
    );
  }
}

/** Few counters are filled up to one of these numbers of rows: what one change of one alert concerns. */
const FILLED = [1, 2, 4, 8, 12];

/**
 * Rows of few counters, filled up so that they are one statement of few lengths: a round trip to MySQL takes longer than
 * adding nothing to a row that is locked already.
 */
function filledUp(rows: SqlValue[][]): SqlValue[][] {
  const last = rows.at(-1);
  const size = FILLED.find((one) => one >= rows.length);
  if (!last || size === undefined) return rows;
  return rows.concat(Array.from({ length: size - rows.length }, () => last.with(last.length - 1, 0)));
}

export const keyOf = (place: CountedPlace): SqlValue[] => [
  place.detail,
  place.ownerId,
  place.folderId,
  place.status,
  place.customer,
  place.alertType,
];

/**
 * What one counter says, which nobody else changes until the transaction ends. Its rows are made where they are missing, in
 * every slot: another server may be about to write to a slot that is empty.
 */
export async function lockCounter(tx: Transaction, place: CountedPlace): Promise<number> {
  const key = keyOf(place);
  if (tx.slot === undefined) {
    await tx.query(addToSingle(tx.dialect, 1), [...key, 0]);
  } else {
    // Changed and changed back: adding nothing would be no change, of which other nodes of a cluster know nothing.
    for (const difference of [1, -1]) {
      await tx.query(
        addToSlotted(tx.dialect, COUNTER_SLOTS),
        Array.from({ length: COUNTER_SLOTS }, (_, slot) => key.concat(slot, difference)).flat(),
      );
    }
  }
  const [row]: { alerts: unknown }[] = await tx.query(
    `SELECT SUM(alerts) AS alerts FROM alert_counts WHERE ${IS_COUNTER}`,
    key,
  );
  return Number(row?.alerts);
}

/** Adds to a locked counter. */
export async function addToCounter(tx: Transaction, place: CountedPlace, difference: number): Promise<void> {
  const { slot } = tx;
  const key = keyOf(place);
  const row = slot === undefined ? key : [...key, slot];
  await tx.query((slot === undefined ? addToSingle : addToSlotted)(tx.dialect, 1), [...row, difference]);
  if (slot !== undefined || place.detail !== WHOLE) {
    await tx.query(`DELETE FROM alert_counts WHERE alerts = 0 AND ${IS_COUNTER}`, key);
  }
}

/** In this order transactions lock counters. The length says where the first name ends, whatever characters it has. */
export const orderOf = ({ detail, ownerId, folderId, status, customer, alertType }: CountedPlace): string =>
  `${detail} ${ownerId} ${folderId} ${status} ${customer.length} ${customer}${alertType}`;

/** How many alerts go to each place, and leave it: those of a batch are mostly alike, and each has up to five counters. */
function countAlike(changes: readonly CountedChange[]): Iterable<{ alert: CountedAlert; difference: number }> {
  const counted = new Map<string, { alert: CountedAlert; difference: number }>();
  const count = (alert: CountedAlert, difference: number) => {
    const { status, snoozedUntil, ownerId, folderId, customer, alertType, sourceId, severity } = alert;
    // The length says where the first name ends, whatever characters it has.
    const key =
      `${status} ${snoozedUntil} ${ownerId} ${folderId} ${sourceId} ${severity} ` +
      `${alertType === null} ${customer?.length} ${customer}${alertType}`;
    const known = counted.get(key);
    if (known) known.difference += difference;
    else counted.set(key, { alert, difference });
  };
  for (const { before, after } of changes) {
    if (before) count(before, -1);
    if (after) count(after, 1);
  }
  return counted.values();
}

function add(cells: Map<string, Cell>, alert: CountedAlert, difference: number): void {
  const status = storedStatusOf(alert);
  const [ownerId, folderId] = [alert.ownerId ?? '', alert.folderId ?? ''];
  addTo(cells, { detail: WHOLE, ownerId, folderId, status, customer: '', alertType: '' }, difference);
  const parts = [
    [BY_NAME, OF_ALL_BY_NAME, alert.customer ?? '', alert.alertType ?? ''],
    [BY_ORIGIN, OF_ALL_BY_ORIGIN, alert.sourceId ?? '', alert.severity ?? ''],
  ] as const;
  for (const [detail, ofAll, customer, alertType] of parts) {
    addTo(cells, { detail, ownerId, folderId, status, customer, alertType }, difference);
    if (isCountedOfAll(status)) {
      addTo(cells, { detail: ofAll, ownerId: '', folderId: '', status, customer, alertType }, difference);
    }
  }
}

function addTo(cells: Map<string, Cell>, place: CountedPlace, difference: number): void {
  const key = orderOf(place);
  const cell = cells.get(key);
  if (cell) cell.difference += difference;
  else cells.set(key, { key, values: keyOf(place), difference });
}
