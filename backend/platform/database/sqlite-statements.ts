import type BetterSqlite3 from 'better-sqlite3';
import type { EntityManager } from 'typeorm';
import { ENDED, TransactionStateError } from './driver-errors.ts';

const prepared = new WeakMap<BetterSqlite3.Database, Map<string, BetterSqlite3.Statement>>();

/**
 * A statement of a transaction that is open (see `sqliteTransactions`), prepared once for its connection: the texts that come
 * again and again are few.
 */
export async function preparedOf({ queryRunner }: EntityManager, sql: string): Promise<BetterSqlite3.Statement> {
  const connection = (await queryRunner?.connect()) as BetterSqlite3.Database;
  if (!queryRunner || queryRunner.isReleased || !connection.inTransaction) throw new TransactionStateError(ENDED);
  const statements = prepared.get(connection) ?? new Map<string, BetterSqlite3.Statement>();
  if (statements.size === 0) prepared.set(connection, statements);
  const statement = statements.get(sql) ?? connection.prepare(sql);
  statements.set(sql, statement);
  return statement;
}
