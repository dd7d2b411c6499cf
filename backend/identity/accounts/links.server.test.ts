import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { LINK_LIFETIME_MS, accountLinkSchema, newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { CLOSE_SESSION_ENDED } from '#backend/contract/live-event.ts';
import { LINKS_PER_NETWORK } from '#backend/identity/sign-in/link-sign-in.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { AccountLinkEntity, pruneLinks } from '#backend/identity/users/account-link.ts';
import { UserEntity } from '#backend/identity/users/user.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
});
afterAll(() => server.destroy());
beforeEach(async () => {
  admin = await server.signedIn({ role: 'admin' });
});

let networks = 0;
/** People are at addresses of their own, so that their limits do not meet. */
const fromElsewhere = () => ({ 'X-Forwarded-For': `10.1.${Math.floor(networks / 250)}.${(networks += 1) % 250}` });

const someEmail = () => `${crypto.randomUUID()}@example.com`;
const PASSWORD = 'battery staple';

const tokenOf = (path: string) => path.split('#')[1] ?? '';
const made = async (answer: Promise<Response>) => {
  const { link, path } = newAccountLinkSchema.parse(await (await answer).json());
  return { ...link, path, token: tokenOf(path) };
};
const invite = (input: object = {}, by = admin) =>
  by.send('POST', '/api/auth/invitations', { email: someEmail(), displayName: 'New Comer', ...input });
const resetLink = (id: string) => admin.send('POST', `/api/auth/users/${id}/reset-link`, {});
const renew = (id: string) => admin.send('POST', `/api/auth/links/${id}/renew`, {});
const revoke = (id: string) => admin.send('DELETE', `/api/auth/links/${id}`);
const look = (token: string) => server.anonymous().send('POST', '/api/auth/links/look', { token }, fromElsewhere());
const join = (token: string, client = server.anonymous(), password = PASSWORD) =>
  client.send('POST', '/api/auth/join', { token, password }, fromElsewhere());
const reset = (token: string, password = PASSWORD) =>
  server.anonymous().send('POST', '/api/auth/reset-password', { token, password }, fromElsewhere());
const list = async () => z.array(accountLinkSchema).parse(await (await admin.get('/api/auth/links')).json());
const findUser = (email: string) => server.database.reads.getRepository(UserEntity).findOneBy({ emailKey: email });
const runOut = (id: string, expiresAt = Date.now() - 1) =>
  server.database.transaction((tx) => tx.getRepository(AccountLinkEntity).update({ id }, { expiresAt }));
const auditOf = async (subject: string) =>
  (await server.database.reads.getRepository(AuditEntity).find({ order: { id: 'ASC' } }))
    .filter((entry) => entry.subject?.startsWith(subject) || entry.actorName === subject)
    .map(({ action }) => action);

const INVALID = 'This link is no longer valid. Ask an administrator for a new one.';

describe('an invitation', () => {
  test('makes an account with a password that nobody else knew, and signs in', async () => {
    const email = someEmail();
    const { path, token, ...link } = await made(invite({ email, displayName: 'Jonas Berg', role: 'admin' }));
    expect(path).toBe(`/join#${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(link).toMatchObject({
      kind: 'invitation',
      email,
      role: 'admin',
      byName: admin.session?.email,
      mail: 'none',
    });
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(LINK_LIFETIME_MS);
    expect(await (await look(token)).json()).toMatchObject({ kind: 'invitation', email, displayName: 'Jonas Berg' });
    expect(await findUser(email)).toBeNull();

    const client = server.anonymous();
    const response = await join(token, client);
    expect(await response.json()).toMatchObject({ email, displayName: 'Jonas Berg', role: 'admin' });
    expect(response.headers.getSetCookie()).toHaveLength(3);
    expect((await client.get('/api/auth/session')).status).toBe(200);
    await server.anonymous().signIn(email, PASSWORD);
    expect(await list()).not.toContainEqual(expect.objectContaining({ id: link.id }));
    expect(await auditOf(email)).toEqual(['user_invited', 'invitation_accepted', 'signed_in', 'signed_in']);
  });

  test('is used once, also by many at the same moment', async () => {
    const email = someEmail();
    const { token } = await made(invite({ email }));
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => join(token, undefined, `password ${at}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // Who came too late found the link gone, or the account there.
    for (const status of statuses) expect([200, 404, 409]).toContain(status);
    await server.anonymous().signIn(email, `password ${statuses.indexOf(200)}`);
    const late = await join(token);
    expect([late.status, await late.text()]).toEqual([404, INVALID]);
    expect((await look(token)).status).toBe(404);
  });

  test('is not kept where it could be read: only its hash is', async () => {
    const { id, token } = await made(invite());
    const [row] = await server.database.reads.getRepository(AccountLinkEntity).findBy({ id });
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await (await admin.get('/api/auth/links')).text()).not.toMatch(new RegExp(`${token}|${row?.tokenHash}`));
  });

  test('runs out after 72 hours, and is renewed with another address', async () => {
    const { id, token, email } = await made(invite());
    await runOut(id);
    expect([(await look(token)).status, (await join(token)).status]).toEqual([404, 404]);
    expect(await list()).toContainEqual(expect.objectContaining({ id, email }));

    const again = await made(renew(id));
    expect(again.id).toBe(id);
    expect((await join(token)).status).toBe(404);
    expect((await join(again.token)).status).toBe(200);
    expect((await renew(id)).status).toBe(404);
  });

  test('that is revoked works no more', async () => {
    const { id, token, email } = await made(invite());
    expect((await revoke(id)).status).toBe(204);
    expect((await join(token)).status).toBe(404);
    expect((await revoke(id)).status).toBe(404);
    expect(await findUser(email)).toBeNull();
    expect(await auditOf(email)).toEqual(['user_invited', 'link_revoked']);
  });

  test('revoked, renewed or used at the same moment has one outcome', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, token, email } = await made(invite());
      const [joined, revoked] = await Promise.all([join(token), revoke(id)]);
      expect([joined.status, revoked.status].toSorted()).toEqual(joined.status === 200 ? [200, 404] : [204, 404]);
      expect((await findUser(email)) !== null).toBe(joined.status === 200);
    }
  });

  test('is one for each e-mail, and none for who has an account, in whatever case', async () => {
    const email = someEmail();
    const answers = await Promise.all([invite({ email }), invite({ email: email.toUpperCase() })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const { email: known } = await server.addUser();
    const response = await invite({ email: known.toUpperCase() });
    expect([response.status, await response.text()]).toEqual([
      409,
      `There is an account with the e-mail ${known.toUpperCase()} already.`,
    ]);
  });

  test('for who got an account meanwhile makes no second one', async () => {
    const { token, email } = await made(invite());
    await server.addUser({ email });
    const response = await join(token);
    expect(response.status).toBe(409);
    expect(await response.text()).toMatch(/Sign in instead/);
  });

  test('ends the session that the browser had, and no other', async () => {
    const member = await server.signedIn();
    const other = server.anonymous();
    await other.signIn(member.session?.email ?? '', TEST_PASSWORD);
    const cookie = member.cookieHeader;
    const { token } = await made(invite());
    expect((await join(token, member)).status).toBe(200);
    expect((await server.anonymous().get('/api/auth/session', { Cookie: cookie })).status).toBe(401);
    expect((await other.get('/api/auth/session')).status).toBe(200);
  });

  test.each([
    [{ email: 'no e-mail' }, /email/],
    [{ displayName: ' ' }, /displayName/],
    [{ role: 'super_user' }, /role/],
  ])('is not made of %j', async (input, sentence) => {
    const response = await invite(input);
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(sentence);
  });

  test.each(['12345', 'x'.repeat(73)])('is not used up by the password %j', async (password) => {
    const { token } = await made(invite());
    expect((await join(token, undefined, password)).status).toBe(422);
    expect((await join(token)).status).toBe(200);
  });

  test('is not mailed where no mail server is configured', async () => {
    const response = await invite({ isMailed: true });
    expect([response.status, await response.text()]).toEqual([
      409,
      'No mail server is configured. Copy the link instead.',
    ]);
    expect(await (await server.anonymous().get('/api/auth/options')).json()).toMatchObject({ hasMail: false });
    const forgot = await server.anonymous().send('POST', '/api/auth/forgot-password', { email: 'a@example.com' });
    expect(forgot.status).toBe(409);
  });
});

describe('a reset link', () => {
  test('lets a member choose another password; until then everything stays', async () => {
    const member = await server.signedIn();
    const live = await listenLive(member);
    const { token, path, kind } = await made(resetLink(member.id));
    expect([path, kind]).toEqual([`/reset-password#${token}`, 'reset']);
    expect((await member.get('/api/auth/session')).status).toBe(200);

    const response = await reset(token);
    // It starts no session, and makes this browser one that strangers' guesses do not lock out.
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, [expect.stringMatching(/^device=/)]]);
    expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
    expect((await member.get('/api/auth/session')).status).toBe(401);
    await server.anonymous().signIn(member.session?.email ?? '', PASSWORD);
    expect((await reset(token)).status).toBe(404);
  });

  test('is one for each member: another one, and another password, end it', async () => {
    const user = await server.addUser();
    const first = await made(resetLink(user.id));
    const second = await made(resetLink(user.id));
    expect((await reset(first.token)).status).toBe(404);
    await admin.send('POST', `/api/auth/users/${user.id}/reset-password`, { newPassword: 'typed by the admin' });
    expect((await reset(second.token)).status).toBe(404);

    const member = server.anonymous();
    await member.signIn(user.email, 'typed by the admin');
    const third = await made(resetLink(user.id));
    await member.send('POST', '/api/auth/password', {
      currentPassword: 'typed by the admin',
      newPassword: 'chosen by me',
    });
    expect((await reset(third.token)).status).toBe(404);
    await server.anonymous().signIn(user.email, 'chosen by me');
  });

  test('of two uses at once one gets through', async () => {
    const user = await server.addUser();
    const { token } = await made(resetLink(user.id));
    const answers = await Promise.all([1, 2, 3, 4].map((at) => reset(token, `password ${at}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 404, 404, 404]);
    await server.anonymous().signIn(user.email, `password ${statuses.indexOf(204) + 1}`);
  });

  test('is not for disabled accounts', async () => {
    const user = await server.addUser();
    const { token } = await made(resetLink(user.id));
    await admin.send('PATCH', `/api/auth/users/${user.id}/toggle-active`);
    expect((await reset(token)).status).toBe(404);
    expect((await resetLink(user.id)).status).toBe(409);
    expect((await auditOf(user.email)).filter((action) => action === 'reset_link_created')).toHaveLength(1);
    expect((await resetLink('01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80')).status).toBe(404);
  });

  test('makes no account, and an invitation resets no password', async () => {
    const user = await server.addUser();
    const { token } = await made(resetLink(user.id));
    expect((await join(token)).status).toBe(404);
    const invitation = await made(invite());
    expect((await reset(invitation.token)).status).toBe(404);
    expect([(await reset(token)).status, (await join(invitation.token)).status]).toEqual([204, 200]);
  });
});

test('tokens that are tried from one network are limited', async () => {
  const at = { 'X-Forwarded-For': '203.0.113.77' };
  const tryAt = async (path: string, body: object = {}) =>
    (await server.anonymous().send('POST', path, { token: 'wrong', ...body }, at)).status;
  for (let count = 0; count < LINKS_PER_NETWORK; count += 1) expect(await tryAt('/api/auth/links/look')).toBe(404);
  for (const path of ['/api/auth/join', '/api/auth/reset-password'])
    expect(await tryAt(path, { password: PASSWORD })).toBe(429);
  expect(await tryAt('/api/auth/links/look')).toBe(429);
  expect((await look('wrong')).status).toBe(404);
});

test('links that ran out long ago are forgotten', async () => {
  const [old, recent] = [await made(invite()), await made(invite())];
  await runOut(old.id, Date.now() - 31 * 24 * 60 * 60 * 1000);
  await runOut(recent.id);
  await pruneLinks(server.database, new AbortController().signal);
  const ids = new Set((await list()).map(({ id }) => id));
  expect([ids.has(old.id), ids.has(recent.id)]).toEqual([false, true]);
});

describe.runIf(process.env['TEST_DIALECT'] === 'mysql')('with two servers', () => {
  test('a link is used on one of them', async () => {
    const first = await startTestServer({}, { isOneOfSeveral: true });
    const second = await first.startSecond();
    try {
      const by = await first.signedIn({ role: 'admin' });
      for (let round = 0; round < 5; round += 1) {
        const { token } = await made(invite({}, by));
        const answers = await Promise.all(
          [first, second, first, second].map((one) =>
            one.anonymous().send('POST', '/api/auth/join', { token, password: PASSWORD }),
          ),
        );
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      }
    } finally {
      await second.stop();
      await first.destroy();
    }
  });
});
