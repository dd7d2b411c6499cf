import { expect } from 'vitest';
import * as z from 'zod/mini';
import { alertListSchema } from '#backend/contract/alert.ts';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { type Ledger, keepSending, newLedger, reportOf } from '#tests/support/ledger.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { ADMIN, type ServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { waitFor } from './wait-for.ts';

const POSTERS = 16;

/** How a disk is filled and freed under a server. */
interface FullDisk {
  rounds: number;
  fill: () => Promise<void>;
  free: () => Promise<void>;
}

/** Everything that was answered as stored is there once, and counted. */
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

/**
 * Fills a disk under writes and frees it again: each write is stored or refused with 503, reads go on, and writes return
 * without a restart. Then the server is killed: nothing that was answered is lost.
 *
 * @returns what was sent and answered, in one line
 */
export async function expectToSurviveFullDisk(
  server: ServerProcess,
  { rounds, fill, free }: FullDisk,
): Promise<string> {
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
    return waitFor(() => expect(alerts.refused).toBeGreaterThan(enough), { timeout: 60_000, interval: 20 });
  };
  const acceptances = async (more: number) => {
    const enough = [alerts.acknowledged.length + more, folders.acknowledged.length + 2] as const;
    const isEnough = () => {
      expect(alerts.acknowledged.length).toBeGreaterThan(enough[0]);
      expect(folders.acknowledged.length).toBeGreaterThan(enough[1]);
    };
    await waitFor(isEnough, { timeout: 60_000, interval: 20 });
  };
  try {
    await acceptances(50);
    for (let round = 1; round <= rounds; round += 1) {
      await fill();
      await refused(50);
      expect((await admin.get('/api/alerts/inbox?limit=10')).status).toBe(200);
      expect((await admin.get('/readyz')).status).toBe(200);
      await free();
      await acceptances(200);
    }
  } finally {
    done.abort();
    await Promise.all(senders);
  }
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
  return `alerts ${reportOf(alerts)}; folders ${reportOf(folders)}`;
}
