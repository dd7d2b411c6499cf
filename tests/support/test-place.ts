import { STORED } from '#backend/server/entities.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RowDataPacket, createConnection, format } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import type { Database } from '#backend/platform/database/database.ts';
import { type DatabaseLocation, SQLITE_FILE, openDatabase } from '#backend/platform/database/open-database.ts';

/** Where one test's data lies. */
export interface TestPlace {
  dataDir: string;
  databaseUrl: string | undefined;
  remove(): Promise<void>;
}

/** An empty database of the kind that TEST_DIALECT names, and a data folder. */
export async function makeTestPlace(): Promise<TestPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-test-'));
  const removeDataDir = () => rm(dataDir, { recursive: true, force: true });
  const serverUrl = process.env['TEST_DIALECT'] === 'mysql' ? process.env['TEST_DATABASE_URL'] : undefined;
  if (!serverUrl) return { dataDir, databaseUrl: undefined, remove: removeDataDir };

  const name = `alertdesk_${uuidv7().replaceAll('-', '')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  return {
    dataDir,
    databaseUrl: url.href,
    async remove() {
      await runOn(serverUrl, `DROP DATABASE ${name}`);
      await removeDataDir();
    },
  };
}

async function runOn(url: string, statements: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  await connection.query(statements);
  await connection.end();
}

/**
 * Opens the database of a place, and waits for it for as long as it takes: files that run side by side share a MariaDB, which
 * a busy machine may stop for seconds.
 */
export const openTestDatabase = (place: DatabaseLocation): Promise<Database> =>
  openDatabase(place, STORED, undefined, { isPatient: true });

/** As {@link makeTestPlace}, with the tables that migrations make: a copy of them, which costs a tenth of making them. */
export async function makeMigratedPlace(): Promise<TestPlace> {
  const place = await makeTestPlace();
  if (place.databaseUrl) await runOn(place.databaseUrl, await (mysqlTables ??= dumpMigrated()));
  else await writeFile(join(place.dataDir, SQLITE_FILE), await (sqliteFile ??= readMigrated()), { mode: 0o600 });
  return place;
}

/** What this process copies, made when it is first needed. */
let mysqlTables: Promise<string> | undefined;
let sqliteFile: Promise<Buffer> | undefined;

async function makeMigrated(): Promise<TestPlace> {
  const place = await makeTestPlace();
  const database = await openTestDatabase(place);
  await database.close();
  return place;
}

/** The database's file: closed, it has everything in itself. */
async function readMigrated(): Promise<Buffer> {
  const { dataDir, remove } = await makeMigrated();
  const file = await readFile(join(dataDir, SQLITE_FILE));
  await remove();
  return file;
}

/** The statements that make the tables again, with the rows that migrations wrote. */
async function dumpMigrated(): Promise<string> {
  const { databaseUrl = '', remove } = await makeMigrated();
  const connection = await createConnection(databaseUrl);
  const statements = ['SET foreign_key_checks = 0'];
  const [tables] = await connection.query<RowDataPacket[][]>({ sql: 'SHOW TABLES', rowsAsArray: true });
  for (const [table] of tables) {
    const [[created]] = await connection.query<RowDataPacket[][]>({
      sql: format('SHOW CREATE TABLE ??', [table]),
      rowsAsArray: true,
    });
    statements.push(String(created?.[1]));
    const [rows] = await connection.query<RowDataPacket[][]>({
      sql: format('SELECT * FROM ??', [table]),
      rowsAsArray: true,
    });
    if (rows.length > 0) statements.push(format('INSERT INTO ?? VALUES ?', [table, rows]));
  }
  await connection.end();
  await remove();
  return statements.join(';\n');
}
