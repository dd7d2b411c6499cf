import BetterSqlite3 from 'better-sqlite3';
import type { PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import type { SqlValue } from './dialect.ts';

/** Reads rows, with the columns' own names. */
export type Query = <Row extends object>(sql: string, values?: SqlValue[]) => Promise<Row[]>;

/** Runs `work` with the database as it is at one moment, however long it takes. It cannot write, and keeps nobody from it. */
export type ReadSnapshot = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

/** How long opening waits for whoever has the file, in milliseconds. */
const BUSY_MS = 10_000;

/**
 * Snapshots of the embedded database, each on a connection of its own. While one is open, the WAL keeps what is written.
 *
 * @param file the database's
 */
export const sqliteSnapshots =
  (file: string): ReadSnapshot =>
  async (work) => {
    const connection = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    try {
      // A transaction of SQLite sees what was committed before its first read.
      connection.exec('BEGIN; SELECT 1 FROM sqlite_master');
      return await work(async <Row extends object>(sql: string, values: SqlValue[] = []) =>
        connection.prepare<SqlValue[], Row>(sql).all(...values),
      );
    } finally {
      connection.close();
    }
  };

/**
 * Snapshots of MySQL, each on a connection of its own. While one is open, InnoDB keeps the rows that others change
 * (https://dev.mysql.com/doc/refman/8.4/en/innodb-consistent-read.html).
 */
export const mysqlSnapshots =
  (source: DataSource): ReadSnapshot =>
  async (work) => {
    const runner = source.createQueryRunner();
    const connection = (await runner.connect()) as PoolConnection;
    let isOver = false;
    try {
      // For the next transaction alone; afterwards the connection has the level of all others.
      await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await runner.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      const result = await work(
        <Row extends object>(sql: string, values: SqlValue[] = []) => runner.query(sql, values) as Promise<Row[]>,
      );
      await runner.query('COMMIT');
      isOver = true;
      return result;
    } finally {
      // The server ends what is open with its connection.
      if (!isOver) connection.destroy();
      await runner.release();
    }
  };
