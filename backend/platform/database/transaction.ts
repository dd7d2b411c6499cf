import { marksOf } from '#backend/platform/database/conditions.ts';
import {
  type DataSource,
  EntityManager,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsSelect,
  type FindOptionsWhere,
  type QueryRunner,
} from 'typeorm';
import { type Dialect, type SqlValue, sqliteDialect, mysqlDialect } from './dialect.ts';
import { ENDED, TransactionStateError, isReadOnly } from './driver-errors.ts';
import type BetterSqlite3 from 'better-sqlite3';
import type { PoolConnection, ResultSetHeader } from 'mysql2';

/** One open transaction: TypeORM's entity manager, which knows its dialect and locks rows. */
export class Transaction extends EntityManager {
  readonly dialect: Dialect;
  /** The slot of counters that this server writes to; undefined on SQLite, whose transactions never wait in each other's midst. */
  readonly slot: number | undefined;
  /** What is reported outside of the database when this is committed, and only then: entries of the audit trail. */
  readonly toReport: object[] = [];
  /** What changed, for the feed: written down at the end of this transaction, published once it is committed. */
  readonly changes: object[] = [];
  /** False until its first read where that is what begins it, see {@link TransactionOptions.isBegunByRead}. */
  isBegun: boolean;

  constructor(source: DataSource, runner: QueryRunner, dialect: Dialect, slot?: number, isBegun = true) {
    super(source, runner);
    this.dialect = dialect;
    this.slot = slot;
    this.isBegun = isBegun;
  }

  /**
   * Runs the read that begins a transaction. It says itself whether it has: behind a proxy a session may have lost what was
   * set in it. Then the transaction is begun and read again, before anything is written.
   *
   * @param read reads {@link AUTOCOMMIT} too, while the transaction has not begun; its `autocommit` is undefined where no row
   *   was found
   */
  async beginBy<T extends { autocommit?: unknown }>(read: () => Promise<T>): Promise<T> {
    if (this.isBegun) return read();
    const first = await read();
    if (first.autocommit === undefined) return first;
    this.isBegun = true;
    if (Number(first.autocommit) === 0) return first;
    await beginOn((await this.queryRunner?.connect()) as PoolConnection);
    return read();
  }

  /**
   * Rows that nobody else changes or deletes until the transaction ends, as they are once everybody before has committed:
   * decide on what this returns, never on an earlier read. In the order of their ids, so that two transactions that lock
   * some of the same rows do not wait for each other. On MySQL, name the rows by id: `FOR UPDATE` also locks entries of
   * the index by which it finds them, and whoever changes these rows locks them in another order.
   *
   * @param columns what to read of each row; all of it without
   */
  lockRows<T extends { id: string }, K extends keyof T = keyof T>(
    entity: EntityTarget<T>,
    where: FindOptionsWhere<T>,
    columns?: readonly K[],
  ): Promise<Pick<T, K>[]> {
    // Its locks would be gone with the statement where the session has lost what was set in it.
    if (!this.isBegun) throw new TransactionStateError('Rows are locked before their transaction has begun.');
    const { rowLock } = this.dialect;
    return this.getRepository(entity).find({
      where,
      order: { id: 'ASC' } as FindOptionsOrder<T>,
      ...(columns && { select: Object.fromEntries(columns.map((column) => [column, true])) as FindOptionsSelect<T> }),
      ...(rowLock && { lock: rowLock }),
    });
  }

  /**
   * As {@link lockRows}, for rows that decide about others and are not changed themselves: the folder that an alert is filed
   * in, the administrators of whom one has to stay. Nodes of a MySQL cluster do not know of each other's locks; only two
   * transactions that changed one row are refused at the commit of the second. So each row is changed and changed back.
   */
  async holdRows<T extends { id: string; createdAt: number }>(
    entity: EntityTarget<T>,
    where: FindOptionsWhere<T>,
  ): Promise<T[]> {
    const rows = await this.lockRows(entity, where);
    const ids = rows.map(({ id }) => id);
    await this.changeAndRestore(this.dataSource.getMetadata(entity).tableName, 'created_at', ids);
    return rows;
  }

  /**
   * Changes locked rows and changes them back where nodes of a cluster do not know of each other's locks.
   *
   * @param column one of numbers, whichever
   */
  async changeAndRestore(table: string, column: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0 || !this.dialect.changesToHold) return;
    const places = marksOf(ids);
    for (const sign of ['+', '-']) {
      await this.query(`UPDATE ${table} SET ${column} = ${column} ${sign} 1 WHERE id IN (${places})`, [...ids]);
    }
  }

  /** Runs a statement that comes again and again, prepared once for each connection (see `Dialect.runPrepared`). */
  runPrepared(sql: string, parameters: SqlValue[]): Promise<void> {
    return this.dialect.runPrepared(this, sql, parameters);
  }

  /** Reads by a statement that comes again and again, see `Dialect.readPrepared`. */
  readPrepared<Row>(sql: string, parameters: SqlValue[]): Promise<Row[]> {
    return this.dialect.readPrepared(this, sql, parameters);
  }

  /** Runs a statement for many rows, see `Dialect.runRows`. */
  runRows(sqlOf: (rows: number) => string, rows: readonly SqlValue[][]): Promise<void> {
    return this.dialect.runRows(this, sqlOf, rows);
  }
}

/** How a transaction is committed. */
export interface TransactionOptions {
  /**
   * False for what nobody is promised. On SQLite the commit then does not wait for the disk, which every other transaction
   * is kept waiting for, too: a power cut can take it back as a whole, until a later commit has waited. The end of the
   * process takes nothing back. MySQL flushes as its server is configured.
   */
  waitsForDisk?: boolean;
  /**
   * True where the first statement is a read by `Transaction.beginBy`. MySQL then begins the transaction with it, which is a
   * round trip less, while one of a few connections is free that are kept for this. SQLite begins as ever.
   */
  isBegunByRead?: boolean;
}

/** Column of a read that begins a transaction: 0 where the session is set so that it does. */
export const AUTOCOMMIT = '@@autocommit';

/** Runs `work` in one transaction of one kind of database, once; on any error nothing of it is stored. */
export type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** TypeORM's runner with what a transaction of ours sets in it. */
type Runner = { -readonly [K in keyof QueryRunner]: QueryRunner[K] };

/** SQLite flushes its log at every commit, or only where the log is copied into the database's file. */
const FULL = 2;
const NORMAL = 1;
type Synchronous = typeof FULL | typeof NORMAL;

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
  let synchronous: Synchronous | undefined;

  /** Sets what the next commit waits for (https://sqlite.org/pragma.html#pragma_synchronous), and asks what was set. */
  const setSynchronous = (level: Synchronous) => {
    if (synchronous === level) return;
    synchronous = undefined;
    connection.pragma(`synchronous = ${level}`);
    if (connection.pragma('synchronous', { simple: true }) !== level) {
      throw new TransactionStateError('The database did not take how a commit is to be flushed.');
    }
    synchronous = level;
  };

  /** Ends what is open. Where that fails, the next transaction tries again, and does not begin before it is done. */
  const leave = () => {
    if (connection.inTransaction) rollback.run();
  };

  const stayInside = () => {
    if (!connection.inTransaction) throw new TransactionStateError(ENDED);
  };

  /** A runner for one transaction, with the statements that are prepared already. */
  const openRunner = (): { runner: Runner; tx: Transaction } => {
    const runner = Object.create(shared) as Runner;
    // What runs inside believes that TypeORM began the transaction, and starts none of its own.
    runner.isTransactionActive = true;
    runner.isReleased = false;
    runner.query = ((sql: string, ...rest: []) => {
      stayInside();
      return shared.query.call(runner, sql, ...rest) as Promise<unknown>;
    }) as QueryRunner['query'];
    const tx = new Transaction(writer, runner, sqliteDialect);
    runner.manager = tx;
    return { runner, tx };
  };

  return async <T>(
    work: (tx: Transaction) => Promise<T>,
    { waitsForDisk = true }: TransactionOptions = {},
  ): Promise<T> => {
    leave();
    if (connection.inTransaction) throw new TransactionStateError('An earlier transaction is still open.');
    setSynchronous(waitsForDisk ? FULL : NORMAL);
    begin.run();
    const { runner, tx } = openRunner();
    try {
      const result = await work(tx);
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

/** Bit of the status that comes with every answer of the server (SERVER_STATUS_IN_TRANS of its protocol). */
const IN_TRANSACTION = 1;

/** Runs BEGIN, COMMIT or ROLLBACK. Returns whether the server says that a transaction is open after it. */
async function isOpenAfter(connection: PoolConnection, statement: string): Promise<boolean> {
  const [{ serverStatus }] = await connection.promise().query<ResultSetHeader>(statement);
  return (serverStatus & IN_TRANSACTION) !== 0;
}

async function beginOn(connection: PoolConnection): Promise<void> {
  if (!(await isOpenAfter(connection, 'START TRANSACTION')))
    throw new TransactionStateError('The database did not begin a transaction.');
}

/** Connections for transactions that their first read begins. While more are open, the others begin as all do. */
export const CHANGE_CONNECTIONS = 4;

/**
 * Transactions on MySQL, each on a connection of its own. A connection goes back to the pool only when the server has
 * said that no transaction is open on it. Any other is closed, and the server rolls back what was open: after an error
 * without an answer nobody knows its state.
 *
 * @param slotNow the slot of counters that this server writes to.
 * @param takeWithoutAutocommit gives a connection whose session is without autocommit, of {@link CHANGE_CONNECTIONS}
 */
export function mysqlTransactions(
  source: DataSource,
  slotNow: () => number,
  takeWithoutAutocommit: () => Promise<PoolConnection>,
): RunTransaction {
  let taken = 0;

  return async (work, { isBegunByRead = false } = {}) => {
    const isWithoutAutocommit = isBegunByRead && taken < CHANGE_CONNECTIONS;
    const runner = source.createQueryRunner();
    let connection: PoolConnection | undefined;
    let mayBeOpen = true;
    if (isWithoutAutocommit) taken += 1;
    try {
      // A runner that has a connection takes none of its own.
      if (isWithoutAutocommit) Object.assign(runner, { databaseConnection: await takeWithoutAutocommit() });
      connection = (await runner.connect()) as PoolConnection;
      if (!isWithoutAutocommit) await beginOn(connection);
      const tx = new Transaction(source, runner, mysqlDialect, slotNow(), !isWithoutAutocommit);
      // TypeORM's locking reads and `save()` look at the runner.
      Object.assign(runner, { isTransactionActive: true, manager: tx });
      const result = await work(tx);
      if (!tx.isBegun) throw new TransactionStateError('Nothing was read that begins this transaction.');
      mayBeOpen = await isOpenAfter(connection, 'COMMIT');
      if (mayBeOpen) throw new TransactionStateError('The commit left the transaction open.');
      return result;
    } catch (error) {
      // The first error says more. Without an answer the connection is closed below, and so is one to a server that only reads:
      // another one may have taken its place, which a new connection leads to.
      if (connection && mayBeOpen && !isReadOnly(error))
        mayBeOpen = await isOpenAfter(connection, 'ROLLBACK').catch(() => true);
      throw error;
    } finally {
      if (isWithoutAutocommit) taken -= 1;
      if (mayBeOpen) connection?.destroy();
      await runner.release();
    }
  };
}
