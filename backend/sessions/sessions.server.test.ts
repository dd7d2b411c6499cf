import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPasswords } from '#backend/accounts/passwords.ts';
import { UserEntity } from '#backend/accounts/user-entity.ts';
import { SessionEntity } from '#backend/sessions/session-entity.ts';
import { SESSION_LIFETIME_MS } from '#backend/sessions/session-store.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.destroy());

const logIn = (email: string, password: string) =>
  server.anonymous().send('POST', '/api/auth/login', { email, password });

describe('the first administrator', () => {
  test('signs in with the generated password, whatever the case of the e-mail', async () => {
    const password = server.firstAdmin?.generatedPassword ?? '';
    expect(password).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){3}$/);
    const client = server.anonymous();
    expect(await client.signIn('Admin@Alertdesk.LOCAL', password)).toMatchObject({
      email: 'admin@alertdesk.local',
      role: 'admin',
    });
    expect(await (await client.get('/api/auth/session')).json()).toEqual(client.session);
  });

  test('is created once', async () => {
    const restarted = await server.restart();
    expect(restarted.firstAdmin).toBeUndefined();
    expect(await restarted.database.reads.getRepository(UserEntity).count()).toBe(1);
    await restarted.stop();
  });

  test('may be named by the environment; that password is shown nowhere', async () => {
    const own = await startTestServer({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'chosen by me' });
    expect(own.firstAdmin).toEqual({ email: 'boss@example.com', generatedPassword: undefined, setupToken: undefined });
    await own.anonymous().signIn('boss@example.com', 'chosen by me');
    expect((await own.anonymous().get('/api/auth/default-credentials')).status).toBe(404);
    await own.destroy();
  });
});

describe('signing in', () => {
  test('wrong e-mail, wrong password and a disabled account answer alike', async () => {
    const user = await server.addUser();
    const disabled = await server.addUser({ isActive: false });
    for (const [email, password] of [
      ['nobody@example.com', 'correct horse'],
      [user.email, 'wrong'],
      [user.email, 'x'.repeat(100)],
      [disabled.email, 'correct horse'],
    ] as const) {
      const response = await logIn(email, password);
      expect(response.status).toBe(401);
      expect(await response.text()).toBe('Invalid email or password');
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  test('is throttled per account, with the time to wait', async () => {
    const user = await server.addUser();
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) statuses.push((await logIn(user.email, 'wrong')).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    const refused = await logIn(user.email, 'correct horse');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.text()).toMatch(/Try again in/);
  });

  test('is throttled per address, which is the one that the trusted proxy saw', async () => {
    const own = await startTestServer({ TRUST_PROXY: '1' });
    const tryFrom = async (forwarded: string, account: number) => {
      const login = { email: `nobody-${account}@example.com`, password: 'wrong' };
      const headers = { 'X-Forwarded-For': forwarded };
      return (await own.anonymous().send('POST', '/api/auth/login', login, headers)).status;
    };
    for (let account = 0; account < 50; account += 1) {
      expect(await tryFrom(`10.0.0.${account}, 203.0.113.9`, account)).toBe(401);
    }
    expect(await tryFrom('10.0.0.200, 203.0.113.9', 50)).toBe(429);
    expect(await tryFrom('203.0.113.9, 203.0.113.10', 51)).toBe(401);
    await own.destroy();
  });

  test('gives a new session each time, and names missing fields', async () => {
    const user = await server.addUser();
    const [one, two] = [server.anonymous(), server.anonymous()];
    await one.signIn(user.email, 'correct horse');
    await two.signIn(user.email, 'correct horse');
    expect(one.cookies.get('sid')).not.toBe(two.cookies.get('sid'));

    const response = await server.anonymous().send('POST', '/api/auth/login', { email: user.email });
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(/password/);
  });

  test('cookies are plain over http', async () => {
    const user = await server.addUser();
    const cookies = (await logIn(user.email, 'correct horse')).headers.getSetCookie();
    expect(cookies[0]).toMatch(/^sid=[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/i);
    expect(cookies[1]).toMatch(/^csrf-token=[\w-]{43}; path=\/; expires=.*; samesite=lax$/i);
  });

  test('cookies are Secure and bound to the host over https', async () => {
    const own = await startTestServer({ PUBLIC_URL: 'https://alerts.example.com' });
    const user = await own.addUser();
    const response = await own
      .anonymous()
      .send('POST', '/api/auth/login', { email: user.email, password: 'correct horse' });
    const [sid, csrf] = response.headers.getSetCookie();
    expect(sid).toMatch(/^__Host-sid=.*; secure; httponly$/i);
    expect(csrf).toMatch(/^csrf-token=.*; secure$/i);
    expect(response.headers.get('Strict-Transport-Security')).toMatch(/max-age/);
    await own.destroy();
  });
});

test('a hash of another cost is made anew at the next sign-in', async () => {
  const user = await server.addUser();
  const passwordHash = await createPasswords(5).hash('correct horse');
  const users = () => server.database.reads.getRepository(UserEntity).findOneByOrFail({ id: user.id });
  await server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id: user.id }, { passwordHash }));
  await server.anonymous().signIn(user.email, 'correct horse');
  expect((await users()).passwordHash).toMatch(/^\$2b\$04\$/);
  const again = server.anonymous();
  await again.signIn(user.email, 'correct horse');
  expect((await again.get('/api/auth/session')).status).toBe(200);
});

describe('a session', () => {
  test('ends with signing out', async () => {
    const member = await server.signedIn();
    const cookie = member.cookieHeader;
    expect((await member.send('POST', '/api/auth/logout')).status).toBe(204);
    expect(member.cookies.size).toBe(0);
    expect((await server.anonymous().get('/api/auth/session', { Cookie: cookie })).status).toBe(401);
  });

  test('ends when the account is disabled', async () => {
    const member = await server.signedIn();
    await server.database.transaction((tx) =>
      tx.getRepository(UserEntity).update({ id: member.id }, { isActive: false }),
    );
    expect((await member.get('/api/auth/session')).status).toBe(401);
  });

  test('ends after seven days without use, and only then', async () => {
    const member = await server.signedIn();
    const setLastSeen = (lastSeenAt: number) =>
      server.database.transaction((tx) =>
        tx.getRepository(SessionEntity).update({ userId: member.id }, { lastSeenAt }),
      );
    await setLastSeen(Date.now() - SESSION_LIFETIME_MS + 60_000);
    expect((await member.get('/api/auth/session')).status).toBe(200);
    const session = await server.database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: member.id });
    expect(session.lastSeenAt).toBeGreaterThan(Date.now() - 60_000);
    await setLastSeen(Date.now() - SESSION_LIFETIME_MS - 1);
    expect((await member.get('/api/auth/session')).status).toBe(401);
  });

  test('is stored by its hash only', async () => {
    const member = await server.signedIn();
    const sid = member.cookies.get('sid') ?? '';
    const sessions = await server.database.reads.getRepository(SessionEntity).findBy({ userId: member.id });
    expect(JSON.stringify(sessions)).not.toContain(sid);
  });
});

describe('CSRF', () => {
  test('a change without the session’s token is refused', async () => {
    const member = await server.signedIn({ role: 'admin' });
    const other = await server.signedIn({ role: 'admin' });
    for (const token of ['', 'x'.repeat(43), other.cookies.get('csrf-token') ?? '']) {
      const response = await member.send('POST', '/api/api-keys', { name: 'A key' }, { 'X-CSRF-Token': token });
      expect(response.status).toBe(403);
      expect(await response.text()).toMatch(/CSRF/);
    }
    expect(await (await member.get('/api/api-keys')).json()).toEqual([]);
  });

  test.each(['cross-site', 'same-site'])('a change from a %s page is refused', async (site) => {
    const member = await server.signedIn();
    expect((await member.send('POST', '/api/auth/logout', undefined, { 'Sec-Fetch-Site': site })).status).toBe(403);
    expect((await member.get('/api/auth/session')).status).toBe(200);
  });
});
