import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WRONG_PASSWORDS, WRONG_PASSWORDS_A_DAY } from '#backend/identity/users/password-check.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { CLOSE_SESSION_ENDED, CLOSE_SESSION_RENEWED } from '#backend/contract/live-event.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const NEW_PASSWORD = 'battery staple';

const changePassword = (by: TestClient, currentPassword: unknown, newPassword: unknown = NEW_PASSWORD, more = {}) =>
  by.send('POST', '/api/auth/password', { currentPassword, newPassword, ...more });
const changeProfile = (by: TestClient, change: object) => by.send('PATCH', '/api/auth/profile', change);
const emailOf = (client: TestClient) => client.session?.email ?? '';
const prove = async (by: TestClient, password: string) =>
  (await by.send('POST', '/api/auth/proof', { password })).status;
const statusOf = async (client: TestClient) => (await client.get('/api/auth/session')).status;

/** A second browser of the same member. */
async function another(member: TestClient): Promise<TestClient> {
  const client = server.anonymous();
  await client.signIn(emailOf(member), TEST_PASSWORD);
  return client;
}

/** A browser with the cookies that this one has now. */
function copyOf(client: TestClient): TestClient {
  const copy = server.anonymous();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}

const auditOf = async ({ id }: TestClient) =>
  (await server.database.reads.getRepository(AuditEntity).find({ where: { actorId: id }, order: { id: 'ASC' } })).map(
    ({ action, subject }) => [action, subject],
  );

describe('the profile', () => {
  test('is changed in parts, and every window of the member is notified', async () => {
    const member = await server.signedIn({ displayName: 'Anna Alt' });
    const live = await listenLive(await another(member));
    expect(await (await changeProfile(member, { displayName: ' Anna Neu ' })).json()).toEqual({
      ...member.session,
      displayName: 'Anna Neu',
    });
    const changed = await (await changeProfile(member, { timeFormat: '24h', timeZone: 'Europe/Berlin' })).json();
    expect(changed).toMatchObject({ displayName: 'Anna Neu', timeFormat: '24h', timeZone: 'Europe/Berlin' });
    expect(await (await member.get('/api/auth/session')).json()).toEqual(changed);
    await expect
      .poll(() => live.events.filter(({ type }) => type === 'profile_changed'))
      .toEqual([{ type: 'profile_changed' }, { type: 'profile_changed' }]);

    const back = (await (await changeProfile(member, { timeZone: null })).json()) as object;
    expect(back).toMatchObject({ timeFormat: '24h' });
    expect(back).not.toHaveProperty('timeZone');
    expect(await auditOf(member)).toContainEqual(['display_name_changed', 'Anna Alt → Anna Neu']);
  });

  test.each([
    [{ displayName: ' ' }, /displayName/],
    [{ displayName: null }, /displayName/],
    [{ timeFormat: '13h' }, /timeFormat/],
    [{ timeZone: 'Europe/Nowhere' }, /timeZone: is not a time zone that this server knows/],
    [{ timeZone: '+02:00' }, /timeZone/],
  ])('is not changed by %j', async (change, sentence) => {
    const member = await server.signedIn();
    const response = await changeProfile(member, change);
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(sentence);
    expect(await (await member.get('/api/auth/session')).json()).toEqual(member.session);
  });

  test('nothing else of the account is changed by it', async () => {
    const member = await server.signedIn();
    await changeProfile(member, { role: 'admin', email: 'other@example.com', isActive: false, passwordHash: 'x' });
    expect(await (await member.get('/api/auth/session')).json()).toEqual(member.session);
  });

  test('changes of two windows at once are both kept', async () => {
    const member = await server.signedIn();
    const answers = await Promise.all([
      changeProfile(member, { displayName: 'Both' }),
      changeProfile(member, { timeFormat: 'system' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await (await member.get('/api/auth/session')).json()).toMatchObject({
      displayName: 'Both',
      timeFormat: 'system',
    });
  });
});

describe('changing the password', () => {
  test('ends every other session and copies of this one, with their sockets; this one goes on', async () => {
    const member = await server.signedIn();
    const [other, copy] = [await another(member), copyOf(member)];
    const [here, there] = [await listenLive(member), await listenLive(other)];
    const endpoints = ['own-password', 'of-a-copy'].map((name) => `https://push.example.com/${name}`);
    for (const endpoint of endpoints) {
      await copyOf(member).send('POST', '/api/push/subscribe', { endpoint, keys: makeBrowserKeys().keys });
    }

    const response = await changePassword(member, TEST_PASSWORD, NEW_PASSWORD, { pushEndpoint: endpoints[0] });
    expect([response.status, response.headers.getSetCookie().length]).toEqual([204, 3]);
    expect(await there.closed).toBe(CLOSE_SESSION_ENDED);
    expect(await here.closed).toBe(CLOSE_SESSION_RENEWED);
    expect([await statusOf(member), await statusOf(other), await statusOf(copy)]).toEqual([200, 401, 401]);
    expect((await member.send('POST', '/api/folders', { name: 'After', color: 'red' })).status).toBe(201);
    (await listenLive(member)).socket.close();

    // The browser's own pushes stay with its session; whoever had a copy of it gets none any more.
    expect(await (await member.get('/api/push/subscriptions')).json()).toMatchObject([{ isThisSession: true }]);
    expect((await member.send('POST', '/api/push/test', { endpoint: endpoints[0] })).status).toBe(200);
    await expect(another(member)).rejects.toThrow('401');
    await server.anonymous().signIn(emailOf(member), NEW_PASSWORD);
    expect(await auditOf(member)).toContainEqual(['password_changed', emailOf(member)]);
  });

  test('this browser stays known, and others are strangers: their device cookies were of the password before', async () => {
    const member = await server.signedIn();
    const other = await another(member);
    await changePassword(member, TEST_PASSWORD);
    const logIn = async (client: TestClient, password: string) =>
      (await client.send('POST', '/api/auth/login', { email: emailOf(member), password })).status;
    for (let count = 0; count < 20; count += 1) await logIn(server.anonymous(), 'wrong');
    expect(await logIn(other, NEW_PASSWORD)).toBe(429);
    expect(await logIn(member, NEW_PASSWORD)).toBe(200);
  });

  test('a wrong current password changes nothing; too many are throttled, and the member can still sign in', async () => {
    const member = await server.signedIn();
    const thief = await another(member);
    for (let count = 0; count < WRONG_PASSWORDS; count += 1) {
      const response = await changePassword(thief, `wrong ${count}`);
      expect(response.status).toBe(422);
      expect(await response.text()).toBe('This is not your current password.');
    }
    const throttled = await changePassword(thief, TEST_PASSWORD);
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers.get('Retry-After'))).toBeGreaterThan(0);
    // The limit is of the account, not of the session.
    expect((await changePassword(member, TEST_PASSWORD)).status).toBe(429);
    expect([await statusOf(member), await statusOf(thief)]).toEqual([200, 200]);
    (await another(member)).cookies.clear();
    const failures = (await auditOf(member)).filter(([action]) => action === 'password_check_failed');
    // And one that there were too many.
    expect(failures).toHaveLength(WRONG_PASSWORDS + 1);
  });

  test('a stolen session guesses a few times a day; its member’s others go on', async () => {
    const member = await server.signedIn();
    const thief = await another(member);
    const guesses: number[] = [];
    for (let count = 0; count < WRONG_PASSWORDS_A_DAY + 6; count += 1) {
      guesses.push(await prove(thief, `wrong ${count}`));
      // Its member proves who they are now and then, which forgives what counts for a quarter of an hour.
      if (count % 5 === 4) await prove(member, TEST_PASSWORD);
    }
    expect(guesses.filter((status) => status === 422)).toHaveLength(WRONG_PASSWORDS_A_DAY);
    expect(guesses.slice(-6)).toEqual([429, 429, 429, 429, 429, 429]);
    expect(await prove(member, TEST_PASSWORD)).toBe(204);
  });

  test('ends API tokens and other sessions, or leaves them, as the member wishes', async () => {
    const member = await server.signedIn();
    const other = await another(member);
    const body = { name: 'Script', scope: 'read', expiresInDays: 30 };
    await must(member.send('POST', '/api/auth/tokens', body));
    const tokens = async () => ((await (await member.get('/api/auth/tokens')).json()) as unknown[]).length;
    const change = (currentPassword: string, newPassword: string, more: object) =>
      must(member.send('POST', '/api/auth/password', { currentPassword, newPassword, ...more }));
    await change(TEST_PASSWORD, NEW_PASSWORD, { endSessions: false });
    expect([await tokens(), await statusOf(other)]).toEqual([1, 200]);
    await change(NEW_PASSWORD, TEST_PASSWORD, { revokeTokens: true });
    expect([await tokens(), await statusOf(other), await statusOf(member)]).toEqual([0, 401, 200]);
    expect(await auditOf(member)).toContainEqual(['api_token_revoked', 'Script (read)']);
  });

  test('a right password forgives the wrong ones before it', async () => {
    const member = await server.signedIn();
    for (let count = 1; count < WRONG_PASSWORDS; count += 1) await changePassword(member, 'wrong');
    expect((await changePassword(member, TEST_PASSWORD)).status).toBe(204);
    expect((await changePassword(member, 'wrong', 'another one')).status).toBe(422);
  });

  test.each([
    ['12345', /at least 6 characters/],
    ['1234567', /at least 8 characters/],
    ['ü'.repeat(37), /at most 72 bytes/],
    [TEST_PASSWORD, /current one/],
    [undefined, /newPassword/],
  ])('to %j is refused', async (password, sentence) => {
    const member = await server.signedIn();
    const response = await member.send('POST', '/api/auth/password', {
      currentPassword: TEST_PASSWORD,
      newPassword: password,
    });
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(sentence);
    await another(member);
  });

  test('of two changes at once one wins, and one session goes on', async () => {
    const member = await server.signedIn();
    const browsers = [member, await another(member)];
    const answers = await Promise.all(
      browsers.map((browser, at) => changePassword(browser, TEST_PASSWORD, `new password ${at}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    // The other was ended by it, or saw that the password it was asked for is another one.
    for (const status of statuses) expect([204, 401, 409, 422]).toContain(status);
    const winner = statuses.indexOf(204);
    expect(await Promise.all(browsers.map(statusOf))).toEqual(browsers.map((_, at) => (at === winner ? 200 : 401)));
    await server.anonymous().signIn(emailOf(member), `new password ${winner}`);
  });

  test('of two changes at once that end no session one wins, too', async () => {
    const member = await server.signedIn();
    const browsers = [member, await another(member)];
    // Nobody changes it before both have given the password of before.
    const { sent } = await server.database.transaction(async (tx) => {
      await tx.lockRows(UserEntity, { id: member.id });
      const changes = browsers.map((browser, at) =>
        changePassword(browser, TEST_PASSWORD, `new password ${at}`, { endSessions: false }),
      );
      await untilQueued(server.database, '%`users`%FOR UPDATE', browsers.length);
      return { sent: changes };
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 409]);
    await server.anonymous().signIn(emailOf(member), `new password ${statuses.indexOf(204)}`);
  });

  test('sign-ins with the password before at the same moment do not outlive it', async () => {
    const member = await server.signedIn();
    const clients = Array.from({ length: 6 }, () => server.anonymous());
    const [changed] = await Promise.all([
      changePassword(member, TEST_PASSWORD),
      ...clients.map((client) => client.signIn(emailOf(member), TEST_PASSWORD).catch(() => undefined)),
    ]);
    expect(changed.status).toBe(204);
    expect(new Set(await Promise.all(clients.map(statusOf)))).toEqual(new Set([401]));
  });

  test('a reset at the same moment is not undone by it', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const member = await server.signedIn();
    await Promise.all([
      changePassword(member, TEST_PASSWORD),
      admin.send('POST', `/api/auth/users/${member.id}/reset-password`, { newPassword: 'set by the admin' }),
    ]);
    // Whichever came last counts, and a change never follows a reset: it was confirmed by the password before.
    await server.anonymous().signIn(emailOf(member), 'set by the admin');
    expect(await statusOf(member)).toBe(401);
  });

  test('nothing of either password is stored or answered in the clear', async () => {
    const member = await server.signedIn();
    const response = await changePassword(member, TEST_PASSWORD, 'planted canary');
    expect(await response.text()).toBe('');
    const user = await server.database.reads.getRepository(UserEntity).findOneByOrFail({ id: member.id });
    expect(JSON.stringify([user, await auditOf(member)])).not.toMatch(/planted|correct horse/);
  });
});

const orderedBy = (by: TestClient, list: string, sort: string) => changeProfile(by, { listOrder: { list, sort } });

describe('the order of a list', () => {
  test('is kept for each list, newest first being none', async () => {
    const member = await server.signedIn();
    await orderedBy(member, 'inbox', 'severity');
    const changed = await (await orderedBy(member, 'mine', 'oldest')).json();
    expect(changed).toMatchObject({ listOrders: { inbox: 'severity', mine: 'oldest' } });
    expect(await (await member.get('/api/auth/session')).json()).toEqual(changed);
    await orderedBy(member, 'inbox', 'newest');
    expect(await (await orderedBy(member, 'mine', 'newest')).json()).not.toHaveProperty('listOrders');
    expect((await orderedBy(member, 'a b', 'newest')).status).toBe(422);
  });
});

test('whether completed alerts are shown is kept for each list, from two tabs at once', async () => {
  const member = await server.signedIn();
  const opened = (list: string, isOpen: boolean) => changeProfile(member, { completedGroup: { list, isOpen } });
  await Promise.all([opened('mine', true), opened('folder/01890a5d-ac96-774b-bcce-b302099a8057', true)]);
  const both = (await (await member.get('/api/auth/session')).json()) as { openGroups: string[] };
  expect(both.openGroups).toHaveLength(2);
  for (const list of both.openGroups) await opened(list, false);
  expect(await (await member.get('/api/auth/session')).json()).not.toHaveProperty('openGroups');
});
