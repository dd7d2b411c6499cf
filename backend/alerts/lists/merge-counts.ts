import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type CountedPlace, WHOLE } from '#backend/alerts/alert/alert-counts.ts';
import { COUNTER_KEY, IS_COUNTER, keyOf, orderOf } from '#backend/alerts/alert/count-changes.ts';

/** How often rows are merged, in milliseconds. */
const INTERVAL_MS = 60 * 60 * 1000;

/** Counters that are found together, that one transaction merges, and the pause after it in milliseconds. */
const PAGE_COUNTERS = 1_000;
const BATCH_COUNTERS = 20;
const PAUSE_MS = 10;

type MergeDeps = { database: Database; logger: Logger };

/**
 * Merges the rows that servers write into slots of their own at once and then every hour, until it is stopped, and removes
 * empty ones: else a name that came once through each server would have a row for each of them for ever.
 */
export const startMerging = ({ database, logger }: MergeDeps): Repeating =>
  startRepeating((stopping) => mergeCounts(database, stopping), {
    intervalMs: INTERVAL_MS,
    onError: (error) => logger.error({ err: error }, 'counters could not be merged; the next attempt follows'),
  });

/**
 * Makes one row of each counter of a MySQL database, that of slot 0, and none of one that is zero, a few in each transaction.
 * What servers write meanwhile goes into new rows.
 */
export async function mergeCounts(database: MergeDeps['database'], stopping: AbortSignal): Promise<void> {
  let last: CountedPlace | undefined;
  do {
    const page: CountedPlace[] = await database.reads.query(
      'SELECT DISTINCT detail, owner_id AS ownerId, folder_id AS folderId, status, customer, alert_type AS alertType ' +
        `FROM alert_counts WHERE (slot > 0 OR (alerts = 0 AND detail <> ${WHOLE}))` +
        `${last ? ` AND (${COUNTER_KEY}) > (?, ?, ?, ?, ?, ?)` : ''} ` +
        `ORDER BY ${COUNTER_KEY} LIMIT ${PAGE_COUNTERS}`,
      last ? keyOf(last) : [],
    );
    last = page.at(-1);
    const counters = page.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    for (let at = 0; at < counters.length && !stopping.aborted; at += BATCH_COUNTERS) {
      await database.transaction(async (tx) => {
        for (const counter of counters.slice(at, at + BATCH_COUNTERS)) await merge(tx, counter);
      });
      await pause(PAUSE_MS, stopping);
    }
  } while (last !== undefined && !stopping.aborted);
}

async function merge(tx: Transaction, place: CountedPlace): Promise<void> {
  const key = keyOf(place);
  const rows: { slot: unknown; alerts: unknown }[] = await tx.query(
    `SELECT slot, alerts FROM alert_counts WHERE ${IS_COUNTER} ORDER BY slot FOR UPDATE`,
    key,
  );
  const others = rows.filter(({ slot }) => Number(slot) > 0);
  if (others.length > 0) {
    const sum = others.reduce((alerts, row) => alerts + Number(row.alerts), 0);
    await tx.query(
      `INSERT INTO alert_counts (${COUNTER_KEY}, slot, alerts) VALUES (?, ?, ?, ?, ?, ?, 0, ?) ` +
        'ON DUPLICATE KEY UPDATE alerts = alerts + VALUES(alerts)',
      [...key, sum],
    );
    // By name: another server may have begun a row since they were locked.
    const marks = marksOf(others);
    await tx.query(`DELETE FROM alert_counts WHERE ${IS_COUNTER} AND slot IN (${marks})`, [
      ...key,
      ...others.map(({ slot }) => Number(slot)),
    ]);
  }
  if (place.detail !== WHOLE) {
    await tx.query(`DELETE FROM alert_counts WHERE ${IS_COUNTER} AND slot = 0 AND alerts = 0`, key);
  }
}
