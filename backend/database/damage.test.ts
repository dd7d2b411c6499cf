import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { SQLITE_FILE, openDatabase } from './open-database.ts';

/** Overwrites all pages of the table but its newest. */
async function damage(file: string, table: string): Promise<void> {
  const database = new BetterSqlite3(file);
  const pageSize = Number(database.pragma('page_size', { simple: true }));
  const pages = database
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all(table);
  database.close();
  const handle = await open(file, 'r+');
  for (const page of pages.slice(0, -1))
    await handle.write(Buffer.alloc(pageSize, 0xff), 0, pageSize, (page - 1) * pageSize);
  await handle.close();
}

test('a damaged database is a 503 that says so, and the server is not ready', { timeout: 30_000 }, async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  await insertAlerts(
    server.database,
    Array.from({ length: 500 }, (_, number) => ({ payload: JSON.stringify({ number, text: 'x'.repeat(500) }) })),
  );
  await server.stop();
  await damage(join(server.config.dataDir, SQLITE_FILE), 'alerts');

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

test('a file that is no database stops the start with one sentence', async () => {
  const place = await makeTestPlace();
  onTestFinished(place.remove);
  await writeFile(join(place.dataDir, SQLITE_FILE), 'x'.repeat(10_000));
  await expect(openDatabase({ ...place, databaseUrl: undefined })).rejects.toThrow(
    /^The database file \S+ is damaged \(SQLITE_NOTADB\); put a backup back with "npm run restore -- FILE"\.$/,
  );
});
