import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { type AlertFacets, type AlertStatus, MAX_FACET_NAMES } from '#backend/contract/alert.ts';
import { sortNames } from '#backend/contract/name.ts';
import { whereByName } from './alert-counts.ts';
import { type AlertList, statusesOf } from './alert-list.ts';

/** Counter rows read before other work has its turn: about 5 ms on the embedded database, which reads on this thread. */
const SLICE_ROWS = 2_000;

/** Counter rows that an answer looks through when nothing is searched for. */
const MAX_ROWS = 20_000;

interface NamedRow {
  customer: string;
  alertType: string;
}

/**
 * The customers and types that a list's alerts name, for its filters, sorted for people. Of a list
 * with names without end it gives the first that it finds (`isComplete: false`), and all of it is searched for `wanted`,
 * a text in the name, whatever its case.
 */
export async function findFacets(reads: EntityManager, list: AlertList, wanted = ''): Promise<AlertFacets> {
  const found = { customers: new Set<string>(), alertTypes: new Set<string>() };
  const text = wanted.toLowerCase();
  const add = (names: Set<string>, name: string) => {
    // One more than fits, so that it is known that there are more.
    if (name !== '' && names.size <= MAX_FACET_NAMES && name.toLowerCase().includes(text)) names.add(name);
  };
  let rows = 0;
  let isCut = false;
  for await (const slice of slicesOf(reads, list)) {
    for (const { customer, alertType } of slice) {
      add(found.customers, customer);
      add(found.alertTypes, alertType);
    }
    rows += slice.length;
    const isFull = found.customers.size > MAX_FACET_NAMES && found.alertTypes.size > MAX_FACET_NAMES;
    isCut = isFull || (text === '' && rows >= MAX_ROWS);
    if (isCut) break;
    await nextTurn();
  }
  const { customers, alertTypes } = found;
  return {
    customers: sortNames([...customers].slice(0, MAX_FACET_NAMES)),
    alertTypes: sortNames([...alertTypes].slice(0, MAX_FACET_NAMES)),
    isComplete: !isCut && customers.size <= MAX_FACET_NAMES && alertTypes.size <= MAX_FACET_NAMES,
  };
}

/** The rows that count a list's alerts by their names, in the order of the table's key. */
async function* slicesOf(reads: EntityManager, list: AlertList): AsyncGenerator<NamedRow[]> {
  for (const status of statusesOf(list, {})) {
    let last: NamedRow | undefined;
    do {
      const slice = await readSlice(reads, list, status, last);
      if (slice.length > 0) yield slice;
      last = slice.length < SLICE_ROWS ? undefined : slice.at(-1);
    } while (last !== undefined);
  }
}

function readSlice(
  reads: EntityManager,
  list: AlertList,
  status: AlertStatus,
  last: NamedRow | undefined,
): Promise<NamedRow[]> {
  const { sql, values } = whereByName(list, [status], {});
  // In two conditions, because MySQL reads no range of an index by a comparison of rows.
  const after = last ? ' AND customer >= ? AND (customer > ? OR alert_type > ?)' : '';
  return reads.query(
    `SELECT customer, alert_type AS alertType FROM alert_counts WHERE ${sql}${after} ` +
      `ORDER BY customer, alert_type LIMIT ${SLICE_ROWS}`,
    [...values, ...(last ? [last.customer, last.customer, last.alertType] : [])],
  );
}
