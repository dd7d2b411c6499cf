import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditEntry, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { apiKeySchema } from '#backend/contract/api-key.ts';
import { userSchema } from '#backend/contract/user.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const trail = async (query = '') =>
  auditEntrySchema.array().parse(await (await admin.get(`/api/audit${query}`)).json());
const told = ({ action, actorName, subject }: AuditEntry) => [action, actorName, subject];

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
  expect(entries.map(told)).toEqual([
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
  expect((await trail('?limit=4')).map(told)).toEqual([
    ['signed_out', user.email, null],
    ['refused', user.email, 'GET /api/auth/users'],
    ['signed_in', user.email, null],
    ['sign_in_failed', user.email, null],
  ]);
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

test('is paged, newest first', async () => {
  const all = await trail('?limit=500');
  const first = await admin.get('/api/audit?limit=5');
  const link = /<(?<next>[^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.groups?.['next'] ?? '';
  const second = auditEntrySchema.array().parse(await (await admin.get(link)).json());
  expect(second.map(({ id }) => id)).toEqual(all.slice(5, 10).map(({ id }) => id));
});
