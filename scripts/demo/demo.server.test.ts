import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startDemo } from '#tests/support/run-demo.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { AlertEntity } from '#backend/alerts/alert.ts';
import { DeliveryRowEntity } from '#backend/sources/delivery-entity.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let folder: string;
let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alertdesk-demo-'));
  server = await startTestServer({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  admin = server.anonymous();
  await admin.signIn(ADMIN.email, ADMIN.password);
});

afterAll(async () => {
  await server.destroy();
  await rm(folder, { recursive: true, force: true });
});

const apiKeys = async () => (await admin.get('/api/api-keys')).json();
const inboxIds = async () => (await admin.alerts('/api/alerts/inbox')).map(({ id }) => id);

test('a burst is acknowledged whole, in the ledger, and its key is gone afterwards', async () => {
  const before = new Set(await inboxIds());
  const { code, output } = await startDemo(server.url, '--burst', '300', '--ledger', join(folder, 'ids')).ended;
  expect(output).toMatch(/Sent 300 alerts in [\d.]+ s: 300 acknowledged \(202\)\.\nAnswered after/);
  expect(code).toBe(0);
  const acknowledged = (await readFile(join(folder, 'ids'), 'utf8')).trimEnd().split('\n');
  expect(acknowledged).toHaveLength(300);
  // Each is answered with an alert, that of its problem; a resolution of what is not open, with the delivery itself.
  const storedIds = async () => {
    const { reads } = server.database;
    const alerts = await reads.getRepository(AlertEntity).find({ select: { id: true } });
    const deliveries = await reads.getRepository(DeliveryRowEntity).find({ select: { id: true } });
    return new Set([...alerts, ...deliveries].map(({ id }) => id));
  };
  await vi.waitFor(async () => {
    const stored = await storedIds();
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
  expect((await inboxIds()).length).toBeGreaterThan(before.size);
  expect(await apiKeys()).toEqual([]);
});

test('a steady stream ends at Ctrl+C and removes its key', async () => {
  const demo = startDemo(server.url, '--rate', '100');
  const before = (await inboxIds()).length;
  await vi.waitFor(async () => expect((await inboxIds()).length).toBeGreaterThan(before + 3), { timeout: 20_000 });
  expect(await apiKeys()).toHaveLength(7);
  demo.process.kill('SIGINT');
  const { code, output } = await demo.ended;
  expect(output).toMatch(/Sent \d+ alerts in [\d.]+ s: \d+ acknowledged \(202\)\./);
  expect(code).toBe(0);
  expect(await apiKeys()).toEqual([]);
});

test('sends the request files of a folder and prints what became of each', async () => {
  const write = (name: string, file: unknown) => writeFile(join(folder, name), JSON.stringify(file));
  await write('good.json', { sender: 'Good sender', body: { customer: 'Folder Inc' } });
  await write('bad.json', { sender: 'Bad sender', headers: { 'content-type': 'application/json' }, rawBody: '{' });
  const { code, output } = await startDemo(server.url, '--from', folder, '--concurrency', '1').ended;
  expect(output).toContain('400  Bad sender\n202  Good sender\n');
  expect(output).toContain('Sent 2 alerts');
  expect(code).toBe(0);
  expect((await admin.alerts('/api/alerts/inbox'))[0]).toMatchObject({ customer: 'Folder Inc' });
});

test('says in one sentence that nobody answers', async () => {
  const { code, output } = await startDemo('http://127.0.0.1:9', '--burst', '1').ended;
  expect(output).toBe(
    'Nobody answers at http://127.0.0.1:9; start Alertdesk with "npm start", or name its address with --url.\n',
  );
  expect(code).toBe(1);
});
