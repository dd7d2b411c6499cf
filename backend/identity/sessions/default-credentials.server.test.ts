import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { defaultCredentialsSchema } from '#backend/contract/session.ts';
import { NGINX, startNginx, startPlainProxy } from '#tests/support/plain-proxy.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const DAY = 24 * 60 * 60 * 1000;
const EMAIL = 'admin@alertdesk.local';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '0' });
  token = server.firstAdmin?.setupToken ?? '';
});
afterAll(() => server.destroy());

const ask = async (presented: string, headers: Record<string, string> = {}, origin = server.url) =>
  (
    await fetch(`${origin}/api/auth/default-credentials`, {
      headers: { Authorization: `Bearer ${presented}`, ...headers },
    })
  ).status;
const changeAdmin = (change: { passwordChangedAt?: number | null; createdAt?: number }) =>
  server.database.transaction((tx) => tx.getRepository(UserEntity).update({ email: EMAIL }, change));

test('the credentials are for who has the token of the first start', async () => {
  expect(token).toMatch(/^[\w-]{43}$/);
  const client = server.anonymous();
  const response = await client.get('/api/auth/default-credentials', { Authorization: `Bearer ${token}` });
  const { email, password } = defaultCredentialsSchema.parse(await response.json());
  expect(password).toBe(server.firstAdmin?.generatedPassword);
  await client.signIn(email, password);
  for (const wrong of ['', 'x', `${token}x`, token.slice(1)]) expect(await ask(wrong)).toBe(404);
  expect((await fetch(`${server.url}/api/auth/default-credentials`)).status).toBe(404);
});

test.each(['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP'])(
  'are not shown through a proxy (%s)',
  async (header) => {
    expect(await ask(token, { [header]: '127.0.0.1' })).toBe(404);
  },
);

test('are not shown after the password was changed', async () => {
  await changeAdmin({ passwordChangedAt: Date.now() });
  expect(await ask(token)).toBe(404);
  await changeAdmin({ passwordChangedAt: null });
  expect(await ask(token)).toBe(200);
});

test('are not shown after 24 hours', async () => {
  await changeAdmin({ createdAt: Date.now() - DAY - 1_000 });
  expect(await ask(token)).toBe(404);
  await changeAdmin({ createdAt: Date.now() - DAY + 60_000 });
  expect(await ask(token)).toBe(200);
});

test('are not shown as those of another account that got the first administrator’s e-mail', async () => {
  const own = await startTestServer();
  const { setupToken = '', generatedPassword = '' } = own.firstAdmin ?? {};
  const first = own.anonymous();
  await first.signIn(EMAIL, generatedPassword);
  await first.send('PATCH', `/api/auth/users/${first.session?.id}`, { email: 'first@example.com' });
  await own.addUser({ email: EMAIL });
  expect(await ask(setupToken, {}, own.url)).toBe(404);
  await own.destroy();
});

test('are not shown once the server has a public name', async () => {
  const own = await startTestServer({ PUBLIC_URL: 'http://alerts.example.com' });
  expect(await ask(own.firstAdmin?.setupToken ?? '', {}, own.url)).toBe(404);
  await own.destroy();
});

test('are never shown again once the account was used from another address', async () => {
  const own = await startTestServer();
  const { setupToken = '', generatedPassword = '' } = own.firstAdmin ?? {};
  expect(await ask(setupToken, {}, own.url)).toBe(200);
  const login = { email: EMAIL, password: generatedPassword };
  const elsewhere = { 'X-Forwarded-For': '203.0.113.7' };
  expect((await own.anonymous().send('POST', '/api/auth/login', login, elsewhere)).status).toBe(200);
  expect(await ask(setupToken, {}, own.url)).toBe(404);
  const restarted = await own.restart();
  expect(await ask(setupToken, {}, restarted.url)).toBe(404);
  expect(restarted.setupToken).toBeUndefined();
  await restarted.destroy();
});

describe.each([['a plain proxy', startPlainProxy], ...(NGINX ? [['nginx', startNginx] as const] : [])] as const)(
  'behind %s that adds no headers',
  (name, startProxy) => {
    test('the default credentials are not public', async () => {
      const origin = await startProxy(server.url);
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      expect((await fetch(`${origin}/api/auth/default-credentials`)).status).toBe(404);
    });

    test.each([
      { PUBLIC_URL: 'https://alerts.example.com', ALLOWED_HOSTS: '127.0.0.1' },
      { TRUST_PROXY: '1' },
      { ALLOWED_HOSTS: 'alerts.example.com,127.0.0.1' },
      ...(name === 'nginx' ? [{}] : []),
    ])('the metrics are not public with %j', async (environment) => {
      const own = await startTestServer(environment);
      const origin = await startProxy(own.url);
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      expect((await fetch(`${origin}/metrics`)).status).toBe(403);
      await own.destroy();
    });
  },
);
