import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { userSchema } from '#backend/contract/user.ts';
import { recoveryCodesSchema } from '#backend/contract/second-step.ts';
import {
  addPasskey,
  addTotp,
  beginTotp,
  codeOf,
  optionsFrom,
  passkeyOrigin,
  sendSigned,
} from '#tests/support/second-step-calls.ts';
import { SoftwareAuthenticator } from '#tests/support/software-authenticator.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { PasskeyEntity, TotpKeyEntity } from '#backend/identity/factors/second-step-entities.ts';
import { AccountLinkEntity } from './account-link.ts';
import { createPasswords } from './passwords.ts';
import { runUserCli } from '#backend/identity/accounts/user-cli.ts';
import { UserEntity } from './user.ts';

const EMAIL = 'break-glass@example.com';
const NAMED = { BREAK_GLASS_ADMIN: 'Break-Glass@example.com' };
const REFUSED = 'This is the break-glass administrator, who can only be changed on the server, with npm run user.';

let server: TestServer;
afterEach(() => server.destroy());

const cli = (...args: string[]) => runUserCli({ database: server.database, passwords: createPasswords(4) }, args);
const keyOf = async (userId: string) =>
  (await server.database.reads.getRepository(TotpKeyEntity).findOneByOrFail({ userId })).sealed;
const answerOf = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()];
const use = (call: string, token: string) =>
  server.anonymous().send('POST', `/api/auth/${call}`, { token, password: 'battery staple' });
const stateOf = async (client: TestClient): Promise<unknown> => (await client.get('/api/auth/second-step')).json();
const tokenIn = async (answer: Promise<Response>) =>
  newAccountLinkSchema.parse(await (await answer).json()).path.split('#')[1] ?? '';

/** Every call by which an administrator changes how somebody gets in. */
const changesOf = (by: TestClient, id: string): [string, Promise<Response>][] => [
  ['disable', by.send('PATCH', `/api/auth/users/${id}/toggle-active`, { active: false })],
  ['toggle', by.send('PATCH', `/api/auth/users/${id}/toggle-active`)],
  ['password', by.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword: 'something new' })],
  ['link', by.send('POST', `/api/auth/users/${id}/reset-link`, {})],
  ['second step', by.send('POST', `/api/auth/users/${id}/reset-second-step`)],
];

test('the break-glass administrator is changed by nobody in the app, and on the server', async () => {
  server = await startTestServer(NAMED);
  const { id } = await server.addUser({ role: 'admin', email: EMAIL });
  const own = server.anonymous();
  await own.signIn(EMAIL, TEST_PASSWORD);
  const other = await server.signedIn({ role: 'admin' });
  for (const by of [other, own]) {
    for (const [what, answer] of changesOf(by, id)) {
      expect([what, ...(await answerOf(answer))]).toEqual([what, 409, REFUSED]);
    }
  }
  const change = { currentPassword: TEST_PASSWORD, newPassword: 'battery staple' };
  expect(await answerOf(own.send('POST', '/api/auth/password', change))).toEqual([409, REFUSED]);
  expect((await own.get('/api/auth/session')).status).toBe(200);

  // The page offers none of it.
  expect(await stateOf(own)).toMatchObject({ lockedBecause: REFUSED });
  expect(await stateOf(other)).not.toHaveProperty('lockedBecause');

  // A second step may be required of them, and is set up in a browser.
  const elsewhere = server.anonymous();
  await elsewhere.signIn(EMAIL, TEST_PASSWORD);
  const begun = await beginTotp(elsewhere);
  await addTotp(server, own);
  const first = await keyOf(id);
  const confirm = elsewhere.send('POST', '/api/auth/second-step/totp/confirm', { code: codeOf(begun) });
  expect(await answerOf(confirm)).toEqual([409, REFUSED]);
  for (const [method, path] of [
    ['DELETE', 'totp'],
    ['POST', 'totp'],
    ['POST', 'recovery-codes'],
  ] as const) {
    expect([path, ...(await answerOf(own.send(method, `/api/auth/second-step/${path}`)))]).toEqual([
      path,
      409,
      REFUSED,
    ]);
  }
  expect(await keyOf(id)).toBe(first);
  expect(await cli('reset-second-step', EMAIL)).toMatch(/signs in with the password alone now/);
  await cli('reset-password', EMAIL, '--password', 'battery staple');
  await server.anonymous().signIn(EMAIL, 'battery staple');
  expect(await cli('disable', EMAIL)).toBe(`${EMAIL} is disabled now.`);
  expect(await answerOf(other.send('PATCH', `/api/auth/users/${id}/toggle-active`, { active: true }))).toEqual([
    409,
    REFUSED,
  ]);
  expect(await cli('enable', EMAIL)).toBe(`${EMAIL} is active now.`);
  await server.anonymous().signIn(EMAIL, 'battery staple');
});

test('the break-glass administrator has the first second step from a browser, and no passkey beside it', async () => {
  server = await startTestServer(NAMED);
  const { id } = await server.addUser({ role: 'admin', email: EMAIL });
  const [own, elsewhere] = [server.anonymous(), server.anonymous()];
  for (const client of [own, elsewhere]) await client.signIn(EMAIL, TEST_PASSWORD);
  const device = new SoftwareAuthenticator({ origin: passkeyOrigin(server) });
  const passkeys = '/api/auth/second-step/passkeys';
  // Somebody else has begun already.
  const begun = device.create(await optionsFrom(elsewhere, `${passkeys}/options`));
  const key = await beginTotp(elsewhere);
  const first = await addPasskey(own, device, 'Safe');
  expect(recoveryCodesSchema.parse(await first.json()).recoveryCodes).toHaveLength(10);
  const [{ id: passkeyId } = { id: '' }] = await server.database.reads
    .getRepository(PasskeyEntity)
    .findBy({ userId: id });
  for (const [what, answer] of [
    ['add', sendSigned(elsewhere, passkeys, { name: 'Mine', credential: begun })],
    ['options', sendSigned(own, `${passkeys}/options`)],
    ['rename', own.send('PATCH', `${passkeys}/${passkeyId}`, { name: 'Mine' })],
    ['remove', own.send('DELETE', `${passkeys}/${passkeyId}`)],
    ['app', own.send('POST', '/api/auth/second-step/totp')],
    ['confirm', elsewhere.send('POST', '/api/auth/second-step/totp/confirm', { code: codeOf(key) })],
  ] as const) {
    expect([what, ...(await answerOf(answer))]).toEqual([what, 409, REFUSED]);
  }
  const kept = await server.database.reads.getRepository(PasskeyEntity).findBy({ userId: id });
  expect(kept.map(({ name }) => name)).toEqual(['Safe']);
  // Others have as many as they like.
  const other = await server.signedIn({ role: 'admin' });
  await addTotp(server, other);
  expect((await addPasskey(other, new SoftwareAuthenticator({ origin: passkeyOrigin(server) }))).status).toBe(201);
});

test('nobody makes the account in the app when there is none yet', async () => {
  server = await startTestServer(NAMED);
  const admin = await server.signedIn({ role: 'admin' });
  const person = { email: EMAIL.toUpperCase(), displayName: 'Mallory', role: 'admin' };
  const account = { ...person, password: 'battery staple' };
  expect(await answerOf(admin.send('POST', '/api/auth/users', account))).toEqual([409, REFUSED]);
  expect(await answerOf(admin.send('POST', '/api/auth/invitations', person))).toEqual([409, REFUSED]);
  await cli('create', EMAIL, '--name', 'Break Glass', '--role', 'admin', '--password', 'battery staple');
  await server.anonymous().signIn(EMAIL, 'battery staple');
});

test('links of before it was named are worth nothing', async () => {
  server = await startTestServer();
  const user = await server.addUser({ role: 'admin', email: EMAIL });
  const admin = await server.signedIn({ role: 'admin' });
  const reset = await tokenIn(admin.send('POST', `/api/auth/users/${user.id}/reset-link`, {}));
  const invitation = { email: 'next@example.com', displayName: 'Next', role: 'admin' };
  const invited = await tokenIn(admin.send('POST', '/api/auth/invitations', invitation));
  server = await server.restart(NAMED);
  expect((await use('reset-password', reset)).status).toBe(404);
  await server.anonymous().signIn(EMAIL, TEST_PASSWORD);
  server = await server.restart({ BREAK_GLASS_ADMIN: invitation.email });
  expect((await use('join', invited)).status).toBe(404);
  const again = server.anonymous();
  await again.signIn(admin.session?.email ?? '', TEST_PASSWORD);
  const [link] = await server.database.reads.getRepository(AccountLinkEntity).findBy({ kind: 'invitation' });
  expect(await answerOf(again.send('POST', `/api/auth/links/${link?.id}/renew`, {}))).toEqual([409, REFUSED]);
  expect(await server.database.reads.getRepository(UserEntity).countBy({ email: invitation.email })).toBe(0);
});

test('administrators see which account it is, in the list and in what a change answers', async () => {
  server = await startTestServer(NAMED);
  const [{ id }, user] = [await server.addUser({ role: 'admin', email: EMAIL }), await server.addUser()];
  const other = await server.signedIn({ role: 'admin' });
  const users = z.array(userSchema).parse(await (await other.get('/api/auth/users')).json());
  expect(users.filter(({ isBreakGlass }) => isBreakGlass).map((one) => one.id)).toEqual([id]);
  const changed = await other.send('PATCH', `/api/auth/users/${user.id}`, { displayName: 'Renamed' });
  expect(await changed.json()).toMatchObject({ displayName: 'Renamed', isBreakGlass: false });
});
