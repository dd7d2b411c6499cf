import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, expect, test } from 'vitest';
import webPush from 'web-push';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { listening, startMain } from '#tests/support/main-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { makeMigratedPlace } from '#tests/support/test-place.ts';

const ADMIN = 'admin@alertdesk.local';

/** A text that is nowhere by chance. */
const canary = (name: string) => `canary-${name}-${randomBytes(16).toString('hex')}`;

let place: Awaited<ReturnType<typeof makeMigratedPlace>>;
beforeEach(async () => {
  place = await makeMigratedPlace();
});
afterEach(() => place.remove());

async function startLogging(environment: Record<string, string>) {
  const started = startMain(place, { LOG_LEVEL: 'debug', ...environment });
  const { output, child, ended } = started;
  const { url, password } = await listening(started);
  return {
    client: new TestClient(url),
    password,
    /** Ends the process and gives everything that it logged. */
    async logged() {
      child.kill('SIGTERM');
      await ended;
      // The notice for people is apart: it prints the first password on purpose.
      const notice = /^\nAlertdesk is running[^]*?^(?=\{"level")/m;
      const text = output.out.replace(notice, '') + output.err;
      const lines = text.split('\n').filter((line) => line !== '');
      return { text, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
    },
  };
}

/** Takes a table away under the running server: what no code foresees. */
async function breakTable(name: string): Promise<void> {
  const rename = `ALTER TABLE ${name} RENAME TO ${name}_gone`;
  if (place.databaseUrl) {
    const connection = await createConnection(place.databaseUrl);
    await connection.query(rename);
    await connection.end();
  } else {
    const database = new BetterSqlite3(join(place.dataDir, SQLITE_FILE), { timeout: 10_000 });
    database.exec(rename);
    database.close();
  }
}

async function createKey(admin: TestClient, name: string): Promise<string> {
  return createdApiKeySchema.parse(await (await admin.send('POST', '/api/api-keys', { name })).json()).plainKey;
}

test('no secret reaches the log, whatever goes well or wrong', async () => {
  const vapid = webPush.generateVAPIDKeys();
  const environment = {
    SESSION_SECRET: canary('session-secret'),
    METRICS_TOKEN: canary('metrics-token'),
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
  };
  const { client: admin, password, logged } = await startLogging(environment);
  const planted = {
    guess: canary('guess'),
    memberPassword: canary('member'),
    payload: canary('payload'),
    query: canary('query'),
    delivery: canary('delivery'),
    wrongKey: canary('wrong-key'),
    pushEndpoint: `https://push.example.com/${canary('push')}`,
    search: canary('search'),
    wrongAddress: `adt_${canary('wrong-address')}`,
  };
  const { keys } = makeBrowserKeys();

  await admin.send('POST', '/api/auth/login', { email: ADMIN, password: planted.guess });
  await admin.signIn(ADMIN, password);
  const member = { email: 'anna@example.com', displayName: 'Anna', role: 'user', password: planted.memberPassword };
  expect((await admin.send('POST', '/api/auth/users', member)).status).toBe(201);
  expect((await admin.send('POST', '/api/auth/users', member)).status).toBe(409);
  const plainKey = await createKey(admin, 'Logged');
  const post = (key: string, body: unknown) =>
    admin.post(key, body, { 'Idempotency-Key': planted.delivery }, `/webhook?token=${planted.query}`);
  expect((await post(plainKey, { note: planted.payload })).status).toBe(202);
  expect((await post(plainKey, { note: `${planted.payload} another` })).status).toBe(409);
  expect((await post(planted.wrongKey, {})).status).toBe(401);
  expect((await post(plainKey, `{"broken": "${planted.payload}`)).status).toBe(400);
  await admin.get(`/api/alerts/all?q=${planted.search}`);
  await admin.send('POST', '/api/push/subscribe', { endpoint: planted.pushEndpoint, keys });
  const bearer = { Authorization: `Bearer ${environment.METRICS_TOKEN}`, 'X-Forwarded-For': '203.0.113.7' };
  expect((await admin.get('/metrics', bearer)).status).toBe(200);
  for (const path of ['/api/in/TOKEN', '/TOKEN', '/in/TOKEN/', '/x/in%2FTOKEN', '/api/in;TOKEN', '/api/alerts/TOKEN']) {
    const address = path.replace('TOKEN', planted.wrongAddress);
    for (const method of ['GET', 'POST']) await admin.send(method, address);
  }
  (await listenLive(admin)).socket.terminate();
  await breakTable('customers');
  expect((await post(plainKey, { customer: planted.payload, more: 1 })).status).toBe(409);
  const failed = await admin.post(plainKey, { customer: planted.payload });
  // Nothing of what went wrong.
  const generic = 'The server failed to handle this request. The error has been logged.';
  expect([failed.status, await failed.text()]).toEqual([500, generic]);

  const cookies = Object.fromEntries(admin.cookies);
  const { text, lines } = await logged();
  expect(lines.length).toBeGreaterThan(15);
  expect(text).toContain('a request failed unexpectedly');
  const secrets = { ...planted, ...environment, ...keys, ...cookies, password, plainKey };
  const { VAPID_PUBLIC_KEY: _public, ...hidden } = secrets;
  expect(Object.keys(hidden)).toEqual(expect.arrayContaining(['sid', 'csrf-token', 'p256dh', 'VAPID_PRIVATE_KEY']));
  const found = Object.entries(hidden).filter(([, secret]) => text.includes(secret));
  expect(found).toEqual([]);
});

test('the access log has what people and tools ask for, and leaves out what is asked again and again', async () => {
  const { client, password, logged } = await startLogging({ LOG_LEVEL: 'info' });
  await client.signIn(ADMIN, password);
  const plainKey = await createKey(client, 'Logged');
  await client.post(plainKey, { customer: 'Nordwind' });
  await client.get('/healthz');
  await client.get('/api/alerts/inbox?search=secret');
  await breakTable('customers');
  await client.post(plainKey, { customer: 'Nordwind 2' });
  const { lines } = await logged();
  const answers = lines.filter(({ msg }) => msg === 'answered');
  expect(answers.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['POST', '/api/auth/login', 200],
    ['POST', '/api/api-keys', 201],
    ['GET', '/api/alerts/inbox', 200],
    ['POST', '/webhook', 500],
  ]);
  expect(new Set(answers.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
});

test('every line about a request names it', async () => {
  const { client, password, logged } = await startLogging({});
  await client.signIn(ADMIN, password);
  const plainKey = await createKey(client, 'Logged');
  const ids = ['first', 'second', 'third'];
  await client.get('/api/alerts/inbox', { 'X-Request-Id': 'first' });
  await client.post(plainKey, {}, { 'X-Request-Id': 'second' });
  await breakTable('customers');
  await client.post(plainKey, { customer: 'Nordwind' }, { 'X-Request-Id': 'third' });
  const { lines } = await logged();
  const about = (id: string) =>
    lines.filter(({ requestId }) => requestId === id).map(({ msg, status }) => [msg, status]);
  expect(ids.map(about)).toEqual([
    [['answered', 200]],
    [['answered', 202]],
    [
      ['a request failed unexpectedly', undefined],
      ['answered', 500],
    ],
  ]);
  const answers = lines.filter(({ msg }) => msg === 'answered');
  expect(answers.every(({ requestId, method, path }) => requestId && method && path)).toBe(true);
});
