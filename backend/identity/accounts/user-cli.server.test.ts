import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { runUserCli } from './user-cli.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.destroy());

const run = (...args: string[]) => runUserCli({ database: server.database, passwords: createPasswords(4) }, args);

test('makes a super user who can sign in with the printed password', async () => {
  const output = await run('create', 'Super@example.com', '--name', 'Super User', '--role', 'super_user');
  const password = /Password: (?<password>\S+)/.exec(output)?.groups?.['password'] ?? '';
  expect(await server.anonymous().signIn('super@example.com', password)).toMatchObject({ role: 'super_user' });
  expect(await run('list')).toMatch(/Super@example\.com +super_user +active +Super User/);
});

test('lets the locked-out in again, and ends their sessions', async () => {
  const member = await server.signedIn();
  const email = member.session?.email ?? '';
  expect(await run('reset-password', email, '--password', 'chosen by me')).toBe(`The password of ${email} was reset.`);
  expect((await member.get('/api/auth/session')).status).toBe(401);
  await server.anonymous().signIn(email, 'chosen by me');
});

test('changes a role, which ends the sessions', async () => {
  const member = await server.signedIn();
  expect(await run('set-role', member.session?.email ?? '', 'admin')).toMatch(/is admin now/);
  expect((await member.get('/api/auth/session')).status).toBe(401);
});

test('a role that a member has already is no change', async () => {
  const member = await server.signedIn({ role: 'super_user' });
  const email = member.session?.email ?? '';
  expect(await run('set-role', email, 'super_user')).toBe(`${email} is super_user now.`);
  expect((await member.get('/api/auth/session')).status).toBe(200);
  expect(await server.database.reads.getRepository(AuditEntity).countBy({ action: 'role_changed' })).toBe(0);
});

test.each([
  [['set-role', 'admin@alertdesk.local', 'user'], /last active administrator/],
  [['set-role', 'admin@alertdesk.local', 'boss'], /This role is not acceptable/],
  [['reset-password', 'nobody@example.com'], /no account with the e-mail nobody@example\.com/],
  [['create', 'admin@alertdesk.local', '--name', 'Twin'], /admin@alertdesk\.local already/],
  [['create', 'no e-mail', '--name', 'X'], /email/],
  [['create', 'a@example.com', '--name', 'X', '--password', '12345'], /at least 6 characters/],
  [['frobnicate'], /npm run user -- list/],
  [['list', '--verbose'], /Unknown option '--verbose'/],
])('%j is refused with a sentence', async (args, sentence) => {
  await expect(run(...args)).rejects.toThrow(sentence);
});
