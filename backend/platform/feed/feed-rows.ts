import type { EntityManager } from 'typeorm';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { FeedNumber, Positions } from './feed-place.ts';

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

const isAfter = (after: Positions): string => [...after].map(() => '(writer = ? AND number > ?)').join(' OR ');

/** Of one writer, the last row. */
export async function readLast(manager: EntityManager, writer: number): Promise<FeedNumber | undefined> {
  const [row]: { number: unknown; settled: unknown }[] = await manager.query(
    'SELECT number, settled FROM changes WHERE writer = ? ORDER BY number DESC LIMIT 1',
    [writer],
  );
  return row && { writer, number: Number(row.number), settled: Number(row.settled) };
}
