import type { Database } from '#backend/platform/database/database.ts';
import { KEPT_MS } from './feed.ts';
import { readWriters } from './feed-rows.ts';

/** How often old changes are deleted, in milliseconds. */
export const FEED_PRUNE_MS = 10 * 60 * 1000;

/** Rows that are kept at most, of all writers. */
const MAX_ROWS = 1_000_000;

/** Rows that one statement deletes. */
const ROWS_AT_ONCE = 500;

/** Deletes changes that are older than a day, and the oldest beyond a million. */
export async function pruneFeed(database: Database, own: number, stopping: AbortSignal, now: number): Promise<void> {
  let kept = 0;
  for (const { id } of (await readWriters(database.reads)).toReversed()) {
    const [counted]: { first: unknown; last: unknown }[] = await database.reads.query(
      'SELECT MIN(number) AS first, MAX(number) AS last FROM changes WHERE writer = ?',
      [id],
    );
    const [first, last] = [Number(counted?.first ?? 0), Number(counted?.last ?? 0)];
    const room = Math.max(0, MAX_ROWS - kept);
    kept += last - first;
    const isEmptied = await pruneWriter(database, { id, upTo: last - room, before: now - KEPT_MS }, stopping);
    if (isEmptied && id !== own) await forgetIfGone(database, id);
  }
}

/** Returns whether nothing is left of the writer. */
async function pruneWriter(
  { reads, transaction }: Database,
  { id, upTo, before }: { id: number; upTo: number; before: number },
  stopping: AbortSignal,
): Promise<boolean> {
  while (!stopping.aborted) {
    const rows: { number: unknown; at: unknown }[] = await reads.query(
      `SELECT number, at FROM changes WHERE writer = ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
      [id],
    );
    if (rows.length === 0) return true;
    const old = rows.filter(({ number, at }) => Number(at) < before || Number(number) <= upTo);
    const last = old.at(-1);
    if (!last) return false;
    await transaction(async (tx) => {
      await tx.query('UPDATE change_writers SET pruned_to = ? WHERE id = ?', [Number(last.number), id]);
      await tx.query('DELETE FROM changes WHERE writer = ? AND number <= ?', [id, Number(last.number)]);
    });
    if (old.length < rows.length) return false;
  }
  return false;
}

/** A writer that has no changes and whose server is gone. */
async function forgetIfGone({ dialect, transaction }: Database, id: number): Promise<void> {
  await transaction(async (tx) => {
    const isGone = dialect.name === 'sqlite' ? '' : 'AND server_id NOT IN (SELECT id FROM servers)';
    await tx.query(`DELETE FROM change_writers WHERE id = ? ${isGone}`, [id]);
    await tx.query('DELETE FROM change_places WHERE writer NOT IN (SELECT id FROM change_writers)');
  });
}
