import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { accountLinkSchema, newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { MAILS_PER_ACCOUNT, MAILS_PER_NETWORK } from '#backend/identity/sign-in/link-sign-in.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import * as z from 'zod/mini';
import { MailEntity } from '#backend/platform/mail/mail-queue.ts';

let mailServer: TestMailServer;
let server: TestServer;
let admin: TestClient;
beforeEach(async () => {
  mailServer = await startMailServer();
  server = await startTestServer({ ...MAIL, SMTP_URL: mailServer.url, TRUST_PROXY: '1' });
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.destroy();
  await mailServer.stop();
});

const DAY_MS = 24 * 60 * 60 * 1_000;

const someEmail = () => `${crypto.randomUUID()}@example.com`;
const invite = async (email = someEmail(), displayName = 'Jonas Berg') => {
  const body = { email, displayName, isMailed: true };
  const response = await admin.send('POST', '/api/auth/invitations', body);
  expect(response.status).toBe(201);
  return newAccountLinkSchema.parse(await response.json());
};
const findLink = async (id: string) =>
  z
    .array(accountLinkSchema)
    .parse(await (await admin.get('/api/auth/links')).json())
    .find((link) => link.id === id);
const stateOf = async (id: string) => (await findLink(id))?.mail;
const linkIn = (text: string) =>
  /http:\/\/127\.0\.0\.1:4400(?<path>\/[a-z-]+#(?<token>[\w-]{43}))/.exec(text)?.groups ?? {};
const forgot = (email: string, ip: string) =>
  server.anonymous().send('POST', '/api/auth/forgot-password', { email }, { 'X-Forwarded-For': ip });
/** As if the time until the next attempt were over. */
const tryAgainNow = () => server.database.transaction((tx) => tx.query('UPDATE mails SET next_at = 0'));
const countMails = () => server.database.reads.getRepository(MailEntity).count();

describe('an invitation', () => {
  test('is mailed with a link that works, as text and as HTML', async () => {
    const { link, path } = await invite();
    expect(link.mail).toBe('queued');
    await expect.poll(() => stateOf(link.id)).toBe('sent');
    const [mail, ...more] = mailServer.mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ from: 'alerts@example.com', to: [link.email] });
    expect(mail?.source).toMatch(/^From: Alertdesk <alerts@example\.com>/m);
    expect(mail?.source).toMatch(/^Subject: You are invited to Alertdesk/m);
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(mail?.text).toContain('Hello Jonas Berg,');
    expect(mail?.text.split(path)).toHaveLength(3);
    const { token } = linkIn(mail?.text ?? '');
    const joined = await server.anonymous().send('POST', '/api/auth/join', { token, password: 'battery staple' });
    expect(joined.status).toBe(200);
    expect(await countMails()).toBe(0);
  });

  test('is queued without its link in the clear', async () => {
    mailServer.refuse(451);
    const { path } = await invite();
    const rows = await server.database.reads.getRepository(MailEntity).find();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${path.split('#')[1]}|Jonas|@example`));
  });

  test('does not wait for a mail server that says nothing', async () => {
    const { port } = mailServer;
    await mailServer.stop();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    await once(silent.listen(port, '127.0.0.1'), 'listening');
    const { link } = await invite();
    await expect.poll(() => sockets.length).toBe(1);
    // The attempt goes on.
    expect([sockets[0]?.destroyed, await stateOf(link.id)]).toEqual([false, 'queued']);
    sockets[0]?.destroy();
    silent.close();
    mailServer = await startMailServer({}, port);
  });

  test('waits for a mail server that is away, and is mailed when it is back', async () => {
    await mailServer.stop();
    const { link } = await invite();
    await expect.poll(async () => (await findLink(link.id))?.mailError).toMatch(/ECONNREFUSED/);
    expect(await stateOf(link.id)).toBe('queued');
    mailServer = await startMailServer({}, mailServer.port);
    await tryAgainNow();
    await expect.poll(() => stateOf(link.id)).toBe('sent');
    expect(await findLink(link.id)).toMatchObject({ mailError: null });
    expect(mailServer.mails).toHaveLength(1);
  });

  test('that was queued by a clock that ran ahead is mailed when it is set back', async () => {
    mailServer.refuse(451);
    const { link } = await invite();
    await expect.poll(async () => (await findLink(link.id))?.mailError).toMatch(/Not now/);
    await server.database.transaction((tx) => tx.query('UPDATE mails SET next_at = ?', [Date.now() + 3 * DAY_MS]));
    mailServer.refuse(undefined);
    await expect.poll(() => stateOf(link.id)).toBe('sent');
  });

  test('that was queued before is mailed while a clock runs ahead of its end', async () => {
    mailServer.refuse(451);
    const { link } = await invite();
    await expect.poll(async () => (await findLink(link.id))?.mailError).toMatch(/Not now/);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * DAY_MS });
    mailServer.refuse(undefined);
    await expect.poll(() => mailServer.mails.length).toBe(1);
    vi.useRealTimers();
    await expect.poll(() => stateOf(link.id)).toBe('sent');
  });

  test('that the mail server refuses for good says why, and is not tried again', async () => {
    mailServer.refuse(550, 'No such user here');
    const { link } = await invite();
    await expect.poll(() => stateOf(link.id)).toBe('failed');
    expect((await findLink(link.id))?.mailError).toMatch(/No such user here/);
    expect(await countMails()).toBe(0);
  });

  test('waits while the mail server refuses the sign-in, which says nothing of the mail', async () => {
    mailServer.refuse(535, 'Authentication failed');
    const { link } = await invite();
    await expect.poll(async () => (await findLink(link.id))?.mailError).toMatch(/Authentication failed/);
    expect(await stateOf(link.id)).toBe('queued');
    mailServer.refuse(undefined);
    await tryAgainNow();
    await expect.poll(() => stateOf(link.id)).toBe('sent');
  });

  test('is given up after its last attempt', async () => {
    mailServer.refuse(451);
    const { link } = await invite();
    await expect.poll(async () => (await findLink(link.id))?.mailError).toMatch(/Not now/);
    await server.database.transaction((tx) => tx.query('UPDATE mails SET attempts = 5, next_at = 0'));
    await expect.poll(() => stateOf(link.id)).toBe('failed');
    expect([await countMails(), mailServer.mails]).toEqual([0, []]);
  });

  test('that is revoked or renewed is not mailed with the link of before', async () => {
    mailServer.refuse(451);
    const [revoked, renewed] = [await invite(), await invite()];
    await expect.poll(async () => (await findLink(renewed.link.id))?.mailError).toMatch(/Not now/);
    await admin.send('DELETE', `/api/auth/links/${revoked.link.id}`);
    const answer = await admin.send('POST', `/api/auth/links/${renewed.link.id}/renew`, { isMailed: true });
    const { path } = newAccountLinkSchema.parse(await answer.json());
    mailServer.refuse(undefined);
    await tryAgainNow();
    await expect.poll(() => stateOf(renewed.link.id)).toBe('sent');
    expect(mailServer.mails.map(({ text }) => linkIn(text)['path'])).toEqual([path]);
  });

  test('of a name with markup or line breaks is one harmless mail', async () => {
    const name = '<b>Eve</b> & "Co"';
    const { link } = await invite(someEmail(), name);
    await expect.poll(() => stateOf(link.id)).toBe('sent');
    const [mail] = mailServer.mails;
    expect(mail?.text).toContain('&lt;b&gt;Eve&lt;/b&gt; &amp; &quot;Co&quot;');
    expect(mail?.to).toEqual([link.email]);
  });
});

test('a reset link is mailed to the member', async () => {
  const user = await server.addUser();
  const answer = await admin.send('POST', `/api/auth/users/${user.id}/reset-link`, { isMailed: true });
  const { link } = newAccountLinkSchema.parse(await answer.json());
  await expect.poll(() => stateOf(link.id)).toBe('sent');
  expect(mailServer.mails[0]?.to).toEqual([user.email]);
  const { token } = linkIn(mailServer.mails[0]?.text ?? '');
  const response = await server
    .anonymous()
    .send('POST', '/api/auth/reset-password', { token, password: 'battery staple' });
  expect(response.status).toBe(204);
  await server.anonymous().signIn(user.email, 'battery staple');
});

const use = (token = '') =>
  server.anonymous().send('POST', '/api/auth/reset-password', { token, password: 'battery staple' });

describe('a forgotten password', () => {
  test('gets the same answer whether or not there is an account, and a mail if there is', async () => {
    const [user, disabled] = [await server.addUser(), await server.addUser({ isActive: false })];
    for (const email of [someEmail(), disabled.email, user.email.toUpperCase()]) {
      const response = await forgot(email, '10.0.0.1');
      expect([response.status, await response.text(), response.headers.getSetCookie()]).toEqual([204, '', []]);
    }
    await expect.poll(() => mailServer.mails.length).toBe(1);
    const [mail] = mailServer.mails;
    expect(mail?.to).toEqual([user.email]);
    expect(mail?.text).toContain('If that was not you, ignore this mail');
    // Nothing has changed until the link is used.
    await server.anonymous().signIn(user.email, TEST_PASSWORD);
    const { path, token } = linkIn(mail?.text ?? '');
    expect(path).toMatch(/^\/reset-password#/);
    const reset = { token, password: 'battery staple' };
    expect((await server.anonymous().send('POST', '/api/auth/reset-password', reset)).status).toBe(204);
    await server.anonymous().signIn(user.email, 'battery staple');
    expect(await server.database.reads.getRepository(AccountLinkEntity).count()).toBe(0);
  });

  test('is mailed a few times a day, whoever asks, and the answer does not say', async () => {
    const user = await server.addUser();
    for (let count = 0; count < MAILS_PER_ACCOUNT + 2; count += 1) {
      expect((await forgot(user.email, `10.0.1.${count}`)).status).toBe(204);
      // One replaces the other in the queue, so each is to leave before the next is asked for.
      await expect.poll(() => mailServer.mails.length).toBe(Math.min(count + 1, MAILS_PER_ACCOUNT));
    }
  });

  test('ends no link that an administrator has made: both work until one is used', async () => {
    for (const which of [0, 1] as const) {
      const user = await server.addUser();
      const answer = await admin.send('POST', `/api/auth/users/${user.id}/reset-link`, {});
      const { path } = newAccountLinkSchema.parse(await answer.json());
      expect((await forgot(user.email, `10.0.3.${which}`)).status).toBe(204);
      await expect.poll(() => mailServer.mails.at(-1)?.to).toEqual([user.email]);
      const tokens = [path.split('#')[1] ?? '', linkIn(mailServer.mails.at(-1)?.text ?? '')['token']];
      expect((await use(tokens[which])).status).toBe(204);
      expect((await use(tokens[1 - which])).status).toBe(404);
    }
  });

  test('is asked for so many times from one network', async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= MAILS_PER_NETWORK; count += 1) {
      statuses.push((await forgot(someEmail(), '10.0.2.1')).status);
    }
    expect(statuses).toEqual([...Array.from({ length: MAILS_PER_NETWORK }, () => 204), 429]);
    expect((await forgot(someEmail(), '10.0.2.2')).status).toBe(204);
  });
});

test.runIf(process.env['TEST_DIALECT'] === 'mysql')('of two servers one sends, and each mail once', async () => {
  const settings = { ...MAIL, SMTP_URL: mailServer.url };
  const first = await startTestServer(settings, { isOneOfSeveral: true });
  const second = await first.startSecond();
  try {
    const by = await first.signedIn({ role: 'admin' });
    const emails = Array.from({ length: 8 }, someEmail);
    for (const email of emails) {
      await by.send('POST', '/api/auth/invitations', { email, displayName: 'New', isMailed: true });
    }
    await expect.poll(() => mailServer.mails.length).toBe(emails.length);
    await expect.poll(() => first.database.reads.getRepository(MailEntity).count()).toBe(0);
    expect(mailServer.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails.toSorted());
  } finally {
    await second.stop();
    await first.destroy();
  }
});
