import { randomInt } from 'node:crypto';
import { LessThan } from 'typeorm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import { AuditEntity, addAudit } from './audit-log.ts';
import { type AuditEntry, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { apiKeySchema } from '#backend/contract/api-key.ts';
import { userSchema } from '#backend/contract/user.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { forgetClock, idsAreNoted } from '#tests/support/forget-clock.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
  admin = await server.signedIn({ role: 'admin' });
});
afterEach(() => vi.useRealTimers());
afterAll(() => server.destroy());

const trail = async (query = '') =>
  z.array(auditEntrySchema).parse(await (await admin.get(`/api/audit${query}`)).json());
const summary = ({ action, actorName, subject }: AuditEntry) => [action, actorName, subject];

test('remembers who changed which account and key', async () => {
  const email = `audited-${crypto.randomUUID()}@example.com`;
  const me = admin.session?.email ?? '';
  const input = { email, displayName: 'Audited', password: 'first secret' };
  const { id } = userSchema.parse(await (await admin.send('POST', '/api/auth/users', input)).json());
  await admin.send('PATCH', `/api/auth/users/${id}/toggle-active`);
  await admin.send('PATCH', `/api/auth/users/${id}/toggle-active`);
  await admin.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword: 'second secret' });
  const key = apiKeySchema.parse(await (await admin.send('POST', '/api/api-keys', { name: 'Key' })).json());
  await admin.send('DELETE', `/api/api-keys/${key.id}`);
  const entries = await trail('?limit=6');
  expect(entries.map(summary)).toEqual([
    ['api_key_deleted', me, 'Key'],
    ['api_key_created', me, 'Key'],
    ['password_reset', me, email],
    ['user_enabled', me, email],
    ['user_disabled', me, email],
    ['user_created', me, email],
  ]);
  for (const entry of entries) expect(entry).toMatchObject({ actorId: admin.id, ip: '127.0.0.1' });
  expect(JSON.stringify(entries)).not.toMatch(/secret/);
});

test('has on one line what somebody typed as a name', async () => {
  await server.anonymous().send('POST', '/api/auth/login', { email: 'nobody\r\n=1+1', password: 'wrong' });
  expect((await trail('?limit=1')).map(summary)).toEqual([['sign_in_failed', 'nobody =1+1', null]]);
});

test('remembers who came in, who left and who was kept out', async () => {
  const user = await server.addUser();
  const client = server.anonymous();
  await client.send('POST', '/api/auth/login', { email: user.email, password: 'wrong' });
  await client.signIn(user.email, 'correct horse');
  await client.get('/api/auth/users');
  await client.send('POST', '/api/auth/logout');
  expect((await trail('?limit=4')).map(summary)).toEqual([
    ['signed_out', user.email, null],
    ['refused', user.email, 'GET /api/auth/users'],
    ['signed_in', user.email, 'password'],
    ['sign_in_failed', user.email, null],
  ]);
});

test('names the API token by which somebody acted, also when it is revoked', async () => {
  const name = `Nightly ${crypto.randomUUID()}`;
  const newToken = async (scope: string) => {
    const input = { name, scope, expiresInDays: null };
    return createdApiTokenSchema.parse(await (await admin.send('POST', '/api/auth/tokens', input)).json());
  };
  const { id, plainToken } = await newToken('admin');
  const reading = await newToken('read');
  const key = await admin.send('POST', '/api/api-keys', { name: 'Changed by a script' });
  const source = apiKeySchema.parse(await key.json()).id;
  const act = (token: string) =>
    server
      .anonymous()
      .send('PATCH', `/api/sources/${source}`, { isPaused: true }, { Authorization: `Bearer ${token}` });
  expect((await act(plainToken)).status).toBe(200);
  expect((await act(reading.plainToken)).status).toBe(403);
  await admin.send('DELETE', `/api/auth/tokens/${id}`);
  expect((await trail('?limit=3')).map(({ action, actorId, token }) => [action, actorId, token])).toEqual([
    ['api_token_revoked', admin.id, undefined],
    ['refused', admin.id, { id: reading.id, name }],
    ['source_paused', admin.id, { id, name }],
  ]);
  expect(
    (await trail(`?q=${encodeURIComponent(name.toLowerCase())}&kind=refused`)).map(({ action }) => action),
  ).toEqual(['refused']);
});

test('says which settings of a source were changed, from what to what', async () => {
  const [name, renamed, customer] = ['Settled', 'Resettled', 'Customer'].map((one) => `${one} ${crypto.randomUUID()}`);
  const key = await admin.send('POST', '/api/api-keys', { name });
  const path = `/api/sources/${apiKeySchema.parse(await key.json()).id}`;
  const auth = { key: true, basic: false, token: true, signature: null };
  const changes = [
    { settings: { auth, reopenWithinMinutes: 0, defaultCustomer: customer } },
    { settings: { auth, reopenWithinMinutes: 0, mapping: { title: 'summary' } } },
    { name: renamed },
    { name: renamed, settings: { reopenWithinMinutes: 0 } },
  ];
  for (const change of changes) expect((await admin.send('PATCH', path, change)).status).toBe(200);
  expect((await trail('?limit=4')).map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
    ['source_changed', `${name} → ${renamed}`, undefined],
    ['source_changed', name, 'mapping.title: none → "summary"'],
    [
      'source_changed',
      name,
      `auth.basic: true → false; defaultCustomer: null → "${customer}"; reopenWithinMinutes: 15 → 0`,
    ],
    ['api_key_created', name, undefined],
  ]);
  expect(
    (await trail(`?q=${encodeURIComponent(customer?.toUpperCase() ?? '')}&kind=sources`)).map(({ subject }) => subject),
  ).toEqual([name]);
});

test('remembers that a disabled member tried to come in', async () => {
  const { email } = await server.addUser({ isActive: false });
  await server.anonymous().send('POST', '/api/auth/login', { email, password: TEST_PASSWORD });
  expect((await trail('?limit=1')).map(summary)).toEqual([['sign_in_failed', email, null]]);
});

test('says why a sign-in was refused, and says nothing of it to whoever was refused', async () => {
  const [user, off] = [await server.addUser(), await server.addUser({ isActive: false })];
  const attempts = [
    ['nobody-here@example.com', TEST_PASSWORD],
    [user.email, 'wrong'],
    [off.email, TEST_PASSWORD],
  ];
  const answers = new Set<string>();
  for (const [email, password] of attempts) {
    const answer = await server.anonymous().send('POST', '/api/auth/login', { email, password });
    answers.add(`${answer.status} ${await answer.text()}`.replace(answer.headers.get('X-Request-Id') ?? '-', ''));
  }
  expect([...answers]).toHaveLength(1);
  expect((await trail('?limit=3')).map(({ action, actorName, detail }) => [action, actorName, detail])).toEqual([
    ['sign_in_failed', off.email, 'account disabled'],
    ['sign_in_failed', user.email, 'wrong password'],
    ['sign_in_failed', 'nobody-here@example.com', 'unknown account'],
  ]);
});

test('a guesser does not fill it', async () => {
  const email = `guessed-${crypto.randomUUID()}@example.com`;
  // From a network of its own, where nobody else has tried.
  const elsewhere = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await server.anonymous().send('POST', '/api/auth/login', { email, password: 'guess' }, elsewhere);
  }
  const entries = (await trail('?limit=500')).filter(({ actorName }) => actorName === email);
  expect(entries.map(({ action }) => action)).toEqual([
    'sign_in_throttled',
    ...Array.from({ length: 20 }, () => 'sign_in_failed'),
  ]);
});

test('entries and the history of deleted alerts go after AUDIT_RETENTION_DAYS', async () => {
  const now = Date.now();
  const daysAgo = (days: number) => now - days * 24 * 60 * 60 * 1000;
  vi.useFakeTimers({ toFake: ['Date'], now: daysAgo(4) });
  const own = await startTestServer({ AUDIT_RETENTION_DAYS: '3' });
  const ownKey = await own.addApiKey();
  const remove = async () => {
    const member = await own.signedIn();
    const { id } = await member.postAlert(ownKey);
    await member.send('DELETE', `/api/webhooks/${id}`);
    return id;
  };
  const old = await remove();
  const member = await own.signedIn();
  const { id: kept } = await member.postAlert(ownKey);
  await member.send('POST', `/api/alerts/${kept}/accept`);
  await idsAreNoted(own);
  vi.setSystemTime(daysAgo(2));
  const young = await remove();
  await idsAreNoted(own);
  await forgetClock(own);
  vi.useRealTimers();
  const restarted = await own.restart();
  const history = (alertId: string) => restarted.database.reads.getRepository(HistoryEntity).countBy({ alertId });
  await expect.poll(() => history(old)).toBe(0);
  expect([await history(kept), await history(young)]).toEqual([2, 2]);
  const audit = restarted.database.reads.getRepository(AuditEntity);
  await expect.poll(() => audit.countBy({ createdAt: LessThan(daysAgo(3)) })).toBe(0);
  expect(await audit.countBy({ action: 'signed_in' })).toBe(1);
  await restarted.destroy();
});

test('is written to standard output with AUDIT_STREAM=stdout, when it is committed', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const linesOf = (name: string) =>
    written.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes(name))
      .map((line) => JSON.parse(line) as object);
  const own = await startTestServer({ AUDIT_STREAM: 'stdout' });
  try {
    const author = { id: null, name: 'rolled-back', ip: null };
    const undone = own.database.transaction(async (tx) => {
      await addAudit(tx, author, 'signed_out');
      throw new Error('no commit');
    });
    await expect(undone).rejects.toThrow('no commit');
    expect(linesOf('rolled-back')).toEqual([]);
    await own.anonymous().send('POST', '/api/auth/login', { email: 'streamed@example.com', password: 'x' });
    expect(linesOf('streamed@example.com')).toEqual([
      expect.objectContaining({ type: 'audit', action: 'sign_in_failed', ip: '127.0.0.1', detail: 'unknown account' }),
    ]);
    await server.anonymous().send('POST', '/api/auth/login', { email: 'unstreamed@example.com', password: 'x' });
    expect(linesOf('unstreamed@example.com')).toEqual([]);
  } finally {
    written.mockRestore();
    await own.destroy();
  }
});

test('is paged, newest first', async () => {
  const all = await trail('?limit=500');
  const first = await admin.get('/api/audit?limit=5');
  const link = /<(?<next>[^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.groups?.['next'] ?? '';
  const second = z.array(auditEntrySchema).parse(await (await admin.get(link)).json());
  expect(second.map(({ id }) => id)).toEqual(all.slice(5, 10).map(({ id }) => id));
});

const actionsOf = (entries: AuditEntry[]) => entries.map(({ action }) => action);

test('is filtered by kind, by a text in whatever case, and by time, page by page', async () => {
  const name = crypto.randomUUID();
  const email = `Filtered.${name}@example.com`;
  const input = { email, displayName: 'Filtered', password: 'first secret' };
  const startedAt = new Date().toISOString();
  const { id } = userSchema.parse(await (await admin.send('POST', '/api/auth/users', input)).json());
  await server.anonymous().send('POST', '/api/auth/login', { email, password: 'wrong' });
  await admin.send('PATCH', `/api/auth/users/${id}/toggle-active`);
  await admin.send('POST', '/api/api-keys', { name: `filtered.${name}’s key` });
  const q = encodeURIComponent(`FILTERED.${name}`);
  expect(actionsOf(await trail(`?q=${q}`))).toEqual([
    'api_key_created',
    'user_disabled',
    'sign_in_failed',
    'user_created',
  ]);
  expect(actionsOf(await trail(`?q=${q}&kind=accounts`))).toEqual(['user_disabled', 'user_created']);
  expect(actionsOf(await trail(`?q=${q}&kind=keys&from=${startedAt}`))).toEqual(['api_key_created']);
  expect(await trail(`?q=${q}&to=${startedAt}`)).toEqual([]);
  const first = await admin.get(`/api/audit?q=${q}&kind=accounts&limit=1`);
  const next = /<([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  const second = await admin.get(next);
  expect(actionsOf(z.array(auditEntrySchema).parse(await second.json()))).toEqual(['user_created']);
  expect(second.headers.get('Link')).toBeNull();
  // By what the screen calls an action; with `kind` and time as any other text.
  const called = actionsOf(await trail(`?q=user%20DIS&from=${startedAt}`));
  expect(called).toEqual(['user_disabled']);
  expect(await trail(`?q=user%20DIS&kind=keys`)).toEqual([]);
  // What a pattern would mean something in is text.
  expect(await trail(`?q=${encodeURIComponent(`filtered.*${name}`)}`)).toEqual([]);
  for (const bad of ['kind=everything', 'from=yesterday', `q=${'x'.repeat(201)}`]) {
    expect((await admin.get(`/api/audit?${bad}`)).status).toBe(400);
  }
});
