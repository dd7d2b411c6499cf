import type { EntityManager } from 'typeorm';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import {
  BY_NAME,
  BY_ORIGIN,
  type CountedPlace,
  OF_ALL_BY_NAME,
  OF_ALL_BY_ORIGIN,
  WHOLE,
  isByOrigin,
  isOfAll,
} from '#backend/alerts/alert/alert-counts.ts';
import { addToCounter, lockCounter } from '#backend/alerts/alert/count-changes.ts';
import { INBOX_STATUS, type StoredStatus } from '#backend/alerts/alert/stored-status.ts';

/** A counter that differs from the alerts that it counts. */
export interface WrongCount extends CountedPlace {
  /** What the counter says. */
  kept: number;
  /** How many alerts there are. */
  counted: number;
}

const PLACE = "COALESCE(owner_id, '') AS ownerId, COALESCE(folder_id, '') AS folderId, status";
const NAMES = "COALESCE(customer, '') AS customer, COALESCE(alert_type, '') AS alertType";
const ORIGIN = "COALESCE(source_id, '') AS customer, COALESCE(severity, '') AS alertType";
const KEY = 'detail, ownerId, folderId, status, customer, alertType';

/** Every counter, and beside it what counting the alerts one by one gives: one statement, so both are of one moment. */
const DIFFERENCES =
  `SELECT ${KEY}, SUM(kept) AS kept, SUM(counted) AS counted FROM (` +
  'SELECT detail, owner_id AS ownerId, folder_id AS folderId, status, customer, alert_type AS alertType, ' +
  'alerts AS kept, 0 AS counted FROM alert_counts UNION ALL ' +
  `SELECT ${WHOLE}, ${PLACE}, '', '', 0, COUNT(*) FROM alerts GROUP BY 2, 3, 4 UNION ALL ` +
  `SELECT ${BY_NAME}, ${PLACE}, ${NAMES}, 0, COUNT(*) FROM alerts GROUP BY 2, 3, 4, 5, 6 UNION ALL ` +
  `SELECT ${OF_ALL_BY_NAME}, '', '', status, ${NAMES}, 0, COUNT(*) FROM alerts ` +
  `WHERE status <> '${INBOX_STATUS}' GROUP BY 4, 5, 6 UNION ALL ` +
  `SELECT ${BY_ORIGIN}, ${PLACE}, ${ORIGIN}, 0, COUNT(*) FROM alerts GROUP BY 2, 3, 4, 5, 6 UNION ALL ` +
  `SELECT ${OF_ALL_BY_ORIGIN}, '', '', status, ${ORIGIN}, 0, COUNT(*) FROM alerts ` +
  `WHERE status <> '${INBOX_STATUS}' GROUP BY 4, 5, 6) AS cells GROUP BY ${KEY} HAVING SUM(kept) <> SUM(counted) ORDER BY ${KEY}`;

/** The counters that are wrong at this moment. Reads every alert's entry in an index; writes nothing. */
export async function findWrongCounts(reads: EntityManager): Promise<WrongCount[]> {
  const rows: (CountedPlace & { kept: unknown; counted: unknown })[] = await reads.query(DIFFERENCES);
  return rows.map((row) =>
    Object.assign(row, { detail: Number(row.detail), kept: Number(row.kept), counted: Number(row.counted) }),
  );
}

/**
 * Corrects the counters that are wrong, each in a transaction of its own, while the server may be running: whoever
 * changes an alert counts it in the same transaction, so once the counter is locked its alerts that are committed are
 * exactly those that it has to count.
 *
 * @returns the counters that were wrong
 */
export async function recount(database: Database): Promise<WrongCount[]> {
  const wrong = await findWrongCounts(database.reads);
  const corrected: WrongCount[] = [];
  for (const place of wrong) {
    const { kept, counted } = await database.transaction(async (tx) => {
      const before = await lockCounter(tx, place);
      const alerts = await countOneByOne(tx, place);
      await addToCounter(tx, place, alerts - before);
      return { kept: before, counted: alerts };
    });
    if (kept !== counted) corrected.push({ ...place, kept, counted });
  }
  return corrected;
}

async function countOneByOne(tx: Transaction, place: CountedPlace): Promise<number> {
  const { detail, ownerId, folderId, status, customer, alertType } = place;
  const conditions = ['status = ?'];
  const values: string[] = [status satisfies StoredStatus];
  const is = (column: string, value: string) => {
    conditions.push(value === '' ? `(${column} IS NULL OR ${column} = '')` : `${column} = ?`);
    if (value !== '') values.push(value);
  };
  if (!isOfAll(detail)) {
    is('owner_id', ownerId);
    is('folder_id', folderId);
  }
  if (detail !== WHOLE) {
    is(isByOrigin(detail) ? 'source_id' : 'customer', customer);
    is(isByOrigin(detail) ? 'severity' : 'alert_type', alertType);
  }
  const sql = `SELECT COUNT(*) AS alerts FROM alerts WHERE ${conditions.join(' AND ')}`;
  const [row]: { alerts: unknown }[] = await tx.query(sql, values);
  return Number(row?.alerts);
}

/** A wrong counter as one line for the person who runs the command. */
export function describeWrongCount({
  detail,
  ownerId,
  folderId,
  status,
  customer,
  alertType,
  ...counts
}: WrongCount): string {
  const owner = isOfAll(detail) ? 'anybody' : ownerId || 'nobody';
  const [first, second] = isByOrigin(detail) ? ['source', 'severity'] : ['customer', 'type'];
  const names = detail === WHOLE ? '' : `, ${first} "${customer}", ${second} "${alertType}"`;
  return `${status} alerts of ${owner}${folderId ? `, folder ${folderId}` : ''}${names}: ${counts.kept} counted, ${counts.counted} exist`;
}
