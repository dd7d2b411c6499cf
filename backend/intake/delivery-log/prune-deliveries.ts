import { In } from 'typeorm';
import type { SourceSettings } from '#backend/contract/source.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Condition, allOf } from '#backend/platform/database/conditions.ts';
import { idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import { DeliveryChunkEntity } from './delivery-chunk.ts';
import { DeliveryRowEntity, newestFirst } from './delivery-entity.ts';
import { addToTotals } from './delivery-log.ts';
import { SHARED_FOR_MS } from './shared-requests.ts';

/** How often what is too old is deleted, in milliseconds. */
export const DELIVERY_PRUNE_MS = 30_000;
/** The same of what is too much: a burst fills a small log within seconds, and SQLite's file stays as large as it once was. */
export const DELIVERY_SIZE_MS = 2_000;

/** Requests with unknown keys that are kept, and for how many days. */
export const MAX_UNKNOWN_KEPT = 1_000;
const UNKNOWN_DAYS = 14;

/** Counts by hour are kept as long as deliveries can be. */
const HOURS_KEPT_DAYS = 90;

/** Rows that one transaction deletes, and the pause after it in milliseconds: writers of alerts go between. */
const BATCH_ROWS = 500;
const PAUSE_MS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the log is stored in. */
const TABLES = ['deliveries', 'delivery_chunks'] as const;

/** What pruning takes. */
export interface PruneDeps {
  database: Pick<Database, 'reads' | 'transaction'>;
  /** The settings of a source; undefined for one that is gone. */
  sources: { get(id: string): { settings: Pick<SourceSettings, 'keepDeliveriesDays'> } | undefined };
  /** What the whole log may take, in bytes. */
  maxBytes: number;
}

/**
 * Deletes deliveries that are older than their source keeps them, those of sources that are gone, all but the last
 * thousand with unknown keys, and what is too much.
 */
export async function pruneDeliveries(deps: PruneDeps, stopping: AbortSignal, now = Date.now()): Promise<void> {
  const { database, sources } = deps;
  const owners: { source_id: string }[] = await database.reads.query('SELECT DISTINCT source_id FROM delivery_totals');
  for (const { source_id: owner } of owners) {
    const known = owner === '' ? undefined : sources.get(owner);
    const isGone = owner !== '' && !known && !(await exists(database, owner));
    const days = known?.settings.keepDeliveriesDays ?? (owner === '' ? UNKNOWN_DAYS : HOURS_KEPT_DAYS);
    const old = inRange(await idsBetween(database.reads, { to: now - days * DAY_MS }), 'id', 'received_at');
    await deleteThose(database, owner, isGone ? [] : [old], stopping);
    if (owner === '') await deleteThose(database, owner, await beforeTheKept(database), stopping);
    if (isGone && !stopping.aborted) await forgetOwner(database, owner);
    if (!stopping.aborted) await forgetShared(database, owner, now);
    if (!stopping.aborted) await forgetHours(database, owner, now - HOURS_KEPT_DAYS * DAY_MS);
  }
  await limitDeliveries(deps, stopping);
}

/** Of one owner after the other: their key begins with it, so that nothing is looked through. */
const forgetHours = ({ transaction }: PruneDeps['database'], owner: string, oldest: number): Promise<unknown> =>
  transaction((tx) => tx.query('DELETE FROM delivery_hours WHERE source_id = ? AND hour < ?', [owner, oldest]));

const exists = async ({ reads }: PruneDeps['database'], id: string): Promise<boolean> =>
  ((await reads.query('SELECT id FROM sources WHERE id = ?', [id])) as unknown[]).length > 0;

/** What requests with unknown keys meet that are older than those that are kept. */
async function beforeTheKept({ reads }: PruneDeps['database']): Promise<Condition[]> {
  const [row]: { id: string }[] = await reads.query(
    `SELECT id FROM deliveries WHERE source_id IS NULL ORDER BY id DESC LIMIT 1 OFFSET ${MAX_UNKNOWN_KEPT - 1}`,
  );
  return [{ sql: 'id < ?', values: [row?.id ?? ''] }];
}

/** Deletes those of an owner that meet all conditions, oldest first. */
async function deleteThose(
  database: PruneDeps['database'],
  owner: string,
  conditions: readonly Condition[],
  stopping: AbortSignal,
): Promise<void> {
  const own = owner === '' ? { sql: 'source_id IS NULL', values: [] } : { sql: 'source_id = ?', values: [owner] };
  const { sql, values } = allOf([own, ...conditions]);
  for (const table of TABLES) {
    while (!stopping.aborted) {
      const rows: { id: string }[] = await database.reads.query(
        `SELECT id FROM ${table} WHERE ${sql} ORDER BY id LIMIT ${BATCH_ROWS}`,
        values,
      );
      if (rows.length === 0) break;
      await deleteRows(database, owner, rows);
      await pause(PAUSE_MS, stopping);
    }
  }
}

/** Deletes the oldest rows of the source whose log is largest, until all together are small enough. */
export async function limitDeliveries(
  { database, maxBytes }: Pick<PruneDeps, 'database' | 'maxBytes'>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const totals: { source_id: string; amount: number | string }[] = await database.reads.query(
      "SELECT source_id, amount FROM delivery_totals WHERE kind = 'bytes' ORDER BY amount DESC",
    );
    const sum = totals.reduce((total, { amount }) => total + Number(amount), 0);
    const [largest] = totals;
    if (sum <= maxBytes || !largest) return;
    const owner = largest.source_id;
    const [condition, values] = owner === '' ? ['source_id IS NULL', []] : ['source_id = ?', [owner]];
    const oldestOf = (table: string): Promise<{ id: string; bytes: number }[]> =>
      database.reads.query(`SELECT id, bytes FROM ${table} WHERE ${condition} ORDER BY id LIMIT ${BATCH_ROWS}`, values);
    const oldest = newestFirst((await Promise.all(TABLES.map(oldestOf))).flat())
      .toReversed()
      .slice(0, BATCH_ROWS);
    if (oldest.length === 0) return;
    let freed = 0;
    const rows = oldest.filter(({ bytes }) => {
      const isNeeded = sum - freed > maxBytes;
      if (isNeeded) freed += bytes;
      return isNeeded;
    });
    await deleteRows(database, owner, rows);
    await pause(PAUSE_MS, stopping);
  }
}

/** Deletes rows of either table. */
async function deleteRows(database: PruneDeps['database'], owner: string, rows: { id: string }[]): Promise<void> {
  await database.transaction(async (tx) => {
    const ids = In(rows.map(({ id }) => id));
    const alone = await tx.lockRows(DeliveryRowEntity, { id: ids }, ['id', 'bytes']);
    const chunks = await tx.lockRows(DeliveryChunkEntity, { id: ids }, ['id', 'bytes', 'deliveries']);
    if (alone.length > 0) await tx.getRepository(DeliveryRowEntity).delete({ id: In(alone.map(({ id }) => id)) });
    if (chunks.length > 0) await tx.getRepository(DeliveryChunkEntity).delete({ id: In(chunks.map(({ id }) => id)) });
    const bytes = [...alone, ...chunks].reduce((sum, row) => sum + row.bytes, 0);
    const deliveries = chunks.reduce((sum, chunk) => sum + chunk.deliveries, alone.length);
    await addToTotals(tx, new Map([[owner, { rows: -deliveries, bytes: -bytes }]]));
  });
}

/** Deletes what no delivery that is left can share: shared requests are older than the last delivery by an hour at most. */
async function forgetShared({ reads, transaction }: PruneDeps['database'], owner: string, now: number): Promise<void> {
  const oldestOf = async (table: string): Promise<number> => {
    const [oldest]: { received_at: number | string }[] = await reads.query(
      `SELECT received_at FROM ${table} WHERE source_id = ? ORDER BY id LIMIT 1`,
      [owner],
    );
    return Number(oldest?.received_at ?? now);
  };
  const below = firstIdAt(Math.min(now, ...(await Promise.all(TABLES.map(oldestOf)))) - 2 * SHARED_FOR_MS);
  await transaction((tx) => tx.query('DELETE FROM delivery_requests WHERE source_id = ? AND id < ?', [owner, below]));
}

const forgetOwner = ({ transaction }: PruneDeps['database'], owner: string): Promise<void> =>
  transaction(async (tx) => {
    await tx.query('DELETE FROM delivery_hours WHERE source_id = ?', [owner]);
    await tx.query('DELETE FROM delivery_requests WHERE source_id = ?', [owner]);
    // A delivery that was in flight when its source was deleted is found in the next turn.
    await tx.query(
      'DELETE FROM delivery_totals WHERE source_id = ? AND NOT EXISTS (SELECT 1 FROM deliveries WHERE source_id = ?) ' +
        'AND NOT EXISTS (SELECT 1 FROM delivery_chunks WHERE source_id = ?)',
      [owner, owner, owner],
    );
  });
