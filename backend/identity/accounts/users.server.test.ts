import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { UserEntity } from '#backend/identity/users/user.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { CLOSE_SESSION_ENDED } from '#backend/contract/live-event.ts';
import { userSchema } from '#backend/contract/user.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());
beforeEach(async () => {
  admin = await server.signedIn({ role: 'admin' });
});

const create = (input: object) => admin.send('POST', '/api/auth/users', input);
const toggle = (by: TestClient, id: string, body?: unknown) =>
  by.send('PATCH', `/api/auth/users/${id}/toggle-active`, body);
const reset = (by: TestClient, id: string, newPassword: unknown) =>
  by.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword });
const countUsers = () => server.database.reads.getRepository(UserEntity).count();
/** One that no account has, nor one of an earlier attempt of the test. */
const newEmail = (name: string): string => `${name}-${crypto.randomUUID()}@Example.com`;
const newcomer = { displayName: 'New Comer', password: 'tea at five' };

describe('creating', () => {
  test('a member who can sign in; nothing of the password is revealed', async () => {
    const email = newEmail('First');
    const response = await create({ ...newcomer, email });
    expect(response.status).toBe(201);
    const text = await response.text();
    expect(text).not.toMatch(/tea at|hash/i);
    expect(z.strictObject(userSchema.shape).parse(JSON.parse(text))).toMatchObject({
      email,
      displayName: 'New Comer',
      role: 'user',
      isActive: true,
    });
    await server.anonymous().signIn(email.toLowerCase(), 'tea at five');
  });

  test('an e-mail is taken in whatever case', async () => {
    const email = newEmail('taken');
    await must(create({ ...newcomer, email }));
    const response = await create({ ...newcomer, email: email.toUpperCase() });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain(`${email.toUpperCase()} already`);
  });

  test.each([
    [{ email: 'no e-mail' }, /email/],
    [{ email: undefined }, /email/],
    [{ displayName: ' ' }, /displayName/],
    [{ password: '12345' }, /at least 6 characters/],
    [{ password: 'ü'.repeat(37) }, /at most 72 bytes/],
    [{ role: 'super_user' }, /role/],
    [{ role: 7 }, /role/],
  ])('refuses %j', async (wrong, sentence) => {
    const before = await countUsers();
    const response = await create({ ...newcomer, email: newEmail('wrong'), ...wrong });
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(sentence);
    expect(await countUsers()).toBe(before);
  });

  test.each(['ü', 'x'])('72 bytes of %s are taken whole', async (letter) => {
    const [email, password] = [newEmail('long'), letter.repeat(72 / Buffer.byteLength(letter))];
    await create({ ...newcomer, email, password });
    await server.anonymous().signIn(email, password);
    for (const wrong of [password.slice(1), password.toUpperCase()]) {
      await expect(server.anonymous().signIn(email, wrong)).rejects.toThrow('401');
    }
  });
});

test('the list has everybody, newest first', async () => {
  const { id } = userSchema.parse(await (await create({ ...newcomer, email: newEmail('listed') })).json());
  const users = z.array(userSchema).parse(await (await admin.get('/api/auth/users')).json());
  expect(users[0]?.id).toBe(id);
  expect(users).toHaveLength(await countUsers());
});

describe('disabling', () => {
  test('ends sessions and sockets at once; enabling lets the member sign in again', async () => {
    const member = await server.signedIn();
    const live = await listenLive(member);
    expect(userSchema.parse(await (await toggle(admin, member.id)).json()).isActive).toBe(false);
    expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
    expect((await member.get('/api/auth/session')).status).toBe(401);

    expect(userSchema.parse(await (await toggle(admin, member.id)).json()).isActive).toBe(true);
    expect((await member.get('/api/auth/session')).status).toBe(401);
    await server.anonymous().signIn(member.session?.email ?? '', 'correct horse');
  });

  test('by two administrators at once, and again after an answer that got lost, leaves the account disabled', async () => {
    const other = await server.signedIn({ role: 'admin' });
    const { id, email } = await server.addUser();
    const disable = async (by: TestClient) =>
      userSchema.parse(await (await must(toggle(by, id, { active: false }))).json()).isActive;
    const states = await Promise.all([disable(admin), disable(other), disable(admin), disable(other)]);
    expect([...states, await disable(admin)]).toEqual([false, false, false, false, false]);
    const entries = await server.database.reads.getRepository(AuditEntity).findBy({ subject: email });
    expect(entries.map(({ action }) => action)).toEqual(['user_disabled']);

    expect((await toggle(admin, id, { active: 'no' })).status).toBe(422);
    await Promise.all([admin, other].map((by) => must(toggle(by, id, { active: true }))));
    await server.anonymous().signIn(email, TEST_PASSWORD);
  });

  test('one’s own account is refused', async () => {
    const response = await toggle(admin, admin.id, { active: false });
    expect(response.status).toBe(409);
    expect(await response.text()).toBe('You cannot disable your own account.');
  });

  test('of administrators who disable each other at once, one stays', async () => {
    const own = await startTestServer();
    const first = own.anonymous();
    await first.signIn('admin@alertdesk.local', own.firstAdmin?.generatedPassword ?? '');
    const admins = [first, await own.signedIn({ role: 'admin' }), await own.signedIn({ role: 'admin' })];
    const attempts = await Promise.all(
      admins.flatMap((by) =>
        admins.map(async (whom) => ({ by, whom, status: (await toggle(by, whom.id, { active: false })).status })),
      ),
    );
    const statusesOf = (wanted: (attempt: (typeof attempts)[number]) => boolean) =>
      new Set(attempts.filter(wanted).map(({ status }) => status));
    const stored = await own.database.reads.getRepository(UserEntity).findBy({ role: 'admin' });
    const active = new Set(stored.filter(({ isActive }) => isActive).map(({ id }) => id));
    expect(active.size).toBe(1);
    // Nobody disables themselves, whoever stays has been disabled by nobody, and each of the others by somebody.
    expect(statusesOf(({ by, whom }) => by === whom)).not.toContain(200);
    expect(statusesOf(({ whom }) => active.has(whom.id))).not.toContain(200);
    for (const one of admins.filter(({ id }) => !active.has(id)))
      expect(statusesOf(({ whom }) => whom === one)).toContain(200);
    // Refused is who is signed out by then, and who asks for what would leave nobody.
    expect(statusesOf(({ by }) => active.has(by.id))).not.toContain(401);
    expect([200, 401, 409]).toEqual(expect.arrayContaining([...statusesOf(() => true)]));
    await own.destroy();
  });

  test('an unknown account is 404', async () => {
    expect((await toggle(admin, '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80')).status).toBe(404);
  });
});

describe('resetting a password', () => {
  test('ends sessions and sockets at once; only the new one signs in', async () => {
    const member = await server.signedIn();
    const live = await listenLive(member);
    expect((await reset(admin, member.id, 'something new')).status).toBe(200);
    expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
    expect((await member.get('/api/auth/session')).status).toBe(401);
    const email = member.session?.email ?? '';
    await expect(server.anonymous().signIn(email, 'correct horse')).rejects.toThrow('401');
    await server.anonymous().signIn(email, 'something new');
  });

  test.each(['12345', 'x'.repeat(73), undefined, 7])('refuses %j', async (password) => {
    const member = await server.signedIn();
    expect((await reset(admin, member.id, password)).status).toBe(422);
    expect((await member.get('/api/auth/session')).status).toBe(200);
  });

  test('sign-ins with the old password at the same moment do not outlive it', async () => {
    const user = await server.addUser();
    const clients = Array.from({ length: 8 }, () => server.anonymous());
    await Promise.all([
      ...clients.map((client) => client.signIn(user.email, 'correct horse').catch(() => undefined)),
      reset(admin, user.id, 'something new'),
    ]);
    const statuses = await Promise.all(clients.map(async (client) => (await client.get('/api/auth/session')).status));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});

test.each(['user', 'super_user'] as const)('a %s may do none of it', async (role) => {
  const member = await server.signedIn({ role });
  const before = await countUsers();
  expect((await member.get('/api/auth/users')).status).toBe(403);
  expect((await member.send('POST', '/api/auth/users', { ...newcomer, email: newEmail('x') })).status).toBe(403);
  expect((await toggle(member, admin.id)).status).toBe(403);
  expect((await reset(member, admin.id, 'something new')).status).toBe(403);
  expect(await countUsers()).toBe(before);
  expect((await admin.get('/api/auth/session')).status).toBe(200);
});

test('an administrator hands over everything that somebody has open, whatever its folder, before their account is disabled', async () => {
  const [giver, taker] = [await server.signedIn(), await server.signedIn()];
  const folder = await giver.send('POST', '/api/folders', { name: 'Filed', color: 'blue', icon: 'folder' });
  const { id: folderId } = folderSchema.parse(await folder.json());
  const mine = { ownerId: giver.id, status: 'accepted' } as const;
  await insertAlerts(server.database, [
    ...Array.from({ length: 101 }, () => mine),
    { ...mine, folderId },
    { ...mine, status: 'completed' },
  ]);
  const path = `/api/auth/users/${giver.id}/hand-over`;
  expect((await admin.send('POST', path, { userId: giver.id })).status).toBe(409);
  expect((await giver.send('POST', path, { userId: taker.id })).status).toBe(403);
  const ask = async (before?: string) =>
    bulkResultSchema.parse(
      await (await admin.send('POST', path, { userId: taker.id, ...(before && { before }) })).json(),
    );
  const first = await ask();
  const second = await ask(first.next);
  expect([first.changed.length, second.changed.length, second.next]).toEqual([100, 2, undefined]);
  expect((await taker.alerts('/api/alerts/mine')).length).toBe(102);
  expect((await giver.alerts('/api/alerts/mine')).map(({ status }) => status)).toEqual(['completed']);
});
