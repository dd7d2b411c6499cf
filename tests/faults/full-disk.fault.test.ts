import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { alertListSchema } from '#backend/contract/alert.ts';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { type Ledger, keepSending, newLedger, reportOf } from '#tests/support/ledger.ts';
import { startMain } from '#tests/support/main-process.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import { limitFileSizes, mountSmallDisk } from '#tests/support/small-disk.ts';
import { TestClient } from '#tests/support/test-client.ts';

const POSTERS = 16;
const KIB = 1024;

async function expectNothingLost(server: ServerProcess, alerts: Ledger, folders: Ledger): Promise<void> {
  const { ids, total, admin } = await readInbox(server.url);
  const stored = new Set(ids);
  const kept = new Set(
    z
      .array(folderSchema)
      .parse(await (await admin.get('/api/folders')).json())
      .map(({ id }) => id),
  );
  expect({
    lostAlerts: alerts.acknowledged.filter((id) => !stored.has(id)).length,
    lostFolders: folders.acknowledged.filter((id) => !kept.has(id)).length,
    twice: ids.length - stored.size,
    miscounted: total - ids.length,
  }).toEqual({ lostAlerts: 0, lostFolders: 0, twice: 0, miscounted: 0 });
}

describe.each([
  ['a full disk', mountSmallDisk],
  ['a disk that takes no more of a file', limitFileSizes],
])('%s', (name, makeDisk) => {
  test('loses nothing that was answered; reads go on, and writes return without a restart', async (context) => {
    const disk = await makeDisk();
    if (!disk) return context.skip('not permitted here');
    onTestFinished(() => disk.remove());
    const server = await startServerProcess({ dataDir: disk.dataDir, launcher: disk.launcher });
    onTestFinished(() => server.dispose());
    const admin = new TestClient(server.url.origin);
    await admin.signIn(ADMIN.email, ADMIN.password);
    const { plainKey } = createdApiKeySchema.parse(
      await (await admin.send('POST', '/api/api-keys', { name: 'Posters' })).json(),
    );

    const alerts = newLedger();
    const folders = newLedger();
    const done = new AbortController();
    const text = 'x'.repeat(2_000);
    const postAlert = (number: number) => admin.post(plainKey, { number, text });
    const addFolder = (number: number) =>
      admin.send('POST', '/api/folders', { name: `Folder ${number}`, color: 'blue', icon: 'folder' });
    const senders = [
      ...Array.from({ length: POSTERS }, () => keepSending(alerts, done.signal, 202, postAlert)),
      keepSending(folders, done.signal, 201, addFolder),
    ];
    const refused = (more: number) => {
      const enough = alerts.refused + more;
      return vi.waitFor(() => expect(alerts.refused).toBeGreaterThan(enough), { timeout: 60_000, interval: 20 });
    };
    const acceptances = async (more: number) => {
      const enough = [alerts.acknowledged.length + more, folders.acknowledged.length + 2] as const;
      const isEnough = () => {
        expect(alerts.acknowledged.length).toBeGreaterThan(enough[0]);
        expect(folders.acknowledged.length).toBeGreaterThan(enough[1]);
      };
      await vi.waitFor(isEnough, { timeout: 60_000, interval: 20 });
    };
    try {
      await acceptances(50);
      for (let round = 1; round <= 2; round += 1) {
        await disk.leave(600 * KIB, server.pid);
        await refused(50);
        expect((await admin.get('/api/alerts/inbox?limit=10')).status).toBe(200);
        expect((await admin.get('/readyz')).status).toBe(200);
        await disk.free(server.pid);
        await acceptances(200);
      }
    } finally {
      done.abort();
      await Promise.all(senders);
    }
    await context.annotate(`${name}: alerts ${reportOf(alerts)}; folders ${reportOf(folders)}`);
    expect([...alerts.unexpected, ...folders.unexpected]).toEqual([]);
    await expectNothingLost(server, alerts, folders);
    // The search, whose index met the same disk, goes on too.
    const last = await admin.postAlert(plainKey, { word: 'heron' });
    const found = alertListSchema.parse(await (await admin.get('/api/alerts/all?q=heron')).json());
    expect(found.map(({ id }) => id)).toEqual([last.id]);
    alerts.acknowledged.push(last.id);
    await server.end('SIGKILL');
    await server.start();
    await expectNothingLost(server, alerts, folders);
  });
});

describe.each([0, 40, 250])('a start that finds %i KiB on its disk', (left) => {
  test('says so in one sentence', async (context) => {
    const disk = await mountSmallDisk();
    if (!disk) return context.skip('not permitted here');
    onTestFinished(() => disk.remove());
    await disk.leave(left * KIB);
    const { output, ended } = startMain({ dataDir: disk.dataDir, databaseUrl: undefined }, {});
    expect(await ended).toBe(1);
    expect(output).toEqual({
      out: '',
      err: `The disk of the data folder ${disk.dataDir} is full; free some space, then start again.\n`,
    });
  });
});
