import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { makeMigratedPlace } from '#tests/support/test-place.ts';
import { must } from '#tests/support/write-routes.ts';

/** Only a database of its own takes two servers. */
const hasTwo = process.env['TEST_DIALECT'] === 'mysql';

const LEASE_MS = 1_000;

/** Waits until an alert that was snoozed by this server for a moment is back, which takes one that leads. */
async function expectWaking(origin: URL): Promise<void> {
  const { admin } = await readInbox(origin);
  const made = await admin.send('POST', '/api/webhook/test', {});
  expect(made.status).toBe(202);
  const { id } = webhookReceiptSchema.parse(await made.json());
  const until = new Date(Date.now() + 3_000).toISOString();
  await must(admin.send('POST', `/api/alerts/${id}/snooze`, { until }));
  const isBack = async () => alertListSchema.parse(await (await admin.get('/api/alerts/inbox')).json())[0]?.id === id;
  await expect.poll(isBack).toBe(true);
  const history = historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json());
  expect(history.filter(({ action }) => action === 'woken')).toHaveLength(1);
}

test.skipIf(!hasTwo)('what one of all servers does goes on when it is killed, and when it is frozen', async () => {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const startOne = async () => {
    const server = await startServerProcess({
      script: 'tests/support/serve-one-of-several.ts',
      environment: { DATABASE_URL: place.databaseUrl ?? '', TEST_LEASE_MS: String(LEASE_MS) },
    });
    onTestFinished(() => server.dispose());
    return server;
  };
  const database = await createConnection(place.databaseUrl ?? '');
  onTestFinished(() => database.end());
  const readToken = async () => {
    const [[lease]] = await database.query<RowDataPacket[]>("SELECT token FROM leases WHERE name = 'background'");
    return Number(lease?.['token']);
  };
  const one = await startOne();
  const other = await startOne();
  // On a busy machine a leader may also be late, and lose its lease.
  const first = await readToken();
  expect(first).toBeGreaterThan(0);
  await one.end('SIGKILL');
  await expectWaking(other.url);
  const second = await readToken();
  expect(second).toBeGreaterThan(first);

  await one.start();
  process.kill(other.pid, 'SIGSTOP');
  await expectWaking(one.url);
  process.kill(other.pid, 'SIGCONT');
  // The frozen one answers again, and leads no more.
  await readInbox(other.url);
  await expectWaking(one.url);
  expect(await readToken()).toBeGreaterThan(second);
});
