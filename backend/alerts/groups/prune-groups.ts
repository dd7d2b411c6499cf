import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { pause } from '#backend/platform/database/repeat.ts';

/** How often groups are looked for that have no alert any more, in milliseconds. */
export const GROUP_PRUNE_MS = 60 * 60 * 1000;

/** A group that nothing joined for so long is not joined again, in milliseconds. */
const OLD_MS = 7 * 24 * 60 * 60 * 1000;

/** Groups that one statement reads, and the pause after it in milliseconds, in which alerts are written. */
const PAGE_ROWS = 500;
const PAUSE_MS = 20;

/**
 * Deletes old groups whose alerts have all been deleted or taken out, a page after the other.
 *
 * @param now in milliseconds
 * @returns how many
 */
export async function pruneGroups(database: Database, stopping: AbortSignal, now: number): Promise<number> {
  const { reads, dialect } = database;
  const isEmpty =
    'NOT EXISTS (SELECT 1 FROM alerts ' +
    `${dialect.byIndex('alerts_by_group')} WHERE alerts.group_id = alert_groups.id)`;
  let deleted = 0;
  let after = { lastAt: -1, id: '' };
  while (!stopping.aborted) {
    const page: { id: string; lastAt: number | string }[] = await reads.query(
      `SELECT id, last_at AS lastAt FROM alert_groups ${dialect.byIndex('alert_groups_last')} ` +
        `WHERE last_at < ? AND last_at >= ? AND (last_at > ? OR id > ?) ORDER BY last_at, id LIMIT ${PAGE_ROWS}`,
      [now - OLD_MS, after.lastAt, after.lastAt, after.id],
    );
    const last = page.at(-1);
    if (!last) break;
    after = { lastAt: Number(last.lastAt), id: last.id };
    const of = `WHERE id IN (${marksOf(page)}) AND ${isEmpty}`;
    const ids = page.map(({ id }) => id);
    const [empty]: { amount: number | string }[] = await reads.query(
      `SELECT COUNT(*) AS amount FROM alert_groups ${of}`,
      ids,
    );
    if (Number(empty?.amount) > 0) await database.transaction((tx) => tx.query(`DELETE FROM alert_groups ${of}`, ids));
    deleted += Number(empty?.amount);
    if (page.length < PAGE_ROWS) break;
    await pause(PAUSE_MS, stopping);
  }
  return deleted;
}
