import type { Database } from '#backend/platform/database/database.ts';

/** How often groups are looked for that have no alert any more, in milliseconds. */
export const GROUP_PRUNE_MS = 60 * 60 * 1000;

/** A group that nothing joined for so long is not joined again, in milliseconds. */
const OLD_MS = 7 * 24 * 60 * 60 * 1000;

/** Groups that one transaction deletes. */
const AT_ONCE = 500;

/** Deletes old groups whose alerts have all been deleted or taken out. @returns how many */
export async function pruneGroups(database: Database, now = Date.now()): Promise<number> {
  const { reads, dialect } = database;
  const rows: { id: string }[] = await reads.query(
    'SELECT g.id FROM alert_groups g WHERE g.last_at < ? AND NOT EXISTS ' +
      `(SELECT 1 FROM alerts a ${dialect.byIndex('alerts_by_group')} WHERE a.group_id = g.id) LIMIT ${AT_ONCE}`,
    [now - OLD_MS],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await database.transaction((tx) =>
    tx.query(`DELETE FROM alert_groups WHERE id IN (${ids.map(() => '?').join(', ')})`, ids),
  );
  return rows.length;
}
