import { appendFile, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { type Archive, openArchive } from './archive.ts';
import { BATCH_ALERTS, type RetentionDeps, sweep } from './retention.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { readArchive } from '#tests/support/read-archive.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const logger = createLogger('silent');

let server: TestServer;
let anna: TestClient;
let key: string;
let dir: string;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  key = await server.addApiKey();
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-archive-'));
  await server.database.transaction((tx) => tx.query('DELETE FROM archive_files'));
});
afterEach(async () => {
  await expectTrueCounts(server.database);
  await rm(dir, { recursive: true, force: true });
});
afterAll(() => server.destroy());

/** One moment of today, so that no file of another day begins at midnight. */
const noon = () => new Date().setUTCHours(12, 0, 0, 0);

const openHere = (serverId = 'first') => openArchive(dir, { database: server.database, logger, serverId }, noon);

/** A sweep that takes place long after everything so far. */
const sweepLater = (archive: Archive, more: Partial<RetentionDeps> = {}) =>
  sweep(
    {
      database: server.database,
      logger,
      days: DAYS,
      archive,
      now: () => Date.now() + (DAYS + 1) * DAY_MS,
      ...more,
    },
    new AbortController().signal,
  );

const setStatus = (id: string, status: string) => anna.send('PATCH', `/api/webhooks/${id}/status`, { status });
async function complete(payload: Record<string, unknown> = {}): Promise<string> {
  const { id } = await anna.postAlert(key, payload);
  await anna.send('POST', `/api/alerts/${id}/accept`);
  await setStatus(id, 'completed');
  return id;
}

/** Alerts that were completed long ago, made at once. Returns their ids, oldest first. */
function completeMany(count: number): Promise<string[]> {
  const oldest = Date.now() - 90 * DAY_MS;
  return insertAlerts(
    server.database,
    Array.from({ length: count }, (_, number) => ({
      id: `${firstIdAt(oldest + number * 1_000).slice(0, 14)}${uuidv7().slice(14)}`,
      receivedAt: oldest + number * 1_000,
      status: 'completed' as const,
      ownerId: anna.id,
      payload: JSON.stringify({ number }),
    })),
  );
}

const stored = async (ids: readonly string[]) => {
  const rows = await Promise.all(ids.map((id) => server.database.reads.getRepository(AlertEntity).countBy({ id })));
  return rows.filter((count) => count === 1).length;
};
const files = async () => (await readdir(dir)).toSorted();
const idsIn = async () => (await readArchive(dir)).map(({ id }) => id).toSorted();

/** How many alerts the audit trail says were deleted for their age. */
const counted = async () => {
  const entries: { subject: string }[] = await server.database.reads.query(
    "SELECT subject FROM audit_log WHERE action = 'alerts_expired'",
  );
  return entries.reduce((sum, { subject }) => sum + Number.parseInt(subject, 10), 0);
};

describe('the archive', () => {
  test('has what retention deletes, with history and notes, and nothing else', async () => {
    const note = 'The disk was full.\nIt is not any more.';
    const payload = { customer: 'Acme "GmbH"', text: 'two\nlines\u2028and more', number: 1.5 };
    const id = await complete(payload);
    await anna.send('POST', `/api/alerts/${id}/notes`, { text: note });
    const { id: pending } = await anna.postAlert(key);

    expect(await sweepLater(openHere())).toBe(1);
    expect(await stored([id, pending])).toBe(1);
    const [alert, ...others] = await readArchive(dir);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ id, payload, status: 'completed', ownerName: 'Anna' });
    expect(alert?.history.map(({ action }) => action)).toEqual(['received', 'accepted', 'status_change', 'note_added']);
    expect(alert?.notes).toMatchObject([{ text: note, authorName: 'Anna' }]);
    const [file = ''] = await files();
    expect(file).toMatch(/^alerts-\d{4}-\d{2}-\d{2}-first\.jsonl\.gz$/);
    const { mode } = await stat(join(dir, file));
    expect([0o600, undefined]).toContain(process.platform === 'win32' ? undefined : mode & 0o777);
  });

  test('is one file for a day, alerts of each batch behind those of the one before', async () => {
    const ids = await completeMany(BATCH_ALERTS * 2 + 30);
    expect(await sweepLater(openHere())).toBe(ids.length);
    expect((await readArchive(dir)).map(({ id }) => id)).toEqual(ids);
    const [{ bytes, alerts }] = await server.database.reads.query('SELECT bytes, alerts FROM archive_files');
    const [file = '', ...others] = await files();
    expect(others).toEqual([]);
    expect([Number(bytes), Number(alerts)]).toEqual([(await stat(join(dir, file))).size, ids.length]);
  });

  test('keeps a payload of several lines as one', async () => {
    const [id = ''] = await insertAlerts(server.database, [
      { status: 'completed', ownerId: anna.id, payload: '{\r\n  "a": "b\\n",\n  "c": 1.10\n}' },
    ]);
    await sweepLater(openHere());
    expect(await readArchive(dir)).toMatchObject([{ id, payload: { a: 'b\n', c: 1.1 } }]);
  });
});

describe('what changes between the file and the deletion', () => {
  test('stays, and is in the archive no more', async () => {
    const [reopened, other] = [await complete(), await complete()];
    const archive = openHere();
    let writes = 0;
    const busy: Archive = {
      ...archive,
      async write(ids) {
        const written = await archive.write(ids);
        writes += 1;
        if (writes === 1) await setStatus(reopened, 'in-progress');
        return written;
      },
    };
    expect(await sweepLater(busy)).toBe(1);
    expect(writes).toBe(2);
    expect([await stored([reopened]), await stored([other])]).toEqual([1, 0]);
    expect(await idsIn()).toEqual([other]);
    await anna.send('POST', `/api/alerts/${reopened}/unaccept`);
  });

  test('again and again is left for the next sweep, and the others go on', async () => {
    const changing = await complete();
    const others = await completeMany(3);
    const archive = openHere();
    const busy: Archive = {
      ...archive,
      async write(ids) {
        const written = await archive.write(ids);
        return ids.includes(changing) ? { note: async () => false } : written;
      },
    };
    await sweepLater(busy);
    expect(await stored([changing, ...others])).toBe(4);
    expect(await sweepLater(archive)).toBe(4);
    expect(await idsIn()).toEqual([...others, changing].toSorted());
  });
});

describe('nothing is lost or archived twice', () => {
  test('when it ends between the file and the commit', async () => {
    const ids = await completeMany(BATCH_ALERTS + 10);
    let commits = 0;
    const { transaction } = server.database;
    const failing = {
      ...server.database,
      transaction: (work: Parameters<typeof transaction>[0]) =>
        transaction(async (tx) => {
          const result = await work(tx);
          commits += 1;
          if (commits === 2) throw new Error('gone before the commit');
          return result;
        }),
    } as typeof server.database;
    await expect(sweepLater(openHere(), { database: failing })).rejects.toThrow('gone before the commit');
    expect([await stored(ids), (await idsIn()).length]).toEqual([10, ids.length]);

    expect(await sweepLater(openHere('second'))).toBe(10);
    expect(await idsIn()).toEqual(ids.toSorted());
    expect((await files()).map((name) => name.replace(/\d{4}-\d{2}-\d{2}/, 'DAY').replace(/rest-\d+/, 'rest'))).toEqual(
      ['alerts-DAY-first.jsonl.gz', 'alerts-DAY-first.jsonl.gz.rest', 'alerts-DAY-second.jsonl.gz'],
    );
  });

  test('when the folder cannot be written to', async () => {
    const ids = await completeMany(3);
    const archive = openArchive(join(dir, 'file'), { database: server.database, logger, serverId: 'first' });
    await writeFile(join(dir, 'file'), 'no folder');
    await expect(sweepLater(archive)).rejects.toThrow('ENOTDIR');
    expect(await stored(ids)).toBe(3);
    await sweepLater(openHere());
  });

  test('when the archive is full half-way; the audit trail counts what was deleted before', async () => {
    const before = await counted();
    const ids = await completeMany(230);
    const open = openHere();
    let writes = 0;
    const full: Archive = {
      ...open,
      write(batch) {
        writes += 1;
        if (writes > 2) return Promise.reject(new Error('ENOSPC: no space left on device'));
        return open.write(batch);
      },
    };
    await expect(sweepLater(full)).rejects.toThrow('ENOSPC');
    const deleted = 230 - (await stored(ids));
    expect(deleted).toBeGreaterThan(100);
    expect((await counted()) - before).toBe(deleted);
    await sweepLater(openHere());
  });

  test('when a file was cut off or taken away, until the next file begins', async () => {
    const archive = openHere();
    const first = await completeMany(1);
    await sweepLater(archive);
    const [file = ''] = await files();
    const ids = await completeMany(2);
    await truncate(join(dir, file), 10);
    await expect(sweepLater(archive)).rejects.toThrow(`${file} has 10 bytes of`);
    await rm(join(dir, file));
    await expect(sweepLater(archive)).rejects.toThrow(`${file} has 0 bytes of`);
    expect([await stored(first), await stored(ids)]).toEqual([0, 2]);
    await rm(join(dir, file));
    expect(await sweepLater(openHere('second'))).toBe(2);
    expect(await idsIn()).toEqual(ids.toSorted());
  });

  test('of files that are not of this database, nothing is touched', async () => {
    const foreign = join(dir, 'alerts-2026-01-01-other.jsonl.gz');
    await appendFile(foreign, 'whatever it is');
    await completeMany(1);
    await sweepLater(openHere());
    expect((await stat(foreign)).size).toBe('whatever it is'.length);
  });
});
