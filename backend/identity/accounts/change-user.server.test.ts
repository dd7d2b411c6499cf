import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { createdApiTokenSchema, createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { must } from '#tests/support/write-routes.ts';
import { UserEntity } from '#backend/identity/users/user.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const change = (id: string, body: object) => admin.send('PATCH', `/api/auth/users/${id}`, body);
const find = (id: string) => server.database.reads.getRepository(UserEntity).findOneByOrFail({ id });
const entriesSince = async (count: number) =>
  (await server.database.reads.getRepository(AuditEntity).find({ where: { actorId: admin.id }, order: { id: 'ASC' } }))
    .slice(count)
    .map(({ action, subject }) => `${action} ${subject}`);

describe('an account is changed', () => {
  test('in what is named alone, and the audit trail names that', async () => {
    const user = await server.addUser({ displayName: 'Ann' });
    const before = (await entriesSince(0)).length;
    await must(change(user.id, { displayName: 'Anna' }));
    expect(await find(user.id)).toEqual({ ...user, displayName: 'Anna' });
    await must(change(user.id, { displayName: 'Anna', email: user.email, role: 'user' }));
    expect(await entriesSince(before)).toEqual([`display_name_changed ${user.email}: Ann → Anna`]);
  });

  test('to an e-mail that was invited: the invitation ends, and the audit trail says so', async () => {
    const user = await server.addUser();
    const email = `${crypto.randomUUID()}@example.com`;
    await must(admin.send('POST', '/api/auth/invitations', { email, displayName: 'New Comer' }));
    const before = (await entriesSince(0)).length;
    await must(change(user.id, { email }));
    expect(await entriesSince(before)).toEqual([
      `email_changed ${user.email} → ${email}`,
      `link_revoked ${email}: invitation`,
    ]);
    expect(JSON.stringify(await (await admin.get('/api/auth/links')).json())).not.toContain(email);
  });

  test('unless it is that of a service, or of nobody', async () => {
    const body = { name: 'Runbook', scope: 'triage', expiresInDays: null, role: 'user' };
    const token = createdServiceTokenSchema.parse(await (await admin.send('POST', '/api/service-tokens', body)).json());
    const headers = { Authorization: `Bearer ${token.plainToken}` };
    const session = (await (await server.anonymous().get('/api/auth/session', headers)).json()) as { id: string };
    for (const id of [session.id, crypto.randomUUID()]) {
      const answer = await change(id, { role: 'admin', displayName: 'Boss' });
      expect([answer.status, await answer.text()]).toEqual([404, 'There is no account with this id.']);
    }
    expect(await find(session.id)).toMatchObject({ role: 'user', displayName: 'Runbook' });
  });

  test('in its role by another administrator, and never by its own', async () => {
    const first = server.firstAdmin?.email ?? '';
    const other = await server.database.reads.getRepository(UserEntity).findOneByOrFail({ email: first });
    await must(change(other.id, { role: 'user' }));
    expect((await find(other.id)).role).toBe('user');
    await must(change(other.id, { role: 'admin' }));
    expect((await change(admin.id, { role: 'user' })).status).toBe(409);
  });
});

describe('the last administrator stays one', () => {
  test('of administrators who take each other’s role at once, one is left', async () => {
    const own = await startTestServer();
    const first = own.anonymous();
    await first.signIn('admin@alertdesk.local', own.firstAdmin?.generatedPassword ?? '');
    const admins = [first, await own.signedIn({ role: 'admin' }), await own.signedIn({ role: 'admin' })];
    const attempts = await Promise.all(
      admins.flatMap((by) =>
        admins.map(async (whom) => {
          const { status } = await by.send('PATCH', `/api/auth/users/${whom.id}`, { role: 'user' });
          return { by, whom, status };
        }),
      ),
    );
    const left = await own.database.reads.getRepository(UserEntity).findBy({ role: 'admin' });
    expect(left).toHaveLength(1);
    const [last] = left;
    // Nobody takes their own, whoever is left was asked about in vain, and each of the others lost it by somebody.
    expect(attempts.filter(({ by, whom, status }) => by === whom && status === 200)).toEqual([]);
    expect(attempts.filter(({ whom, status }) => whom.id === last?.id && status === 200)).toEqual([]);
    for (const one of admins.filter(({ id }) => id !== last?.id))
      expect(attempts.some(({ whom, status }) => whom === one && status === 200)).toBe(true);
    // Refused is who is signed out or no administrator by then, and who asks for what would leave nobody.
    expect([200, 401, 403, 409]).toEqual(expect.arrayContaining(attempts.map(({ status }) => status)));
    const audit = await own.database.reads.getRepository(AuditEntity).findBy({ action: 'role_changed' });
    expect(audit).toHaveLength(2);
    await own.destroy();
  });

  test('another role ends sockets, sessions and API tokens at once', async () => {
    const member = await server.signedIn({ role: 'admin' });
    const body = { name: 'Script', scope: 'read', expiresInDays: null };
    const made = await must(member.send('POST', '/api/auth/tokens', body));
    const { plainToken } = createdApiTokenSchema.parse(await made.json());
    const live = await listenLive(member);
    const closed = new Promise<number>((resolve) => live.socket.once('close', resolve));
    const read = () => server.anonymous().get('/api/alerts/inbox', { Authorization: `Bearer ${plainToken}` });
    expect((await read()).status).toBe(200);
    await must(change(member.id, { role: 'user' }));
    expect(await closed).toBe(4401);
    expect([(await read()).status, (await member.get('/api/auth/users')).status]).toEqual([401, 401]);
  });
});
