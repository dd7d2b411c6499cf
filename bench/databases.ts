import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { MariaDbMissingError, startMariaDb } from '#tests/support/mariadb.ts';
import { mariaDbConditions, sqliteConditions } from './conditions.ts';

/** A database that the bench measures on. */
export interface BenchDatabase {
  name: 'SQLite' | 'MariaDB';
  /** Version, durability and memory. */
  conditions: string;
  /** The process of the database's server, where this machine has one. */
  pid: number | undefined;
  /** A new, empty database: nothing for SQLite, whose data lies in the data folder. */
  createUrl(): Promise<string | undefined>;
  /** Removes what {@link createUrl} made. */
  stop(): Promise<void>;
}

/**
 * SQLite, and MariaDB where it can be had.
 *
 * @param only `sqlite` or `mariadb`; both without it
 */
export async function openBenchDatabases(report: (line: string) => void, only?: string): Promise<BenchDatabase[]> {
  const databases = only === 'mariadb' ? [] : [await sqlite()];
  try {
    if (only !== 'sqlite') databases.push(await mariaDb());
  } catch (error) {
    if (!(error instanceof MariaDbMissingError)) throw error;
    report(`MariaDB was left out. ${error.message}`);
  }
  for (const { name, conditions } of databases) report(`${name}: ${conditions}`);
  return databases;
}

async function sqlite(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
  try {
    const conditions = await sqliteConditions(folder);
    return {
      name: 'SQLite',
      pid: undefined,
      conditions,
      createUrl: async () => undefined,
      stop: async () => undefined,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What docs/sizing.md plans for a million alerts; the tests' servers hold less than such data. */
const BUFFER_POOL = '--innodb-buffer-pool-size=1G';

async function mariaDb(): Promise<BenchDatabase> {
  const server = await startMariaDb([BUFFER_POOL]);
  const made: string[] = [];
  return {
    name: 'MariaDB',
    pid: server.pid,
    conditions: await mariaDbConditions(server.url),
    async createUrl() {
      const name = `bench_${process.pid}_${made.length}`;
      made.push(name);
      await query(server.url, `CREATE DATABASE ${name}`);
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    },
    async stop() {
      // A server that TEST_DATABASE_URL names goes on without them.
      for (const name of made) await query(server.url, `DROP DATABASE IF EXISTS ${name}`);
      await server.stop();
    },
  };
}

async function query(url: string, statement: string): Promise<void> {
  const connection = await createConnection(url);
  await connection.query(statement);
  await connection.end();
}
