import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatAccountListSchema } from '#backend/contract/chat-account.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { sealingOf } from '#tests/support/sealing-of.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { connectByEmail } from './chat-account.ts';
import { connectUrl } from './connect-link.ts';

let mailServer: TestMailServer;
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestServer({ ...MAIL, SMTP_URL: mailServer.url });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(async () => {
  await server.destroy();
  await mailServer.stop();
});

const named = (service: 'slack' | 'mattermost') => {
  const account = crypto.randomUUID();
  return { service, place: 'lakeside', account, accountName: `Ann in ${service}` };
};
/** A member who acts by an account that a link connected, and by one of their email. */
async function connected() {
  const member = await server.signedIn();
  const email = member.session?.email ?? '';
  const ofEmail = named('mattermost');
  const url = new URL(connectUrl(await sealingOf(server), new URL(MAIL.PUBLIC_URL), named('slack')));
  const body = { code: url.searchParams.get('connect') };
  await must(member.send('POST', '/api/account/chat-accounts', body));
  await connectByEmail(server.database, { id: member.id, name: email, ip: null, sessionId: null }, ofEmail);
  return { member, email, body, ofEmail };
}
const accountsOf = async (client: TestClient) =>
  chatAccountListSchema
    .parse(await (await must(client.get('/api/account/chat-accounts'))).json())
    .map(({ accountName }) => accountName);

test.each([
  [
    'their password is reset',
    (path: string) => admin.send('POST', `${path}/reset-password`, { newPassword: TEST_PASSWORD }),
  ],
  ['they get another role', (path: string) => admin.send('PATCH', path, { role: 'admin' })],
  [
    'they are disabled, and enabled again',
    async (path: string) => {
      await must(admin.send('PATCH', `${path}/toggle-active`, { active: false }));
      return admin.send('PATCH', `${path}/toggle-active`, { active: true });
    },
  ],
])('an account that a link connected acts for its member no more after %s', async (_, end) => {
  const { member, email } = await connected();
  expect(await accountsOf(member)).toEqual(['Ann in slack', 'Ann in mattermost']);
  await must(end(`/api/auth/users/${member.id}`));
  const again = server.anonymous();
  await again.signIn(email, TEST_PASSWORD);
  // By their email the next press would connect it again: that account is theirs.
  expect(await accountsOf(again)).toEqual(['Ann in mattermost']);
});

test('an account that a link connected ends where its member changes the password and signs out everywhere else', async () => {
  const { member } = await connected();
  const change = { currentPassword: TEST_PASSWORD, newPassword: 'another horse battery' };
  await must(member.send('POST', '/api/auth/password', { ...change, endSessions: true }));
  expect(await accountsOf(member)).toEqual(['Ann in mattermost']);
});

test('an account of the e-mail before acts for a member no more once an administrator changed the e-mail', async () => {
  const { member, email, ofEmail } = await connected();
  const other = `new-${email}`;
  await must(admin.send('PATCH', `/api/auth/users/${member.id}`, { email: other }));
  expect(await accountsOf(member)).toEqual(['Ann in slack']);
  const audit = await (await must(admin.get('/api/audit?action=chat_account_disconnected'))).text();
  expect(audit).toContain(`${other}: Mattermost lakeside`);
  // A press that found the member by the e-mail before connects nothing; by the new one the account connects again.
  const author = { id: member.id, ip: null, sessionId: null };
  expect(await connectByEmail(server.database, { ...author, name: email }, ofEmail)).toBeUndefined();
  expect(await connectByEmail(server.database, { ...author, name: other }, ofEmail)).toMatchObject({ isByEmail: true });
});

test('an e-mail in other letters keeps the account that it connected', async () => {
  const { member, email } = await connected();
  await must(admin.send('PATCH', `/api/auth/users/${member.id}`, { email: email.toUpperCase() }));
  expect(await accountsOf(member)).toEqual(['Ann in slack', 'Ann in mattermost']);
});

test('an account that a link connects is one mail to its member', async () => {
  const { member, email, body } = await connected();
  await must(member.send('POST', '/api/account/chat-accounts', body));
  await must(member.send('POST', '/api/auth/tokens', { name: 'Marker', scope: 'read', expiresInDays: 30 }));
  const mails = () => mailServer.mails.filter(({ to }) => to.includes(email));
  await expect.poll(() => mails().some(({ text }) => text.includes('Marker'))).toBe(true);
  const about = mails().filter(({ text }) => text.includes('account of a chat'));
  expect(about.map(({ text }) => text)).toEqual([expect.stringContaining('Slack lakeside: Ann in slack')]);
});
