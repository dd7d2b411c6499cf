import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
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
