import { STORED } from '#backend/server/entities.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { overwriteTable } from '#tests/support/damaged-database.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { SQLITE_FILE, openDatabase } from './open-database.ts';

test('a damaged database is a 503 that says so, and the server is not ready', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  await insertAlerts(
    server.database,
    Array.from({ length: 500 }, (_, number) => ({ payload: JSON.stringify({ number, text: 'x'.repeat(500) }) })),
  );
  await server.stop();
  await overwriteTable(join(server.config.dataDir, SQLITE_FILE), 'alerts');

  const damaged = await server.restart();
  onTestFinished(() => damaged.stop());
  const member = await damaged.signedIn();
  const list = await member.get('/api/alerts/inbox?limit=500');
  expect([list.status, await list.text(), list.headers.get('Retry-After')]).toEqual([
    503,
    'The database is damaged. An administrator must restore a backup.',
    '60',
  ]);
  const ready = await member.get('/readyz');
  expect([ready.status, await ready.text()]).toEqual([
    503,
    'The database is damaged. An administrator must restore a backup.',
  ]);
  expect((await member.get('/healthz')).status).toBe(200);
});

test('damage that a write alone has met is reported, also after a read that works', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: 500 }, () => ({})),
  );
  await server.database.transaction((tx) => tx.query("UPDATE alerts SET group_id = 'group of ' || id"));
  await server.stop();
  // No list is read by this index.
  await overwriteTable(join(server.config.dataDir, SQLITE_FILE), 'alerts_by_group');

  const damaged = await server.restart();
  onTestFinished(() => damaged.stop());
  const ready = async () => (await damaged.anonymous().get('/readyz')).status;
  expect(await ready()).toBe(200);
  const write = damaged.database.transaction((tx) =>
    tx.query('UPDATE alerts SET group_id = NULL WHERE id = ?', [ids[0]]),
  );
  await expect(write).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CORRUPT/) as unknown });
  expect(await ready()).toBe(503);
  expect((await (await damaged.signedIn()).get('/api/alerts/inbox')).status).toBe(200);
  expect(await ready()).toBe(503);
});

test('a file that is no database stops the start with one sentence', async () => {
  const place = await makeTestPlace();
  onTestFinished(place.remove);
  await writeFile(join(place.dataDir, SQLITE_FILE), 'x'.repeat(10_000));
  await expect(openDatabase({ ...place, databaseUrl: undefined }, STORED)).rejects.toThrow(
    /^The database file \S+ is damaged \(SQLITE_NOTADB\); put a backup back with "npm run restore -- FILE"\.$/,
  );
});
