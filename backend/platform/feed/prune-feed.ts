import type { Database } from '#backend/platform/database/database.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
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
  await forgetSilent(database, own);
  let kept = 0;
  for (const { id } of (await readWriters(database.reads)).toReversed()) {
    const [counted]: { first: unknown; last: unknown }[] = await database.reads.query(
      'SELECT MIN(number) AS first, MAX(number) AS last FROM changes WHERE writer = ?',
      [id],
    );
    const [first, last] = [Number(counted?.first ?? 0), Number(counted?.last ?? 0)];
    const room = Math.max(0, MAX_ROWS - kept);
    kept += last - first;
    await pruneWriter(database, { id, upTo: last - room, before: now - KEPT_MS }, stopping);
  }
}

async function pruneWriter(
  { reads, transaction }: Database,
  { id, upTo, before }: { id: number; upTo: number; before: number },
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const rows: { number: unknown; at: unknown }[] = await reads.query(
      `SELECT number, at FROM changes WHERE writer = ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
      [id],
    );
    const old = rows.filter(({ number, at }) => Number(at) < before || Number(number) <= upTo);
    const last = old.at(-1);
    if (!last) return;
    await transaction(async (tx) => {
      await tx.query('UPDATE change_writers SET pruned_to = ? WHERE id = ?', [Number(last.number), id]);
      await tx.query('DELETE FROM changes WHERE writer = ? AND number <= ?', [id, Number(last.number)]);
    });
    if (old.length < rows.length) return;
  }
}

/**
 * Forgets writers without changes whose servers have not been seen for as long as changes are kept, or are not among the servers any
 * more: any server that starts removes those that are silent for seconds. One statement for all: a server that has not read what
 * another one wrote last was seen before that, and so is forgotten no later. It then notices that it was away, and reads everything
 * again.
 */
async function forgetSilent({ dialect, transaction }: Database, own: number): Promise<void> {
  const isMysql = dialect.name === 'mysql';
  const isSilent = isMysql ? `AND server_id NOT IN (SELECT id FROM servers WHERE seen_at > ${DATABASE_NOW} - ?)` : '';
  await transaction(async (tx) => {
    await tx.query(
      `DELETE FROM change_writers WHERE id <> ? AND NOT EXISTS (SELECT 1 FROM changes WHERE writer = change_writers.id) ${isSilent}`,
      isMysql ? [own, KEPT_MS] : [own],
    );
    await tx.query('DELETE FROM change_places WHERE writer NOT IN (SELECT id FROM change_writers)');
  });
}
