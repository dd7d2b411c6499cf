import type { EntityManager } from 'typeorm';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { FeedNumber, Place, Positions } from './feed-place.ts';

/** A row as it is read. */
export interface FeedRow extends FeedNumber {
  facts: string;
}

/** A row as it is stored. */
export interface StoredFeedRow extends FeedRow {
  /** When it was written, by its server's clock, in milliseconds since the epoch. */
  at: number;
}

/** The facts of a number that belongs to no change: its transaction was rolled back. */
export const NO_FACTS = '[]';

/** The clocks of two servers are not further apart, in milliseconds. On SQLite one server has one clock. */
const CLOCKS_APART_MS = { sqlite: 0, mysql: 60_000 };

/** Writes a row. */
export function insertRow(tx: Transaction, { writer, number, settled, facts }: FeedRow, at: number): Promise<void> {
  const sql = insertSql('changes', ['writer', 'number', 'settled', 'at', 'facts'], 1);
  return tx.runPrepared(sql, [writer, number, settled, at, facts]);
}

/** A writer as the table names it. */
export interface Writer {
  id: number;
  serverId: string;
  prunedTo: number;
}

/** Everybody who has changes that are kept, and everybody who may write some. */
export async function readWriters(manager: EntityManager): Promise<Writer[]> {
  const rows: { id: unknown; serverId: string; prunedTo: unknown }[] = await manager.query(
    'SELECT id, server_id AS serverId, pruned_to AS prunedTo FROM change_writers ORDER BY id',
  );
  return rows.map(({ id, serverId, prunedTo }) => ({ id: Number(id), serverId, prunedTo: Number(prunedTo) }));
}

/** The rows of these writers after these positions, in each writer's order; `limit` at most. */
export async function readRows(manager: EntityManager, after: Positions, limit: number): Promise<StoredFeedRow[]> {
  if (after.size === 0) return [];
  const rows: Record<keyof StoredFeedRow, unknown>[] = await manager.query(
    'SELECT writer, number, settled, at, facts FROM changes ' +
      `WHERE ${isAfter(after)} ORDER BY writer, number LIMIT ${limit}`,
    [...after].flat(),
  );
  return rows.map(({ writer, number, settled, at, facts }) => ({
    writer: Number(writer),
    number: Number(number),
    settled: Number(settled),
    at: Number(at),
    facts: String(facts),
  }));
}

/**
 * As {@link readRows}, in the order of their times as far as that of each writer allows, also where there are more than `limit`:
 * what one server changed is not read long before what others changed at the same time.
 */
export async function readRowsByTime(
  manager: EntityManager,
  after: Positions,
  limit: number,
): Promise<StoredFeedRow[]> {
  let rows = await readRows(manager, after, limit);
  const last = rows.length < limit ? undefined : rows.at(-1)?.writer;
  // Of this writer there may be more, and of those behind it nothing is read yet. Mostly it is the only one.
  const unread = last === undefined ? [] : [...after].filter(([writer]) => writer >= last);
  if (last !== undefined && (unread.length > 1 || rows[0]?.writer !== last)) {
    rows = rows.filter(({ writer }) => writer < last);
    for (const [writer, number] of unread) rows.push(...(await readRows(manager, new Map([[writer, number]]), limit)));
  }
  const latest = new Map<number, number>();
  return rows
    .map((row) => {
      // A clock that was set back changes nothing of the order of its writer.
      const time = Math.max(row.at, latest.get(row.writer) ?? 0);
      latest.set(row.writer, time);
      return { row, time };
    })
    .toSorted((one, other) => one.time - other.time)
    .slice(0, limit)
    .map(({ row }) => row);
}

/** How many rows of these writers come after these positions, `limit` at most, and how many bytes of facts they have. */
export async function measureRows(
  manager: EntityManager,
  after: Positions,
  limit: number,
): Promise<{ rows: number; bytes: number }> {
  if (after.size === 0) return { rows: 0, bytes: 0 };
  const [found]: { found: unknown; bytes: unknown }[] = await manager.query(
    'SELECT COUNT(*) AS found, SUM(OCTET_LENGTH(facts)) AS bytes FROM ' +
      `(SELECT facts FROM changes WHERE ${isAfter(after)} LIMIT ${limit}) AS following`,
    [...after].flat(),
  );
  return { rows: Number(found?.found ?? 0), bytes: Number(found?.bytes ?? 0) };
}

const isAfter = (after: Positions): string => isEach(after, '>');

const isEach = (positions: Positions, compared: '>' | '='): string =>
  [...positions].map(() => `(writer = ? AND number ${compared} ?)`).join(' OR ');

/**
 * Whether changes are stored that were known at a place. They are not where a backup was restored since: a writer has not come
 * so far then, or it is another start of a server, which was given the same number and came there later.
 *
 * @param own the writer of this server, and the last number that it has given
 */
export async function hasComeTo(
  { dialect, reads }: Pick<Database, 'dialect' | 'reads'>,
  { madeAt, positions }: Place,
  own: { writer: number; last: number },
): Promise<boolean> {
  if (positions.size === 0) return true;
  const reached: { id: unknown; prunedTo: unknown; last: unknown }[] = await reads.query(
    'SELECT id, pruned_to AS prunedTo, (SELECT MAX(number) FROM changes WHERE writer = change_writers.id) AS last ' +
      'FROM change_writers',
  );
  const lastOf = new Map(
    reached.map(({ id, prunedTo, last }) => [Number(id), Math.max(Number(prunedTo), Number(last))]),
  );
  // Its last transactions may have been rolled back, which leave no rows.
  lastOf.set(own.writer, own.last);
  if ([...positions].some(([writer, number]) => number > (lastOf.get(writer) ?? 0))) return false;
  const later: unknown[] = await reads.query(
    `SELECT number FROM changes WHERE at > ? AND (${isEach(positions, '=')}) LIMIT 1`,
    [madeAt + CLOCKS_APART_MS[dialect.name], ...[...positions].flat()],
  );
  return later.length === 0;
}

/** Of one writer, the last row. */
export async function readLast(manager: EntityManager, writer: number): Promise<FeedNumber | undefined> {
  const [row]: { number: unknown; settled: unknown }[] = await manager.query(
    'SELECT number, settled FROM changes WHERE writer = ? ORDER BY number DESC LIMIT 1',
    [writer],
  );
  return row && { writer, number: Number(row.number), settled: Number(row.settled) };
}
