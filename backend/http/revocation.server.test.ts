import { hash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPasswords } from '#backend/accounts/passwords.ts';
import { runUserCli } from '#backend/accounts/user-cli.ts';
import { AlertEntity } from '#backend/alerts/alert-entity.ts';
import { removeSessionsOf } from '#backend/sessions/session-store.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { WRITE_ROUTES, type WriteWorld, createWriteWorld, must, newApiKey } from '#tests/support/write-routes.ts';

/** How an account's sessions are ended while one of them has a request in flight. */
const REVOCATIONS: Record<string, (member: TestClient) => Promise<unknown>> = {
  disable: ({ id }) => must(world.admin.send('PATCH', `/api/auth/users/${id}/toggle-active`)),
  'password reset': ({ id }) =>
    must(world.admin.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword: 'something new' })),
  'sign-out': async (member) => {
    // Another tab signs out: this one keeps its cookies.
    const tab = server.anonymous();
    for (const [name, value] of member.cookies) tab.cookies.set(name, value);
    await must(tab.send('POST', '/api/auth/logout'));
  },
  'role change': async ({ session }) =>
    runUserCli({ database: server.database, passwords: createPasswords(4) }, [
      'set-role',
      session?.email ?? '',
      'user',
    ]),
};

/** Writes no row on behalf of the member, so that there is no transaction to be refused in. */
const WITHOUT_TRANSACTION = new Set(['POST /api/push/test']);

let server: TestServer;
let world: WriteWorld;

beforeAll(async () => {
  server = await startTestServer();
  world = await createWriteWorld(server);
});
afterAll(() => server.destroy());

/** A digest of each table; push subscriptions of ended sessions, which are removed a moment after these, are left out. */
async function everythingStored(): Promise<Record<string, string>> {
  const { reads } = server.database;
  const digests = reads.connection.entityMetadatas.map(async ({ tableName }) => {
    const isLate = tableName === 'push_subscriptions';
    const where = isLate ? ' WHERE session_id IN (SELECT id FROM sessions)' : '';
    const rows: unknown[] = await reads.query(`SELECT * FROM ${tableName}${where}`);
    return [tableName, `${rows.length} rows, ${hash('sha256', JSON.stringify(rows))}`];
  });
  return Object.fromEntries(await Promise.all(digests)) as Record<string, string>;
}

/** Lets `revoke` commit after the next request was authenticated and before its transaction begins. */
function beforeNextTransaction(revoke: () => Promise<unknown>): { storedThen(): unknown } {
  const { database } = server;
  const begin = database.transaction.bind(database);
  let stored: unknown;
  vi.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
    await revoke();
    stored = await everythingStored();
    return begin(work);
  });
  return { storedThen: () => stored };
}

/** Sends all but the last byte of a body, and the rest when the server reads it and `meanwhile` is over. */
async function sendHeld(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; text: string; stored: unknown }> {
  const id = crypto.randomUUID();
  let arrived: IncomingMessage | undefined;
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.headers['x-request-id'] === id) arrived = request;
  };
  subscribe('http.server.request.start', onRequest);
  const client = openRequest(server.url + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': id,
      ...headers,
    },
  });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    client.on('error', reject);
    client.on('response', (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  client.write(body.slice(0, -1));
  // The body is read after everything that comes before it: authentication, above all.
  await vi.waitFor(() => expect(arrived?.readableFlowing).toBe(true), { interval: 1 });
  unsubscribe('http.server.request.start', onRequest);
  await meanwhile();
  const stored = await everythingStored();
  client.end(body.slice(-1));
  return { ...(await answered), stored };
}

const credentialsOf = (member: TestClient) => ({
  Cookie: member.cookieHeader,
  'X-CSRF-Token': member.cookies.get('csrf-token') ?? '',
});

test('every route that changes something is here', () => {
  const writes = server.endpoints
    .filter(({ method, who }) => method !== 'GET' && who !== 'anyone')
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(WRITE_ROUTES).toSorted()).toEqual(writes.toSorted());
});

describe.each(Object.entries(WRITE_ROUTES))('%s', (name, prepare) => {
  const method = name.split(' ')[0] ?? '';

  test('succeeds for whom nothing is revoked', async () => {
    const member = await server.signedIn({ role: 'admin' });
    const { path, body } = await prepare(world, member);
    expect((await member.send(method, path, body)).ok).toBe(true);
  });

  test.each(Object.entries(REVOCATIONS))('%s before the transaction refuses it', async (_, revoke) => {
    if (WITHOUT_TRANSACTION.has(name)) return;
    const member = await server.signedIn({ role: 'admin' });
    const { path, body } = await prepare(world, member);
    const { storedThen } = beforeNextTransaction(() => revoke(member));
    const response = await member.send(method, path, body);
    expect([response.status, await response.text()]).toEqual([401, 'Sign in first.']);
    expect(await everythingStored()).toEqual(storedThen());
  });

  test.each(Object.entries(REVOCATIONS))('%s while the body is held back refuses it', async (_, revoke) => {
    const member = await server.signedIn({ role: 'admin' });
    const { path, body } = await prepare(world, member);
    if (body === undefined) return;
    const held = await sendHeld(method, path, credentialsOf(member), JSON.stringify(body), () => revoke(member));
    expect([held.status, held.text]).toEqual([401, 'Sign in first.']);
    expect(await everythingStored()).toEqual(held.stored);
  });
});

/** True when a transaction waits for the row of this session, or on SQLite for its turn. */
const isWaitingFor = async (sessionId: string): Promise<boolean> => {
  const { database } = server;
  if (database.dialect.name === 'sqlite') return database.waiting() > 0;
  const sql = "SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE ? AND info LIKE '%SHARE MODE'";
  return ((await database.reads.query(sql, [`%${sessionId}%`])) as unknown[]).length > 0;
};

/** Undoes a transaction on purpose. */
class RollBack extends Error {}

describe('a revocation whose transaction is open when the request is authenticated', () => {
  test.each([
    ['commits, and the request is refused', true, 401],
    ['is rolled back, and the request succeeds', false, 201],
  ])('%s', async (_, isCommitted, status) => {
    const member = await server.signedIn();
    let answer: Promise<Response> | undefined;
    await server.database
      .transaction(async (tx) => {
        const [sessionId = ''] = await removeSessionsOf(tx, member.id);
        answer = member.send('POST', '/api/folders', { name: 'A folder', color: 'red' });
        await vi.waitUntil(() => isWaitingFor(sessionId), { timeout: 10_000 });
        if (!isCommitted) throw new RollBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RollBack)) throw error;
      });
    expect((await answer)?.status).toBe(status);
  });
});

describe('POST /webhook with a deleted API key', () => {
  const BAD_KEY = [401, 'The API key is missing or not valid; send it in the header X-Webhook-Auth.'];

  test('is refused when the key went while the body was held back', async () => {
    const { id, plainKey } = await newApiKey(world);
    const held = await sendHeld('POST', '/webhook', { 'X-Webhook-Auth': plainKey }, '{"a":1}', () =>
      must(world.admin.send('DELETE', `/api/api-keys/${id}`)),
    );
    expect([held.status, held.text]).toEqual(BAD_KEY);
    expect(await everythingStored()).toEqual(held.stored);
  });

  test('is refused when the key went before the transaction; alerts of other keys beside it are stored', async () => {
    const { id, plainKey } = await newApiKey(world);
    // The first use of a key is noted in a transaction of its own.
    await world.admin.postAlert(plainKey);
    beforeNextTransaction(() => must(world.admin.send('DELETE', `/api/api-keys/${id}`)));
    const [refused, stored] = await Promise.all([
      world.admin.post(plainKey, { customer: 'Revoked' }),
      world.admin.post(world.apiKey, { customer: 'Beside' }),
    ]);
    expect([refused.status, await refused.text()]).toEqual(BAD_KEY);
    expect(stored.status).toBe(202);
    const alerts = server.database.reads.getRepository(AlertEntity);
    expect([await alerts.countBy({ customer: 'Revoked' }), await alerts.countBy({ customer: 'Beside' })]).toEqual([
      0, 1,
    ]);
  });

  test('a redelivery is refused as well', async () => {
    const { id, plainKey } = await newApiKey(world);
    const headers = { 'Idempotency-Key': 'once' };
    expect((await world.admin.post(plainKey, {}, headers)).status).toBe(202);
    beforeNextTransaction(() => must(world.admin.send('DELETE', `/api/api-keys/${id}`)));
    expect((await world.admin.post(plainKey, {}, headers)).status).toBe(401);
  });
});
