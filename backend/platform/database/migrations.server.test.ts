import { STORED } from '#backend/server/entities.ts';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import type { Database } from './database.ts';
import { SQLITE_FILE } from './open-database.ts';
import { migrations } from './migrations.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestPlace, makeMigratedPlace, makeTestPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const BY_SEVERITY = 'FilterBySeverityAndSource1764900300000';
const SOURCE = '019abc00-0000-7000-8000-000000000001';

const cleanUp: (() => Promise<void>)[] = [];
// The copies of a migrated database have their own time.
beforeAll(async () => (await makeMigratedPlace()).remove());
afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

/** The database of a place as TypeORM opens it. */
async function openSource(place: TestPlace): Promise<DataSource> {
  const options = { entities: STORED.entities, migrations };
  const source = new DataSource(
    place.databaseUrl
      ? { type: 'mysql', url: place.databaseUrl, ...options }
      : { type: 'better-sqlite3', database: join(place.dataDir, SQLITE_FILE), ...options },
  );
  await source.initialize();
  cleanUp.push(place.remove, () => source.destroy());
  return source;
}

test('run, and fit the entities', async () => {
  const source = await openSource(await makeTestPlace());
  await source.runMigrations({ transaction: 'none' });
  const user = {
    id: 'one',
    email: 'a@example.com',
    emailKey: 'a@example.com',
    displayName: 'A',
    role: 'user' as const,
    isActive: true,
    passwordHash: 'x',
    passwordChangedAt: null,
    timeFormat: null,
    timeZone: null,
    listOrders: null,
    openGroups: null,
    createdAt: 1_763_700_000_123,
  };
  await source.getRepository(UserEntity).insert(user);
  expect(await source.getRepository(UserEntity).find()).toEqual([user]);
  for (const { name } of source.entityMetadatas) await source.getRepository(name).find();
});

test('run down and up again', async () => {
  const source = await openSource(await makeMigratedPlace());
  for (const _ of migrations) await source.undoLastMigration({ transaction: 'none' });
  await expect(source.getRepository(UserEntity).find()).rejects.toThrow(/users/);

  await source.runMigrations({ transaction: 'none' });
  expect(await source.getRepository(UserEntity).count()).toBe(0);
});

/** The statements by which its tables are defined, with the migrations that it has had. */
async function definitions({ dataDir, databaseUrl }: TestPlace): Promise<unknown> {
  const database = await openTestDatabase({ dataDir, databaseUrl });
  cleanUp.push(() => database.close());
  const read = (sql: string): Promise<Record<string, unknown>[]> => database.reads.query(sql);
  const made = await read('SELECT timestamp, name FROM migrations ORDER BY id');
  if (!databaseUrl) return [made, await read('SELECT type, name, sql FROM sqlite_master ORDER BY name')];
  const tables = (await read('SHOW TABLES')).flatMap((row) => Object.values(row));
  return [made, await Promise.all(tables.map((table) => read(`SHOW CREATE TABLE \`${String(table)}\``)))];
}

test('are copied for tests as they are', async () => {
  const [empty, copy] = [await makeTestPlace(), await makeMigratedPlace()];
  cleanUp.push(empty.remove, copy.remove);
  expect(await definitions(copy)).toEqual(await definitions(empty));
});

test('count what was stored before there were counts, also when the upgrade is killed half-way', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  const key = await server.addApiKey();
  const member = await server.signedIn();
  for (const customer of ['Nordwind', 'Nordwind', 'acme']) await member.postAlert(key, { customer });
  const { id } = await member.postAlert(key, { type: 'order' });
  await member.send('POST', `/api/alerts/${id}/accept`);

  await server.database.transaction(async (tx) => {
    // As it is after a stop right before the counting, the last step.
    await tx.query('DELETE FROM alert_counts');
    await tx.query(`DELETE FROM migrations WHERE name IN ('CreateAlertCounts1764100000000', '${BY_SEVERITY}')`);
  });
  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  await expectTrueCounts(upgraded.database);
});

/** Takes the migrations from this one on back, as an older release would need it. */
async function takeBack(database: Database, first: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!tx.queryRunner) throw new Error('There is no connection.');
    for (const migration of migrations.slice(migrations.findIndex(({ name }) => name === first)).toReversed()) {
      await new migration().down(tx.queryRunner);
      await tx.query('DELETE FROM migrations WHERE name = ?', [migration.name]);
    }
  });
}

test('make a source of each API key, and an API key of each key of a source', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  const first = await server.addApiKey('Monitoring');
  const admin = await server.signedIn({ role: 'admin' });
  await admin.postAlert(first);
  const [source] = await server.database.reads.getRepository(SourceEntity).find();

  await takeBack(server.database, 'CreateSources1764900000000');
  const keys = () => server.database.reads.query('SELECT id, name, key_hash FROM api_keys ORDER BY id');
  expect(await keys()).toEqual([{ id: source?.id, name: 'Monitoring', key_hash: hash('sha256', first) }]);
  // Names of keys could be equal.
  const older = ['monitoring', 'MONITORING', 'x'.repeat(100), `${'x'.repeat(99)}X`];
  await server.database.transaction(async (tx) => {
    for (const [index, name] of older.entries()) {
      await tx.query('INSERT INTO api_keys (id, name, key_hash, created_at) VALUES (?, ?, ?, ?)', [
        `ffffffff-0000-7000-8000-00000000000${index}`,
        name,
        hash('sha256', `key ${index}`),
        1_763_700_000_000 + index,
      ]);
    }
  });

  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  const sources = await upgraded.database.reads.getRepository(SourceEntity).find({ order: { id: 'ASC' } });
  expect(sources.map(({ name }) => name)).toEqual([
    'Monitoring',
    'monitoring 2',
    'MONITORING 3',
    'x'.repeat(100),
    `${'x'.repeat(98)} 2`,
  ]);
  expect(sources[0]?.id).toBe(source?.id);
  for (const key of [first, 'key 0', 'key 3']) expect((await upgraded.anonymous().post(key, {})).status).toBe(202);
  await expect(upgraded.database.reads.query('SELECT * FROM api_keys')).rejects.toThrow(/api_keys/);
});

test('go on with the sources where they were killed', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  const key = await server.addApiKey('Monitoring');
  await server.database.transaction(async (tx) => {
    // As it is after a stop between the two rows of a key.
    await tx.query(
      'CREATE TABLE api_keys (id VARCHAR(36), name VARCHAR(100), key_hash VARCHAR(64), created_at BIGINT, last_used_at BIGINT)',
    );
    await tx.query('INSERT INTO api_keys SELECT source_id, ?, hash, created_at, last_used_at FROM source_secrets', [
      'Monitoring',
    ]);
    await tx.query('DELETE FROM source_secrets');
    await tx.query("DELETE FROM migrations WHERE name = 'CreateSources1764900000000'");
  });
  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  expect(await upgraded.database.reads.getRepository(SourceEntity).count()).toBe(1);
  expect((await upgraded.anonymous().post(key, {})).status).toBe(202);
});

/** What an alert's stored history says, oldest first. */
const actions = async (database: Database, alertId: string) =>
  (await database.reads.getRepository(HistoryEntity).find({ where: { alertId }, order: { id: 'ASC' } })).map(
    ({ action, userDisplayName }) => `${action} ${userDisplayName}`,
  );

test('give each alert its first history entry when they are taken back', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  const key = await server.addApiKey();
  const member = await server.signedIn();
  const { id: untouched } = await member.postAlert(key);
  const { id: accepted } = await member.postAlert(key);
  await member.send('POST', `/api/alerts/${accepted}/accept`);
  expect(await actions(server.database, untouched)).toEqual([]);
  await server.database.transaction(async (tx) => {
    const migration = migrations.find(({ name }) => name.startsWith('KeepSourceInAlerts'));
    if (!migration || !tx.queryRunner) throw new Error('The migration is missing.');
    await new migration().down(tx.queryRunner);
    await tx.query("DELETE FROM migrations WHERE name LIKE 'KeepSourceInAlerts%'");
  });
  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  const received = expect.stringMatching(/^received ./);
  expect(await actions(upgraded.database, untouched)).toEqual([received]);
  expect(await actions(upgraded.database, accepted)).toEqual([received, expect.stringMatching(/^accepted /)]);
});

test('leave older alerts as they are when problems are kept, but for their headlines', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  const member = await server.signedIn();
  const { id } = await member.postAlert(await server.addApiKey(), { customer: 'Nordwind', title: 'Disk full' });
  await takeBack(server.database, 'KeepProblems1764900100000');
  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  const reader = await upgraded.signedIn();
  const first = async () => alertListSchema.parse(await (await reader.get('/api/alerts/inbox')).json())[0];
  // Its headline comes after the upgrade, beside other work.
  await expect.poll(async () => (await first())?.title).toBe('Disk full');
  const alert = await first();
  expect(alert).toMatchObject({ id, customer: 'Nordwind', severity: 'none', state: 'event', occurrences: 1 });
  expect(alert?.lastSeenAt).toBe(alert?.timestamp);
});

test.each(['taken back', 'killed half-way'])(
  'count by severity and source what was stored before, when the upgrade was %s',
  async (moment) => {
    const server = await startTestServer();
    cleanUp.push(() => server.destroy());
    const member = await server.signedIn();
    const common = { customer: 'Nordwind', sourceId: SOURCE };
    await insertAlerts(server.database, [
      { ...common, severity: 'critical' },
      { ...common, severity: 'warning', status: 'accepted', ownerId: member.id },
      common,
      { ...common, severity: 'critical', sourceId: null },
    ]);
    if (moment === 'taken back') await takeBack(server.database, BY_SEVERITY);
    else {
      await server.database.transaction(async (tx) => {
        // As it is after a stop right before the counting, the last step.
        await tx.query('DELETE FROM alert_counts WHERE detail IN (3, 4)');
        await tx.query('DELETE FROM migrations WHERE name = ?', [BY_SEVERITY]);
      });
    }
    const upgraded = await server.restart();
    cleanUp.push(() => upgraded.stop());
    await expectTrueCounts(upgraded.database);
    const reader = await upgraded.signedIn();
    const list = await reader.get(`/api/alerts/inbox?severity=critical&source=${SOURCE}`);
    expect([list.headers.get('X-Total-Count'), alertListSchema.parse(await list.json()).length]).toEqual(['1', 1]);
  },
);

test('add up the slots of counters when they are taken back', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  await insertAlerts(server.database, [{ customer: 'Nordwind' }, { customer: 'Acme' }]);
  server.database.useSlot(5);
  await insertAlerts(server.database, [{ customer: 'Nordwind' }, { customer: 'Contoso' }]);
  await takeBack(server.database, 'ExpandCountsBySlots1764901600000');
  await expectTrueCounts(server.database);
  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  await expectTrueCounts(upgraded.database);
});

test('hide the folders in older entries whose owner is not known, and keep the others', async () => {
  const server = await startTestServer();
  cleanUp.push(() => server.destroy());
  const key = await server.addApiKey();
  const member = await server.signedIn();
  const folder = await member.send('POST', '/api/folders', { name: 'Urgent', color: 'red' });
  const { id: folderId } = folderSchema.parse(await folder.json());
  const file = async () => {
    const { id } = await member.postAlert(key);
    await member.send('POST', `/api/alerts/${id}/accept`);
    await member.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
    return id;
  };
  const [kept, returned] = [await file(), await file()];
  await member.send('POST', `/api/alerts/${returned}/unaccept`);
  await server.database.transaction(async (tx) => {
    await tx.query('ALTER TABLE alert_history DROP COLUMN folder_owner_id');
    await tx.query("DELETE FROM migrations WHERE name = 'AddFolderOwnerToHistory1764400000000'");
  });
  const upgraded = await server.restart();
  cleanUp.push(() => upgraded.stop());
  const owners = async (alertId: string) =>
    (await upgraded.database.reads.getRepository(HistoryEntity).findBy({ alertId, action: 'move_folder' })).map(
      ({ folderOwnerId }) => folderOwnerId,
    );
  expect(await owners(kept)).toEqual([member.id]);
  expect(await owners(returned)).toEqual([null]);
});
