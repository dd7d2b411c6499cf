import type BetterSqlite3 from 'better-sqlite3';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { RunTransaction } from './database.ts';
import { TransactionStateError } from './dialect.ts';

/** TypeORM's runner with what a transaction of ours sets in it. */
type Runner = { -readonly [K in keyof QueryRunner]: QueryRunner[K] };

/**
 * Transactions on SQLite's one writing connection. SQLite's own account of its state (`inTransaction`) decides whether
 * one is open, never a counter beside it: a COMMIT that meets a full disk or an I/O error rolls back by itself
 * (https://sqlite.org/lang_transaction.html), after which TypeORM's counter would stay at one for good.
 *
 * No statement of a transaction runs outside of it: one that SQLite ended in the middle refuses every further
 * statement and its commit, and so does one that is over for a statement that comes late.
 *
 * The caller starts one transaction at a time.
 */
export async function sqliteTransactions(writer: DataSource): Promise<RunTransaction> {
  const shared = writer.createQueryRunner();
  const connection = (await shared.connect()) as BetterSqlite3.Database;
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');

  /** Ends what is open. Where that fails, the next transaction tries again, and does not begin before it is done. */
  const leave = () => {
    if (connection.inTransaction) rollback.run();
  };

  const stayInside = () => {
    if (!connection.inTransaction) throw new TransactionStateError('The database ended this transaction by itself.');
  };

  /** A runner for one transaction, with the statements that are prepared already. */
  const openRunner = (): Runner => {
    const runner = Object.create(shared) as Runner;
    // What runs inside believes that TypeORM began the transaction, and starts none of its own.
    runner.isTransactionActive = true;
    runner.isReleased = false;
    runner.query = ((sql: string, ...rest: []) => {
      stayInside();
      return shared.query.call(runner, sql, ...rest) as Promise<unknown>;
    }) as QueryRunner['query'];
    runner.manager = writer.createEntityManager(runner);
    return runner;
  };

  return async <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> => {
    leave();
    if (connection.inTransaction) throw new TransactionStateError('An earlier transaction is still open.');
    begin.run();
    const runner = openRunner();
    try {
      const result = await work(runner.manager);
      stayInside();
      commit.run();
      if (connection.inTransaction) throw new TransactionStateError('The commit left the transaction open.');
      return result;
    } catch (error) {
      try {
        leave();
      } catch {
        // The first error says more; what is still open is left before the next transaction.
      }
      throw error;
    } finally {
      runner.isReleased = true;
    }
  };
}
