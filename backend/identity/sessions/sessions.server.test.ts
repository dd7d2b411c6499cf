import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SESSION_LIFETIME_MS } from './session-rules.ts';
import { SessionEntity, createSessionStore } from './session-store.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
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

  test('is throttled per account and address, with the time to wait; a known device is let in', async () => {
    const user = await server.addUser();
    const known = server.anonymous();
    await known.signIn(user.email, 'correct horse');
    const statuses: number[] = [];
    for (let count = 0; count < 20; count += 1) statuses.push((await logIn(user.email, 'wrong')).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 401));
    const refused = await logIn(user.email, 'correct horse');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.text()).toMatch(/Try again in/);
    await known.signIn(user.email, 'correct horse');
  });

  test('a known device is one of this account and of its present password, and has a limit of its own', async () => {
    const [user, other] = [await server.addUser(), await server.addUser()];
    const [known, foreign] = [server.anonymous(), server.anonymous()];
    await known.signIn(user.email, 'correct horse');
    await foreign.signIn(other.email, 'correct horse');
    for (let count = 0; count < 20; count += 1) await logIn(user.email, 'wrong');
    const from = async (device: TestClient, password: string) =>
      (await device.send('POST', '/api/auth/login', { email: user.email, password })).status;
    expect(await from(foreign, 'correct horse')).toBe(429);
    const forged = server.anonymous();
    forged.cookies.set(
      'device',
      (known.cookies.get('device') ?? '').replace(/^./, (first) => (first === 'x' ? 'y' : 'x')),
    );
    expect(await from(forged, 'correct horse')).toBe(429);

    for (let count = 0; count < 20; count += 1) expect(await from(known, 'wrong')).toBe(401);
    expect(await from(known, 'correct horse')).toBe(429);

    const admin = await server.signedIn({ role: 'admin' });
    const another = server.anonymous();
    another.cookies.set('device', known.cookies.get('device') ?? '');
    await admin.send('POST', `/api/auth/users/${user.id}/reset-password`, { newPassword: 'something new' });
    expect(await from(another, 'something new')).toBe(429);
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

  test('with a password that is reset meanwhile, or as a member who is disabled meanwhile, starts no session', async () => {
    const sessions = createSessionStore(server.database, createLogger('silent'), server.config);
    const [reset, disabled] = [await server.addUser(), await server.addUser()];
    await server.database.transaction(async (tx) => {
      await tx.getRepository(UserEntity).update({ id: reset.id }, { passwordHash: 'another' });
      await tx.getRepository(UserEntity).update({ id: disabled.id }, { isActive: false });
    });
    for (const user of [reset, disabled])
      expect(await sessions.create(user, { ip: '127.0.0.1', userAgent: '' })).toBeUndefined();
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
    expect(cookies[2]).toMatch(/^device=[\w-]{43}\.[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/i);
  });

  test('cookies are Secure and bound to the host over https', async () => {
    const own = await startTestServer({ PUBLIC_URL: 'https://alerts.example.com' });
    const user = await own.addUser();
    const response = await own
      .anonymous()
      .send('POST', '/api/auth/login', { email: user.email, password: 'correct horse' });
    const [sid, csrf, device] = response.headers.getSetCookie();
    expect(sid).toMatch(/^__Host-sid=.*; secure; httponly$/i);
    expect(csrf).toMatch(/^__Host-csrf-token=.*; secure$/i);
    expect(device).toMatch(/^__Host-device=.*; secure; httponly$/i);
    expect(response.headers.get('Strict-Transport-Security')).toMatch(/max-age/);
    await own.destroy();
  });
});

test('a hash of another cost is made again at the next sign-in', async () => {
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
    const answer = await member.send('POST', '/api/auth/logout');
    expect(answer.status).toBe(204);
    // Not "storage": the push subscription and the device's choices are there.
    expect(answer.headers.get('Clear-Site-Data')).toBe('"cache"');
    expect([...member.cookies.keys()]).toEqual(['device']);
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
    const lastSeen = async () =>
      (await server.database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: member.id })).lastSeenAt;
    await expect.poll(lastSeen).toBeGreaterThan(Date.now() - 60_000);
    await setLastSeen(Date.now() - SESSION_LIFETIME_MS - 1);
    expect((await member.get('/api/auth/session')).status).toBe(401);
  });

  test('has cookies that live on with it: use prolongs them, once in five minutes', async () => {
    const member = await server.signedIn();
    expect((await member.get('/api/folders')).headers.getSetCookie()).toEqual([]);
    await server.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: member.id }, { lastSeenAt: Date.now() - 6 * 60_000 }),
    );
    const before = new Map(member.cookies);
    // A socket's upgrade carries no cookies, so it leaves the renewal to the next request.
    (await listenLive(member)).socket.close();
    const cookies = (await member.get('/api/folders')).headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.replace(/expires=[^;]*/, 'expires'))).toEqual([
      `sid=${before.get('sid')}; path=/; expires; samesite=lax; httponly`,
      `csrf-token=${before.get('csrf-token')}; path=/; expires; samesite=lax`,
    ]);
    const expires = Date.parse(/expires=(?<date>[^;]*)/.exec(cookies[0] ?? '')?.groups?.['date'] ?? '');
    expect(expires).toBeGreaterThan(Date.now() + SESSION_LIFETIME_MS - 60_000);
  });

  test('is read without a write: one that has to wait delays no answer', async () => {
    const member = await server.signedIn();
    const setOld = (tx: Transaction) =>
      tx.getRepository(SessionEntity).update({ userId: member.id }, { lastSeenAt: Date.now() - 6 * 60_000 });
    await server.database.transaction(setOld);
    let isOver = false;
    await server.database.transaction(async (tx) => {
      // The row, and on SQLite the one writing connection, is taken until this ends.
      await setOld(tx);
      const response = await member.get('/api/auth/session');
      expect([response.status, response.headers.getSetCookie().length]).toEqual([200, 2]);
      isOver = true;
    });
    expect(isOver).toBe(true);
  });

  test('ends when the same browser signs in again', async () => {
    const [first, second] = [await server.addUser(), await server.addUser()];
    const browser = server.anonymous();
    await browser.signIn(first.email, 'correct horse');
    const old = browser.cookieHeader;
    await browser.signIn(second.email, 'correct horse');
    expect((await server.anonymous().get('/api/auth/session', { Cookie: old })).status).toBe(401);
    expect(await (await browser.get('/api/auth/session')).json()).toMatchObject({ email: second.email });
    expect(await server.database.reads.getRepository(SessionEntity).countBy({ userId: first.id })).toBe(0);
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

  test('a session outlives another SESSION_SECRET: asking for it renews the CSRF cookie', async () => {
    const own = await startTestServer({ SESSION_SECRET: 'a'.repeat(32) });
    const member = await own.signedIn();
    const restarted = await own.restart({ SESSION_SECRET: 'b'.repeat(32) });
    const again = restarted.anonymous();
    for (const [name, value] of member.cookies) again.cookies.set(name, value);
    expect((await again.send('POST', '/api/auth/logout')).status).toBe(403);
    expect((await again.get('/api/auth/session')).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^csrf-token=[\w-]{43};/) as string,
    ]);
    expect((await again.get('/api/auth/session')).headers.getSetCookie()).toEqual([]);
    expect((await again.send('POST', '/api/auth/logout')).status).toBe(204);
    await restarted.destroy();
  });

  test.each(['cross-site', 'same-site'])('a change from a %s page is refused', async (site) => {
    const member = await server.signedIn();
    expect((await member.send('POST', '/api/auth/logout', undefined, { 'Sec-Fetch-Site': site })).status).toBe(403);
    expect((await member.get('/api/auth/session')).status).toBe(200);
  });
});
