import type { Statement } from 'better-sqlite3';
import { CACHE_KIB, limitCache } from '#backend/platform/database/memory.ts';

/** Which database a thread reads: the embedded one's file, or the address of a server. */
export type DatabasePlace = { databaseFile: string } | { databaseUrl: string };

/** Runs a `SELECT`. */
export type ReadRows = <Row>(sql: string, values?: readonly (string | number)[]) => Promise<Row[]>;

/** A connection of a thread's own, that reads only. */
export interface Reader {
  read: ReadRows;
  close(): void;
}

/** How long connecting, and how long one statement may take, in milliseconds. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 20_000;

/**
 * Loads the driver of this database alone: with both a thread takes twice as long to start.
 *
 * @param signal after it, nothing that is asked of a server is waited for any more
 */
export const openReader = (place: DatabasePlace, signal: AbortSignal): Promise<Reader> =>
  'databaseUrl' in place ? openMysql(place.databaseUrl, signal) : openSqlite(place.databaseFile);

async function openSqlite(file: string): Promise<Reader> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const connection = new BetterSqlite3(file, { readonly: true });
  limitCache(connection, CACHE_KIB.thread);
  const statements = new Map<string, Statement>();
  return {
    async read<Row>(sql: string, values: readonly (string | number)[] = []) {
      const statement = statements.get(sql) ?? connection.prepare(sql);
      statements.set(sql, statement);
      return statement.all(...values) as Row[];
    },
    close: () => void connection.close(),
  };
}

async function openMysql(url: string, signal: AbortSignal): Promise<Reader> {
  const { openOwnConnection } = await import('#backend/platform/database/own-connection.ts');
  const connection = await openOwnConnection(url, CONNECT_MS, signal);
  return {
    async read<Row>(sql: string, values: readonly (string | number)[] = []) {
      const [rows] = await connection.query({ sql, timeout: STATEMENT_MS }, [...values]);
      return rows as Row[];
    },
    close: () => connection.destroy(),
  };
}
