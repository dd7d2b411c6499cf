import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IdentityEntity } from '#backend/identity/oidc/identity.ts';
import type { User } from './user.ts';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { providersFile } from '#tests/support/oidc-calls.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { SECURITY_MAILS_PER_HOUR } from './open-security-mails.ts';

/** Of a provider that nobody asks. */
const ISSUER = 'https://login.example.com';

let mailServer: TestMailServer;
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  mailServer = await startMailServer();
  const provider = providersFile([{ at: { issuer: ISSUER } }], MAIL.PUBLIC_URL);
  server = await startTestServer({ ...MAIL, ...provider, SMTP_URL: mailServer.url, TRUST_PROXY: '1' });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(async () => {
  await server.destroy();
  await mailServer.stop();
});

const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email));
const subjectsTo = (email: string) =>
  mailsTo(email).map(
    ({ source }) => /^Subject: Your Alertdesk account: (?<about>.*)$/m.exec(source)?.groups?.['about'],
  );
const emailOf = (client: TestClient) => client.session?.email ?? '';
/** The mails of this member's, once there are so many. */
const taken = async (email: string, subjects: string[]) => {
  await expect.poll(() => subjectsTo(email).toSorted()).toEqual(subjects.toSorted());
  return mailsTo(email);
};

describe('a member is mailed', () => {
  test('what they change themselves: password, second step, API token; nothing secret is in it', async () => {
    const member = await server.signedIn();
    const email = emailOf(member);
    const { key } = await addTotp(server, member);
    const body = { name: 'Night script', scope: 'read', expiresInDays: 30 };
    const made = createdApiTokenSchema.parse(await (await must(member.send('POST', '/api/auth/tokens', body))).json());
    const passwords = { currentPassword: TEST_PASSWORD, newPassword: 'battery staple' };
    await must(member.send('POST', '/api/auth/password', { ...passwords, endSessions: false }));
    await must(member.send('DELETE', `/api/auth/tokens/${made.id}`));
    const mails = await taken(email, [
      'authenticator app added',
      'API token created',
      'password changed',
      'API token revoked',
    ]);
    const text = mails.map((mail) => mail.text).join('\n');
    expect(text).toContain('Night script (read)');
    expect(text).toContain('http://127.0.0.1:4400/account');
    for (const secret of [key, made.plainToken, passwords.newPassword, TEST_PASSWORD])
      expect(text).not.toContain(secret);
  });

  test('that a provider was unlinked, by the name that people know', async () => {
    const member = await server.signedIn();
    const [id, userId] = [crypto.randomUUID(), member.session?.id ?? ''];
    const identity = { id, userId, provider: 'company', issuer: ISSUER, subjectHash: id, email: null };
    await server.database.transaction((tx) =>
      tx.getRepository(IdentityEntity).insert({ ...identity, createdAt: 0, lastUsedAt: null }),
    );
    await must(member.send('DELETE', `/api/auth/identities/${id}`));
    const [mail] = await taken(emailOf(member), ['provider unlinked']);
    expect(mail?.text).toContain('Example Corp');
  });

  test('what an administrator changes, and by whom; another e-mail at both addresses', async () => {
    const user = await server.addUser();
    const path = `/api/auth/users/${user.id}`;
    await must(admin.send('POST', `${path}/reset-password`, { newPassword: 'battery staple' }));
    await must(admin.send('POST', `${path}/reset-second-step`));
    const email = `moved.${user.email}`;
    await must(admin.send('PATCH', path, { email }));
    const [mail] = await taken(user.email, ['password reset', 'two-step sign-in reset', 'e-mail changed']);
    expect(mail?.text).toContain(`Who: ${emailOf(admin)}. Address: `);
    await taken(email, ['e-mail changed']);
  });

  test('a sign-in from another network than their sessions are in, once they are no newcomer', async () => {
    const [user, newcomer] = [await server.addUser(), await server.addUser()];
    const old = Date.now() - 60 * 60_000;
    await server.database.transaction((tx) => tx.query('UPDATE users SET created_at = ? WHERE id = ?', [old, user.id]));
    const signIn = async ({ email }: Pick<User, 'email'>, ip: string) =>
      must(
        server
          .anonymous()
          .send('POST', '/api/auth/login', { email, password: TEST_PASSWORD }, { 'X-Forwarded-For': ip }),
      );
    await signIn(newcomer, '203.0.113.5');
    await signIn(user, '203.0.113.5');
    await signIn(user, '203.0.200.9');
    await signIn(user, '198.51.100.7');
    await signIn(user, '2001:db8:1::7');
    await signIn(user, '2001:db8:ffff::7');
    const mails = await taken(
      user.email,
      ['203.0.113.5', '198.51.100.7', '2001:db8:1::7'].map(() => 'sign-in from a new network'),
    );
    expect(mails.map(({ text }) => /Address: (?<ip>\S+)\./.exec(text)?.groups?.['ip']).toSorted()).toEqual([
      '198.51.100.7',
      '2001:db8:1::7',
      '203.0.113.5',
    ]);
    expect(mailsTo(newcomer.email)).toEqual([]);
  });

  test('so often in an hour at most, and not what was rolled back', async () => {
    const member = await server.signedIn();
    for (let count = 0; count < SECURITY_MAILS_PER_HOUR + 3; count += 1) {
      const body = { name: `Token ${count}`, scope: 'read', expiresInDays: 30 };
      await must(member.send('POST', '/api/auth/tokens', body));
    }
    const wrong = { currentPassword: 'wrong', newPassword: 'battery staple' };
    expect((await member.send('POST', '/api/auth/password', wrong)).status).toBe(422);
    const passwords = { currentPassword: TEST_PASSWORD, newPassword: 'battery staple' };
    await must(member.send('POST', '/api/auth/password', passwords));
    await taken(emailOf(member), [
      ...Array.from({ length: SECURITY_MAILS_PER_HOUR }, () => 'API token created'),
      'password changed',
    ]);
  });
});
