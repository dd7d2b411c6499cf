import { STORED } from '#backend/server/entities.ts';
import { join } from 'node:path';
import { DataSource, MigrationExecutor } from 'typeorm';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createConnection } from 'mysql2/promise';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { startMain } from '#tests/support/main-process.ts';
import { type TestPlace, makeMigratedPlace, makeTestPlace, openTestDatabase } from '#tests/support/test-place.ts';
import type { Database } from './database.ts';
import { CREATE_LEASES, DATABASE_NOW } from './lease.ts';
import { migrations } from './migrations.ts';

/** Migrations from this one on say by their names whether the release before can work with what they leave. */
const FIRST_NAMED = 1_764_901_500_000;

let place: TestPlace;
let databases: Database[];
beforeEach(() => {
  databases = [];
});
afterEach(async () => {
  for (const database of databases) await database.close();
});

/** An empty database for a test of migrating, or one that has the tables: making them takes ten times as long as a copy. */
async function workIn(made: Promise<TestPlace>): Promise<void> {
  place = await made;
  onTestFinished(place.remove);
}

async function open(): Promise<Database> {
  const database = await openTestDatabase(place);
  databases.push(database);
  return database;
}

const readMade = async ({ reads }: Database): Promise<string[]> =>
  (await reads.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY name')).map(({ name }) => name);
const allNames = migrations.map(({ name }) => name).toSorted();

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('on MySQL', () => {
  test('of servers that start at the same moment one migrates, and the others wait for it', async () => {
    await workIn(makeTestPlace());
    const opened = await Promise.all([open(), open(), open()]);
    for (const database of opened) expect(await readMade(database)).toEqual(allNames);
  });

  test('another server goes on where one died', async () => {
    await workIn(makeTestPlace());
    const connection = await createConnection(place.databaseUrl ?? '');
    await connection.query(CREATE_LEASES);
    const startedAt = performance.now();
    // It has a second left, which it does not renew.
    await connection.query(`INSERT INTO leases VALUES ('migrations', 'dead', 7, ${DATABASE_NOW} + 1000)`);
    await connection.end();
    const database = await open();
    expect(performance.now() - startedAt).toBeGreaterThan(700);
    expect(await readMade(database)).toEqual(allNames);
    const [lease] = await database.reads.query("SELECT token FROM leases WHERE name = 'migrations'");
    expect(Number(lease.token)).toBe(8);
  });
});

test('a release does not start on a database that a newer one changed, unless that only expanded it', async () => {
  await workIn(makeMigratedPlace());
  const database = await open();
  const add = (name: string) =>
    database.transaction((tx) =>
      tx.query('INSERT INTO migrations (timestamp, name) VALUES (?, ?)', [9_999_999_999_999, name]),
    );
  await add('ExpandByColours9999999999998');
  await open();
  await add('ContractColours9999999999999');
  await expect(open()).rejects.toThrow(StartError);
  await expect(open()).rejects.toThrow(
    `This is Alertdesk ${PRODUCT_VERSION}, which cannot work with the database as a newer release has changed it (ContractColours9999999999999); start the newer release, or restore a backup from before.`,
  );
});

test('the database says which release made its migrations', async () => {
  await workIn(makeMigratedPlace());
  const { reads } = await open();
  expect(await reads.query('SELECT DISTINCT made_by FROM migrations')).toEqual([{ made_by: PRODUCT_VERSION }]);
});

const NEWER = 'INSERT INTO migrations (timestamp, name, made_by) VALUES (9999999999999, ?, ?)';

test.each([
  ['ContractColours9999999999999', []],
  // What an older server asks at its start, and no longer finds.
  ['ExpandByColours9999999999999', ['ALTER TABLE users DROP COLUMN display_name']],
])('a process that starts on a newer database ends in one sentence with both versions: %s', async (name, changes) => {
  await workIn(makeMigratedPlace());
  const database = await openTestDatabase(place);
  for (const change of changes) await database.transaction((tx) => tx.query(change));
  await database.transaction((tx) => tx.query(NEWER, [name, '9.8.7']));
  await database.close();
  const { output, ended } = startMain(place, {});
  expect(await ended).toBe(1);
  expect(output.err).toBe(
    `This is Alertdesk ${PRODUCT_VERSION}, which cannot work with the database as Alertdesk 9.8.7 has changed it (${name}); start the newer release, or restore a backup from before.\n`,
  );
});

test('each migration says by its name whether the release before can work with what it leaves', () => {
  const named = migrations.filter(({ name }) => Number(name.slice(-13)) >= FIRST_NAMED);
  expect(named.map(({ name }) => name).filter((name) => !/^(?:Expand|Contract)[A-Z]/.test(name))).toEqual([]);
});

interface Column {
  table: string;
  name: string;
  type: string;
  isGenerated: boolean;
}

/** The columns of every table, in their order. */
async function readColumns(source: DataSource): Promise<Column[]> {
  const isOnMysql = source.options.type === 'mysql';
  const rows: Record<string, unknown>[] = await source.query(
    isOnMysql
      ? 'SELECT table_name AS tableName, column_name AS name, column_type AS type, ' +
          "extra LIKE '%auto_increment%' AS isGenerated FROM information_schema.columns WHERE table_schema = DATABASE() " +
          'ORDER BY table_name, ordinal_position'
      : 'SELECT m.name AS tableName, c.name AS name, c.type AS type, ' +
          "m.name = 'migrations' AND c.pk AS isGenerated FROM sqlite_master m JOIN pragma_table_info(m.name) c " +
          "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid",
  );
  return rows.map((row) => ({
    table: String(row['tableName']),
    name: String(row['name']),
    type: String(row['type']),
    isGenerated: Number(row['isGenerated']) === 1,
  }));
}

const quote = (name: string) => `\`${name}\``;

/** What the release before writes into a row of its columns, and reads from it. */
async function writeAndRead(source: DataSource, columns: readonly Column[], row: number): Promise<unknown[]> {
  const written = columns.filter(({ isGenerated }) => !isGenerated);
  const [table = ''] = written.map((column) => column.table);
  const valueOf = ({ type }: Column) => (/int|bool/i.test(type) ? row : `r${row}`);
  const names = written.map(({ name }) => quote(name)).join(', ');
  await source.query(
    `INSERT INTO ${quote(table)} (${names}) VALUES (${written.map(() => '?').join(', ')})`,
    written.map(valueOf),
  );
  const [first] = written;
  if (!first) throw new Error(`${table} has no columns.`);
  await source.query(`UPDATE ${quote(table)} SET ${quote(first.name)} = ${quote(first.name)}`);
  const rows: Record<string, unknown>[] = await source.query(
    `SELECT ${names} FROM ${quote(table)} WHERE ${written.map(({ name }) => `${quote(name)} = ?`).join(' AND ')}`,
    written.map(valueOf),
  );
  return rows.map((found) => Object.values(found).map(String));
}

test('what the release before reads and writes works after each migration that expands', async () => {
  await workIn(makeTestPlace());
  const options = { entities: STORED.entities, migrations };
  const source = new DataSource(
    place.databaseUrl
      ? { type: 'mysql', url: place.databaseUrl, ...options }
      : { type: 'better-sqlite3', database: join(place.dataDir, 'migrations.sqlite'), ...options },
  );
  await source.initialize();
  try {
    const executor = new MigrationExecutor(source);
    executor.transaction = 'none';
    // Unlike what migrations store. A boolean of MySQL holds 127 at most.
    let row = 60;
    for (const migration of await executor.getPendingMigrations()) {
      const before = await readColumns(source);
      await executor.executeMigration(migration);
      if (!migration.name.startsWith('Expand')) continue;
      row += 1;
      const tables = Map.groupBy(before, ({ table }) => table);
      for (const [table, columns] of tables) {
        const expected = columns
          .filter(({ isGenerated }) => !isGenerated)
          .map(({ type }) => (/int|bool/i.test(type) ? String(row) : `r${row}`));
        expect([migration.name, table, await writeAndRead(source, columns, row)]).toEqual([
          migration.name,
          table,
          [expected],
        ]);
      }
    }
    expect(row).toBeGreaterThan(60);
  } finally {
    await source.destroy();
  }
});
