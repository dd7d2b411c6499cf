import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { CLOSE_SESSION_ENDED, ENDED_BY_ADMINISTRATOR } from '#backend/contract/live-event.ts';
import { userSchema } from '#backend/contract/user.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { memberWithAccess } from '#tests/support/member-write-routes.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const entriesOf = async (by: TestClient) =>
  (
    await server.database.reads.getRepository(AuditEntity).find({ where: { actorId: by.id }, order: { id: 'ASC' } })
  ).map(({ action, subject }) => `${action} ${subject}`);
const statusOf = async (client: TestClient) => (await client.get('/api/auth/session')).status;

/** The reason with which a member's live connection is closed by what `end` does. */
async function closedWith(member: TestClient, end: () => Promise<Response>): Promise<string> {
  const { socket } = await listenLive(member);
  const reason = new Promise<string>((resolve) => socket.once('close', (_code, text) => resolve(String(text))));
  await must(end());
  return reason;
}

describe('somebody’s access', () => {
  test('ends with the reason for their pages when an administrator ends it, and without when they do', async () => {
    const ends: ((path: string, id: string) => Promise<Response>)[] = [
      (path, id) => admin.send('DELETE', `${path}/sessions/${id}`),
      (path) => admin.send('DELETE', `${path}/sessions`),
      (path) => admin.send('PATCH', `${path}/toggle-active`, { active: false }),
      (path) => admin.send('POST', `${path}/reset-password`, { newPassword: `${crypto.randomUUID()} Xy7` }),
      (path) => admin.send('PATCH', path, { role: 'admin' }),
    ];
    for (const end of ends) {
      const { member, path, access } = await memberWithAccess(server, admin);
      const { sessions } = await access();
      expect(await closedWith(member, () => end(path, sessions[0]?.id ?? ''))).toBe(ENDED_BY_ADMINISTRATOR);
    }
    const { member } = await memberWithAccess(server, admin);
    expect(await closedWith(member, () => member.send('POST', '/api/auth/logout'))).toBe('session ended');
  });

  test('is listed by an administrator: sessions and API tokens, with nothing that lets anybody in', async () => {
    const { member, path, access } = await memberWithAccess(server, admin);
    const { sessions, tokens } = await access();
    expect(sessions).toMatchObject([{ ip: '127.0.0.1', isCurrent: false }]);
    expect(tokens).toMatchObject([{ name: 'Script', scope: 'read' }]);
    const text = await (await admin.get(`${path}/access`)).text();
    expect(text).not.toContain(member.cookies.get('sid'));
    expect((await member.get(`/api/auth/users/${admin.id}/access`)).status).toBe(403);
    expect((await admin.get(`/api/auth/users/${crypto.randomUUID()}/access`)).status).toBe(404);
  });

  test('is ended one by one: a session with its live connections, a token; of two administrators one ends it', async () => {
    const { member, path, access } = await memberWithAccess(server, admin);
    const live = await listenLive(member);
    const { sessions, tokens } = await access();
    const end = (what: string) => admin.send('DELETE', `${path}/${what}`);
    const twice = await Promise.all([end(`sessions/${sessions[0]?.id}`), end(`sessions/${sessions[0]?.id}`)]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect([await live.closed, await statusOf(member)]).toEqual([CLOSE_SESSION_ENDED, 401]);
    const revoked = await Promise.all([end(`tokens/${tokens[0]?.id}`), end(`tokens/${tokens[0]?.id}`)]);
    expect(revoked.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect(await access()).toEqual({ sessions: [], tokens: [] });
    const email = member.session?.email;
    expect((await entriesOf(admin)).slice(-2)).toEqual([
      expect.stringContaining(`session_ended ${email}: `),
      `api_token_revoked ${email}: Script (read)`,
    ]);
  });

  test('is ended in all sessions at once, API tokens apart; an administrator’s own stays', async () => {
    const { member, path, access } = await memberWithAccess(server, admin);
    const second = server.anonymous();
    await second.signIn(member.session?.email ?? '', TEST_PASSWORD);
    await must(admin.send('DELETE', `${path}/sessions`));
    expect([await statusOf(member), await statusOf(second)]).toEqual([401, 401]);
    expect(await access()).toMatchObject({ sessions: [], tokens: [{ name: 'Script' }] });
    await must(admin.send('DELETE', `/api/auth/users/${admin.id}/sessions`));
    expect(await statusOf(admin)).toBe(200);
  });

  test('of one member is not ended under the name of another', async () => {
    const [one, other] = [await memberWithAccess(server, admin), await memberWithAccess(server, admin)];
    const { sessions, tokens } = await one.access();
    for (const what of [`sessions/${sessions[0]?.id}`, `tokens/${tokens[0]?.id}`]) {
      expect((await admin.send('DELETE', `${other.path}/${what}`)).status).toBe(404);
    }
    expect(await one.access()).toMatchObject({ sessions: [{}], tokens: [{}] });
  });
});

const change = (id: string, body: object, by = admin) => by.send('PATCH', `/api/auth/users/${id}`, body);

describe('an account is changed by an administrator', () => {
  test('another e-mail signs in from then on, and sessions go on; another role ends them', async () => {
    const member = await server.signedIn({ displayName: 'Ann' });
    const live = await listenLive(member);
    const before = member.session?.email ?? '';
    const email = `New.${before}`;
    const changed = userSchema.parse(
      await (await must(change(member.id, { email: ` ${email} `, displayName: 'Anna' }))).json(),
    );
    expect(changed).toMatchObject({ email, displayName: 'Anna', role: 'user' });
    expect(await (await member.get('/api/auth/session')).json()).toMatchObject({ email, displayName: 'Anna' });
    await expect.poll(() => live.events.some(({ type }) => type === 'profile_changed')).toBe(true);
    await server.anonymous().signIn(email.toUpperCase(), TEST_PASSWORD);
    await expect(server.anonymous().signIn(before, TEST_PASSWORD)).rejects.toThrow('401');
    await must(change(member.id, { role: 'admin' }));
    expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
    expect((await server.anonymous().signIn(email, TEST_PASSWORD)).role).toBe('admin');
    expect((await entriesOf(admin)).slice(-3)).toEqual([
      `display_name_changed ${before}: Ann → Anna`,
      `email_changed ${before} → ${email}`,
      `role_changed ${email}: user → admin`,
    ]);
  });

  test('of two who get the same e-mail at once one gets it', async () => {
    const users = [await server.addUser(), await server.addUser()];
    const email = `${crypto.randomUUID()}@example.com`;
    const answers = await Promise.all(users.map(({ id }) => change(id, { email })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('with a reset link that went to the address before: it ends', async () => {
    const user = await server.addUser();
    const made = await must(admin.send('POST', `/api/auth/users/${user.id}/reset-link`, {}));
    const { path } = (await made.json()) as { path: string };
    await must(change(user.id, { email: `moved.${user.email}` }));
    const look = { token: path.split('#')[1] };
    expect((await server.anonymous().send('POST', '/api/auth/links/look', look)).status).toBe(404);
  });

  test.each([
    [{ email: 'no e-mail' }, 422],
    [{ role: 'super_user' }, 422],
    [{ displayName: ' ' }, 422],
    [{ email: 'admin@alertdesk.local' }, 409],
  ])('%j is %i', async (body, status) => {
    const user = await server.addUser();
    expect((await change(user.id, body)).status).toBe(status);
  });

  test('nobody changes their own role, nor takes it from the last administrator', async () => {
    expect(await (await change(admin.id, { role: 'user' })).text()).toBe('You cannot change your own role.');
    const own = await startTestServer();
    const [one, two] = [await own.signedIn({ role: 'admin' }), await own.signedIn({ role: 'admin' })];
    const first = own.anonymous();
    const { email, generatedPassword = '' } = own.firstAdmin ?? { email: '' };
    await first.signIn(email, generatedPassword);
    const admins = [one, two, first];
    await Promise.all(admins.flatMap((by) => admins.map(({ id }) => change(id, { role: 'user' }, by))));
    const left = await Promise.all(admins.map(async (by) => (await by.get('/api/auth/users')).status === 200));
    expect(left.filter(Boolean).length).toBeGreaterThanOrEqual(1);
    await own.destroy();
  });
});
