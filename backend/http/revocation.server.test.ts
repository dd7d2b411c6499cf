import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { presentSession } from '#backend/identity/users/user.ts';
import { resetPassword, setUserActive, setUserRole } from '#backend/identity/accounts/user-commands.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { COMMAND_LINE } from '#backend/identity/audit/audit-log.ts';
import { CSRF_COOKIE } from '#backend/contract/csrf.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { type SessionStore, createSessionStore, removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import { csrfTokenOf } from '#backend/identity/users/session-tokens.ts';
import { createSealing, newSealingKey } from '#backend/platform/secrets/sealing.ts';
import { deleteSource } from '#backend/intake/sources/source-commands.ts';
import { openSourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { unannounced } from '#tests/support/catch-changes.ts';
import { type Stored, expectNothingStored } from '#tests/support/expect-nothing-stored.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type IdentityProvider, startIdentityProvider } from '#tests/support/identity-provider.ts';
import { IDENTITY_ROUTES, PUBLIC_ORIGIN, providersFile } from '#tests/support/oidc-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { sendInTwoParts } from '#tests/support/send-in-two-parts.ts';
import { SECOND_STEP_ROUTES } from '#tests/support/second-step-routes.ts';
import { WITHOUT_TRANSACTION } from '#tests/support/source-calls.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { WRITE_ROUTES, type WriteWorld, createWriteWorld, must, newApiKey } from '#tests/support/write-routes.ts';

/** How an account's sessions are ended while one of them has a request in flight, as another server on the same database does. */
const REVOCATIONS: Record<string, (member: TestClient, database: Database) => Promise<unknown>> = {
  disable: ({ id }, database) => setUserActive(dependenciesOf(database), COMMAND_LINE, id, false),
  'password reset': ({ id }, database) => resetPassword(dependenciesOf(database), COMMAND_LINE, id, 'something new'),
  'sign-out': async (member, database) => {
    const store = createSessionStore(unannounced(database), SILENT, server.config);
    const actor = await store.find(member.cookies.get('sid') ?? '', null);
    await store.end(actor as Actor, '127.0.0.1');
  },
  'role change': ({ id }, database) => setUserRole(dependenciesOf(database), COMMAND_LINE, id, 'user'),
};

const SILENT = createLogger('silent');

const dependenciesOf = (database: Database) => ({
  database: unannounced(database),
  passwords: createPasswords(4),
  events: createEventBus(() => undefined),
  securityMails: { add: async () => undefined },
});

const deleteKey = async (id: string, database: Database) =>
  deleteSource(
    {
      ...dependenciesOf(database),
      sources: await openSourceRegistry({ database, events: createEventBus(() => undefined), logger: SILENT }),
      sealing: createSealing(newSealingKey()),
    },
    COMMAND_LINE,
    id,
  );

/** Every route on which a member changes something. */
const ROUTES = { ...WRITE_ROUTES, ...SECOND_STEP_ROUTES, ...IDENTITY_ROUTES };

let server: TestServer;
let world: WriteWorld;
let company: IdentityProvider;
let sessions: SessionStore;
const SESSION_SECRET = 'a secret of these tests, which begin sessions themselves';

/** A new administrator with a session, begun beside the sign-in, which takes most of the time of a test. */
async function signedIn(): Promise<TestClient> {
  const user = await server.addUser({ role: 'admin' });
  const { token = '', id = '' } = (await sessions.create(user, { ip: '127.0.0.1', userAgent: 'node' })) ?? {};
  const member = server.anonymous();
  member.cookies.set('sid', token).set(CSRF_COOKIE, csrfTokenOf(SESSION_SECRET, id));
  member.session = presentSession(user);
  return member;
}

beforeAll(async () => {
  // By a name, to which passkeys belong.
  company = await startIdentityProvider([PUBLIC_ORIGIN]);
  company.accounts.set('ada', {});
  company.signsInAs = 'ada';
  server = await startTestServer({ ...providersFile([{ at: company }]), SESSION_SECRET });
  sessions = createSessionStore(server.database, SILENT, server.config);
  world = await createWriteWorld(server);
});
afterAll(async () => {
  await server.destroy();
  await company.stop();
});

/** Tables that are written beside, or in which only a part must stay as it is: what of them is compared. */
const PARTS: Record<string, string | undefined> = {
  // How far each server has dealt with changes is written down a moment after them.
  change_places: undefined,
  // Members are notified a moment after they were given alerts, and messages are tried again.
  changes: undefined,
  // The delivery log is written beside, and so are its counts.
  deliveries: undefined,
  delivery_requests: undefined,
  outgoing_destinations: 'SELECT id, name, settings, sealed, paused_at, version FROM outgoing_destinations',
  outgoing_messages: 'SELECT id, state, content FROM outgoing_messages',
  // Subscriptions of ended sessions are removed a moment after these.
  push_subscriptions: 'SELECT * FROM push_subscriptions WHERE session_id IN (SELECT id FROM sessions)',
  // The last use of a secret is noted beside the alerts that used it.
  source_secrets: 'SELECT id, source_id, hash, expires_at FROM source_secrets',
};

/** A digest of each table. MariaDB makes those of whole tables itself, which takes a fraction of the time. */
async function everythingStored(): Promise<Stored> {
  const { reads, dialect } = server.database;
  const tables = reads.connection.entityMetadatas.map(({ tableName }) => tableName);
  const whole = tables.filter((table) => !Object.hasOwn(PARTS, table));
  const digest = async (table: string, sql: string): Promise<[string, unknown]> => {
    const rows: unknown[] = await reads.query(sql);
    return [table, `${rows.length} rows, ${hash('sha256', JSON.stringify(rows))}`];
  };
  const parts = Object.entries(PARTS).flatMap(([table, sql]) => (sql === undefined ? [] : [digest(table, sql)]));
  if (dialect.name !== 'mysql') parts.push(...whole.map((table) => digest(table, `SELECT * FROM ${table}`)));
  const sums: { Table: string; Checksum: unknown }[] =
    dialect.name === 'mysql' ? await reads.query(`CHECKSUM TABLE ${whole.join(', ')}`) : [];
  return Object.fromEntries([
    ...(await Promise.all(parts)),
    ...sums.map(({ Table, Checksum }): [string, unknown] => [Table, Checksum]),
  ]);
}

/**
 * Lets `revoke` commit after the next request was authenticated and before its transaction begins. Work in the background
 * may ask for the first transaction: then the request's own waits, too, until access is revoked.
 */
function beforeNextTransaction(revoke: (database: Database) => Promise<unknown>): { storedThen(): Stored } {
  const { database } = server;
  const begin = database.transaction.bind(database);
  let stored: Stored | undefined;
  let revoked: Promise<void> | undefined;
  const revokeOnce = async () => {
    await revoke({ ...database, transaction: begin });
    stored = await everythingStored();
  };
  const spy = vi.spyOn(database, 'transaction').mockImplementation(async (work) => {
    revoked ??= revokeOnce();
    await revoked;
    return begin(work);
  });
  onTestFinished(() => spy.mockRestore());
  return {
    storedThen() {
      spy.mockRestore();
      if (!stored) throw new Error('The request began no transaction.');
      return stored;
    },
  };
}

const credentialsOf = (member: TestClient) => ({
  Cookie: member.cookieHeader,
  'X-CSRF-Token': member.cookies.get('csrf-token') ?? '',
});

test('every route that changes something is here', () => {
  const writes = server.endpoints
    .filter(({ method, access }) => method !== 'GET' && access !== 'anyone')
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(ROUTES).toSorted()).toEqual(writes.toSorted());
});

/** Routes on which every way is tried; each other route has one of the ways, in turn. */
const WITH_EVERY_WAY = new Set([
  'POST /api/folders',
  'POST /api/alerts/:id/accept',
  'PATCH /api/auth/profile',
  'POST /api/sources',
]);

type Revoke = (member: TestClient, database: Database) => Promise<unknown>;

/** The ways in which access is revoked on the route of this number. */
const waysOf = (name: string, index: number): [string, Revoke][] => {
  const ways = Object.entries(REVOCATIONS);
  return WITH_EVERY_WAY.has(name) ? ways : ways.slice(index % ways.length).slice(0, 1);
};

describe.each(Object.entries(ROUTES).map(([name, prepare], index) => ({ name, prepare, ways: waysOf(name, index) })))(
  '$name',
  ({ name, prepare, ways }) => {
    const method = name.split(' ')[0] ?? '';

    test('succeeds for whom nothing is revoked', async () => {
      const member = await signedIn();
      const { path, body } = await prepare(world, member);
      expect((await member.send(method, path, body)).ok).toBe(true);
    });

    test.skipIf(WITHOUT_TRANSACTION.has(name)).each(ways)('%s before the transaction refuses it', async (_, revoke) => {
      await expectNothingStored(async () => {
        const member = await signedIn();
        const { path, body } = await prepare(world, member);
        const { storedThen } = beforeNextTransaction((database) => revoke(member, database));
        const response = await member.send(method, path, body);
        expect([response.status, await response.text()]).toEqual([401, 'Sign in first.']);
        return { before: storedThen(), after: await everythingStored() };
      });
    });

    test.each(ways)('%s while the body is held back refuses it', async (_, revoke) => {
      await expectNothingStored(async () => {
        const member = await signedIn();
        const { path, body } = await prepare(world, member);
        if (body === undefined) return { before: {}, after: {} };
        const answer = await sendInTwoParts(server.url, method, path, credentialsOf(member), JSON.stringify(body), () =>
          revoke(member, server.database).then(everythingStored),
        );
        expect([answer.status, answer.text]).toEqual([401, 'Sign in first.']);
        return { before: answer.between, after: await everythingStored() };
      });
    });
  },
);

test('every way of revoking is tried on many routes, and each route of those with every way is there', () => {
  const tried = Object.keys(ROUTES).flatMap((name, index) => waysOf(name, index).map(([way]) => way));
  for (const way of Object.keys(REVOCATIONS)) expect(tried.filter((one) => one === way).length).toBeGreaterThan(20);
  expect(Object.keys(ROUTES)).toEqual(expect.arrayContaining([...WITH_EVERY_WAY]));
});

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
        // By the transaction itself, which MariaDB would end if it rested for long.
        await untilQueued({ ...server.database, reads: tx }, `%${sessionId}%SHARE MODE`);
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
    await expectNothingStored(async () => {
      const { id, plainKey } = await newApiKey(world);
      const headers = { 'X-Webhook-Auth': plainKey };
      const answer = await sendInTwoParts(server.url, 'POST', '/webhook', headers, '{"a":1}', async () => {
        await must(world.admin.send('DELETE', `/api/api-keys/${id}`));
        return everythingStored();
      });
      expect([answer.status, answer.text]).toEqual(BAD_KEY);
      return { before: answer.between, after: await everythingStored() };
    });
  });

  test('is refused when the key went before the transaction; alerts of other keys beside it are stored', async () => {
    const { id, plainKey } = await newApiKey(world);
    // The first use of a key is noted in a transaction of its own.
    await world.admin.postAlert(plainKey);
    beforeNextTransaction((database) => deleteKey(id, database));
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
    beforeNextTransaction((database) => deleteKey(id, database));
    expect((await world.admin.post(plainKey, {}, headers)).status).toBe(401);
  });
});
