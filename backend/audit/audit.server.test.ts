import { LessThan } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { HistoryEntity } from '#backend/alerts/history.ts';
import { AuditEntity } from '#backend/audit/audit-log.ts';
import { createDenialLog } from '#backend/audit/denial-log.ts';
import { type AuditEntry, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { apiKeySchema } from '#backend/contract/api-key.ts';
import { userSchema } from '#backend/contract/user.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterEach(() => vi.useRealTimers());
afterAll(() => server.destroy());

const trail = async (query = '') =>
  z.array(auditEntrySchema).parse(await (await admin.get(`/api/audit${query}`)).json());
const summary = ({ action, actorName, subject }: AuditEntry) => [action, actorName, subject];

test('remembers who changed which account and key', async () => {
  const email = 'audited@example.com';
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
    ['signed_in', user.email, null],
    ['sign_in_failed', user.email, null],
  ]);
});

test('remembers that a disabled member tried to come in', async () => {
  const { email } = await server.addUser({ isActive: false });
  await server.anonymous().send('POST', '/api/auth/login', { email, password: TEST_PASSWORD });
  expect((await trail('?limit=1')).map(summary)).toEqual([['sign_in_failed', email, null]]);
});

test('a guesser does not fill it', async () => {
  const email = 'guessed@example.com';
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await server.anonymous().send('POST', '/api/auth/login', { email, password: 'guess' });
  }
  const entries = (await trail('?limit=500')).filter(({ actorName }) => actorName === email);
  expect(entries.map(({ action }) => action)).toEqual([
    'sign_in_throttled',
    ...Array.from({ length: 20 }, () => 'sign_in_failed'),
  ]);
});

test('a member who is refused again and again is counted, and fills nothing', async () => {
  const own = await startTestServer();
  const [user, other] = [await own.signedIn(), await own.signedIn()];
  const refused = Array.from({ length: 150 }, () => user.get('/api/auth/users'));
  const deletions = Array.from({ length: 50 }, () => user.send('DELETE', `/api/api-keys/${uuidv7()}`));
  for (const { status } of await Promise.all([...refused, ...deletions, other.get('/api/auth/users')])) {
    expect(status).toBe(403);
  }
  const restarted = await own.restart();
  const reader = await restarted.signedIn({ role: 'admin' });
  const entries = z.array(auditEntrySchema).parse(await (await reader.get('/api/audit?limit=500')).json());
  const counted = entries
    .filter(({ action }) => action === 'refused')
    .map(({ actorId, subject, times }) => [actorId, subject?.replace(/[^/]{36}$/, 'ID'), times]);
  // The first at once, the repetitions when the server stopped.
  expect(counted).toHaveLength(5);
  expect(counted).toEqual(
    expect.arrayContaining([
      [user.id, 'GET /api/auth/users', 1],
      [user.id, 'GET /api/auth/users', 149],
      [user.id, 'DELETE /api/api-keys/ID', 1],
      [user.id, 'DELETE /api/api-keys/ID', 49],
      [other.id, 'GET /api/auth/users', 1],
    ]),
  );
  await restarted.destroy();
});

test('repetitions of a minute are one more entry, and no entry is changed', async () => {
  const { id, email } = await server.addUser();
  const actor = { id, email, displayName: 'Member', role: 'user' as const, sessionId: 'none', provedAt: 0 };
  let clock = 0;
  const log = createDenialLog(server.database, () => clock);
  const call = { method: 'GET', route: '/api/auth/users', path: '/api/auth/users' };
  const timesOf = async () =>
    (await trail('?limit=500')).filter(({ actorId }) => actorId === id).map(({ times }) => times);
  await Promise.all(Array.from({ length: 5 }, () => log.add(actor, '127.0.0.1', call)));
  await log.flush();
  expect(await timesOf()).toEqual([1]);
  await log.add(actor, '127.0.0.1', call);
  clock = 60_000;
  await log.add(actor, '127.0.0.1', call);
  expect((await timesOf()).toSorted()).toEqual([1, 1, 5]);
  await log.add(actor, '127.0.0.1', call);
  clock = 120_000;
  await log.flush();
  await log.flush(true);
  expect((await timesOf()).toSorted()).toEqual([1, 1, 1, 5]);
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
  vi.setSystemTime(daysAgo(2));
  const young = await remove();
  vi.useRealTimers();
  const restarted = await own.restart();
  const history = (alertId: string) => restarted.database.reads.getRepository(HistoryEntity).countBy({ alertId });
  await expect.poll(() => history(old)).toBe(0);
  expect([await history(kept), await history(young)]).toEqual([2, 2]);
  const audit = restarted.database.reads.getRepository(AuditEntity);
  expect(await audit.countBy({ createdAt: LessThan(daysAgo(3)) })).toBe(0);
  expect(await audit.countBy({ action: 'signed_in' })).toBe(1);
  await restarted.destroy();
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
  const email = 'Filtered.Member@example.com';
  const input = { email, displayName: 'Filtered', password: 'first secret' };
  const startedAt = new Date().toISOString();
  const { id } = userSchema.parse(await (await admin.send('POST', '/api/auth/users', input)).json());
  await server.anonymous().send('POST', '/api/auth/login', { email, password: 'wrong' });
  await admin.send('PATCH', `/api/auth/users/${id}/toggle-active`);
  await admin.send('POST', '/api/api-keys', { name: 'filtered.member’s key' });
  const q = encodeURIComponent('FILTERED.member');
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
  // What a pattern would mean something in is text.
  expect(await trail(`?q=${encodeURIComponent('filtered.*member')}`)).toEqual([]);
  for (const bad of ['kind=everything', 'from=yesterday', `q=${'x'.repeat(201)}`]) {
    expect((await admin.get(`/api/audit?${bad}`)).status).toBe(400);
  }
});
