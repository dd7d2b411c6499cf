import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { expect, onTestFinished, test, vi } from 'vitest';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { readArchive } from '#tests/support/read-archive.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';

const ALERTS = 6_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Times that the server is killed, and how much the archive grows before: some batches. */
const KILLS = 4;
const GROWTH_BYTES = 10_000;

test('a server that is killed while it archives loses no alert and archives none twice', async () => {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const archiveDir = await mkdtemp(join(tmpdir(), 'alertdesk-archive-'));
  onTestFinished(() => rm(archiveDir, { recursive: true, force: true }));
  const database = await openTestDatabase(place);
  const oldest = Date.now() - 90 * DAY_MS;
  const ids = await insertAlerts(
    database,
    Array.from({ length: ALERTS }, (_, number) => ({
      id: `${firstIdAt(oldest + number).slice(0, 14)}${uuidv7().slice(14)}`,
      receivedAt: oldest + number,
      status: number % 10 === 0 ? ('pending' as const) : ('completed' as const),
      ownerId: number % 10 === 0 ? null : uuidv7(),
      payload: JSON.stringify({ number, text: uuidv7() }),
    })),
  );
  await database.close();

  const archived = async () => {
    const files = await readdir(archiveDir);
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(archiveDir, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const server = await startServerProcess({
    // Its lease ends soon after it was killed.
    ...(place.databaseUrl && { script: 'tests/support/serve-one-of-several.ts' }),
    dataDir: place.dataDir,
    environment: {
      RETENTION_DAYS: '30',
      ARCHIVE_DIR: archiveDir,
      TEST_LEASE_MS: '1000',
      TEST_PATIENT: '1',
      ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    },
  });
  onTestFinished(() => server.dispose());
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = await archived();
    await vi.waitUntil(async () => (await archived()) > before + GROWTH_BYTES, { timeout: 60_000, interval: 1 });
    await server.end('SIGKILL');
    await server.start();
  }
  const kept = ids.filter((_, number) => number % 10 === 0);
  await vi.waitUntil(async () => (await readArchive(archiveDir)).length >= ALERTS - kept.length, {
    timeout: 60_000,
    interval: 200,
  });
  await server.end();

  const after = await openTestDatabase(place);
  onTestFinished(() => after.close());
  const rows: { id: string }[] = await after.reads.query('SELECT id FROM alerts ORDER BY id');
  expect(rows.map(({ id }) => id)).toEqual(kept);
  const lines = (await readArchive(archiveDir)).map(({ id }) => id);
  expect(lines.toSorted()).toEqual(ids.filter((_, number) => number % 10 !== 0));
  await expectTrueCounts(after);
});
