import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { signatureSchemeSchema } from '#backend/contract/sender.ts';
import { sourceListSchema } from '#backend/contract/source.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import { startMailServer } from '#tests/support/mail-world.ts';
import { startDemo } from '#tests/support/run-demo.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { findDeliveries } from '#backend/intake/delivery-log/stored-deliveries.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { createDemoSources, sourceNameOf } from './demo-sources.ts';
import { createPoster } from './post-alert.ts';
import { readOptions } from './options.ts';
import { createRandom } from './random.ts';
import { runDemo } from './run-demo.ts';
import { SENDER_NAMES, type Sender, createStream } from './senders.ts';
import { signIn } from './signed-in-client.ts';
import { createTally } from './tally.ts';
import { waitFor } from '#tests/support/wait-for.ts';

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

/** How many of the first requests of a stream are this sender's. */
function countOf(sender: Sender, requests: number, seed: number): number {
  const next = createStream(createRandom(seed));
  return Array.from({ length: requests }, () => next(new Date())).filter((request) => request.sender === sender).length;
}

const apiKeys = async () => (await admin.get('/api/api-keys')).json();
const inboxIds = async () => (await admin.alerts('/api/alerts/inbox')).map(({ id }) => id);

test('a burst is acknowledged whole, in the ledger, and its key is gone afterwards', async () => {
  const before = new Set(await inboxIds());
  const { code, output } = await startDemo(server.url, '--burst', '300', '--seed', '7', '--ledger', join(folder, 'ids'))
    .ended;
  expect(output).toMatch(/Sent 300 alerts in [\d.]+ s: 300 acknowledged \(202\)\.\nAnswered after/);
  expect(code).toBe(0);
  const acknowledged = (await readFile(join(folder, 'ids'), 'utf8')).trimEnd().split('\n');
  // The Events API v2 answers without an id.
  expect(acknowledged).toHaveLength(300 - countOf('pagerduty-events', 300, 7));
  // Each is answered with an alert, that of its problem; a resolution of what is not open, with the delivery itself.
  const storedIds = async () => {
    const { reads } = server.database;
    const alerts = await reads.getRepository(AlertEntity).find({ select: { id: true } });
    const deliveries = await findDeliveries(reads, acknowledged);
    return new Set([...alerts, ...deliveries].map(({ id }) => id));
  };
  await waitFor(async () => {
    const stored = await storedIds();
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
  expect((await inboxIds()).length).toBeGreaterThan(before.size);
  expect(await apiKeys()).toEqual([]);
});

test('a steady stream ends at Ctrl+C and removes its key', async () => {
  const demo = startDemo(server.url, '--rate', '100');
  const before = (await inboxIds()).length;
  await waitFor(async () => expect((await inboxIds()).length).toBeGreaterThan(before + 3));
  expect(await apiKeys()).toHaveLength(SENDER_NAMES.length);
  demo.process.kill('SIGINT');
  const { code, output } = await demo.ended;
  expect(output).toMatch(/Sent \d+ alerts in [\d.]+ s: \d+ acknowledged \(202\)\./);
  expect(code).toBe(0);
  expect(await apiKeys()).toEqual([]);
});

test('every sender is authenticated in its own way, and recognised', async () => {
  const url = new URL(server.url);
  const client = await signIn(url, ADMIN);
  const sources = await createDemoSources(client, SENDER_NAMES);
  onTestFinished(() => sources.remove());
  const tally = createTally(undefined);
  const poster = createPoster({
    url,
    authenticate: sources.authenticate,
    connections: 8,
    tally,
    signal: new AbortController().signal,
  });
  onTestFinished(() => poster.close());
  const statuses = SENDER_NAMES.map(async (sender) => {
    const next = createStream(createRandom(5), sender);
    const answers: unknown[] = [];
    for (let count = 0; count < 6; count += 1) answers.push(await poster.post(next(new Date())));
    return [sender, answers];
  });
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual(
    // Slack takes anything but 200 for a failure.
    Object.fromEntries(
      SENDER_NAMES.map((sender) => [sender, Array.from({ length: 6 }, () => (sender === 'slack' ? 200 : 202))]),
    ),
  );
  await waitFor(async () => {
    const made = sourceListSchema.parse(await (await admin.get('/api/sources')).json());
    const seen = made.map(({ name, recognisedAs, refusedToday, log }) => [
      name,
      recognisedAs,
      refusedToday,
      log.deliveries,
    ]);
    const expected = SENDER_NAMES.map((sender) => [`${sourceNameOf(sender)} (demo)`, sender, 0, 6]);
    expect(seen.toSorted()).toEqual(expected.toSorted());
    const required = made.flatMap(({ settings }) => settings.auth.signature ?? []);
    const playable = signatureSchemeSchema.options.filter((scheme) => scheme !== 'sns' && scheme !== 'zoom');
    expect(new Set(required)).toEqual(new Set(playable));
  });
});

test('the client proves again who it is when it takes its keys away after a long run', async () => {
  const client = await signIn(new URL(server.url), ADMIN);
  const { id } = await client.createApiKey('A long run');
  await server.database.transaction((tx) => tx.query('UPDATE sessions SET proved_at = 0'));
  await client.deleteApiKey(id);
  const made = sourceListSchema.parse(await (await admin.get('/api/sources')).json());
  expect(made.map((source) => source.id)).not.toContain(id);
});

test('a source that requires the signature refuses its sender without it', async () => {
  const client = await signIn(new URL(server.url), ADMIN);
  const sources = await createDemoSources(client, ['shopify']);
  onTestFinished(() => sources.remove());
  const { path, headers, body } = sources.authenticate(createStream(createRandom(5), 'shopify')(new Date()));
  const post = (changed: string) => fetch(new URL(path, server.url), { method: 'POST', headers, body: changed });
  expect((await post(`${body} `)).status).toBe(401);
  expect((await post(body)).status).toBe(202);
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

test('emails come besides where the server receives them, and are problems that begin and end', async () => {
  const mailed = await startMailServer({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  onTestFinished(() => mailed.destroy());
  const client = await signIn(new URL(mailed.url), ADMIN);
  const options = readOptions(['--url', mailed.url, '--burst', '1', '--seed', '7'], () => 7)!;
  const shown = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => shown.mockRestore());
  await runDemo(options, client, new AbortController().signal, mailed.mailPort);
  expect(shown).toHaveBeenLastCalledWith('7 emails were received (250).');
  const alerts = await mailed.database.reads.getRepository(AlertEntity).findBy({ sender: 'email' });
  expect(alerts.map(({ occurrences }) => occurrences).toSorted()).toEqual([1, 1, 1, 2]);
  expect(alerts.filter(({ state }) => state === 'resolved')).toHaveLength(2);
  for (const { title, severity } of alerts) {
    expect(title).toMatch(/ on \S+$/);
    expect(severity).not.toBeNull();
  }
});

test('asks for a code where the administrator has a second step, and takes it', async () => {
  const careful = await startTestServer({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  onTestFinished(() => careful.destroy());
  const owner = careful.anonymous();
  await owner.signIn(ADMIN.email, ADMIN.password);
  const { recoveryCodes } = await addTotp(careful, owner);
  const burst = ['--burst', '1', '--sender', 'generic'];
  expect(await startDemo(careful.url, ...burst).ended).toEqual({
    code: 1,
    output: expect.stringMatching(/has a second step: give a code of it by --code/),
  });
  const { code, output } = await startDemo(careful.url, ...burst, '--code', recoveryCodes[0] ?? '').ended;
  expect([code, output]).toEqual([0, expect.stringContaining('1 acknowledged')]);
});
