import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { MailEntity } from '#backend/platform/mail/mail-queue.ts';

let mailServer: TestMailServer;
let server: TestServer;
let author: TestClient;
let apiKey: string;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestServer({ ...MAIL, SMTP_URL: mailServer.url });
  author = await server.signedIn({ displayName: 'Anna <b>Berg</b>\r\nBcc: eve@example.com' });
  apiKey = await server.addApiKey();
});
afterAll(async () => {
  await server.destroy();
  await mailServer.stop();
});
afterEach(() => mailServer.refuse(undefined));

const SETTINGS = '/api/notification-settings';
const choose = (member: TestClient, mail: object = {}) =>
  member.send('PATCH', SETTINGS, { mail: { mentions: true, digestAt: null, timeZone: null, ...mail } });
const choiceOf = async (member: TestClient) =>
  notificationSettingsSchema.parse(await (await member.get(SETTINGS)).json()).mail;
const newAlert = async (fields: object = {}) =>
  (await author.postAlert(apiKey, { title: 'Disk full on db-1', ...fields })).id;
const mention = async (members: TestClient[], text: string, alertId: string) => {
  const mentions = members.map(({ id }) => id);
  return must(author.send('POST', `/api/alerts/${alertId}/notes`, { text, mentions }));
};
const mailsTo = (member: TestClient) => mailServer.mails.filter(({ to }) => to.includes(member.session?.email ?? ''));
const queued = () => server.database.reads.getRepository(MailEntity).count();
/** Once nothing waits in the queue, whoever was to get a mail has it. */
async function settled(): Promise<void> {
  await expect.poll(queued).toBe(0);
}
const stopUrl = ({ source }: { source: string }) =>
  /^List-Unsubscribe: <(?<url>[^>]+)>/m.exec(source.replaceAll(/\r?\n[ \t]+/g, ' '))?.groups?.['url'] ?? '';
const stopPath = (mail: { source: string }) => {
  const { pathname, search } = new URL(stopUrl(mail));
  return pathname + search;
};

describe('a mention', () => {
  test('is mailed to who chose that and has no page open', async () => {
    const [chosen, other, online] = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
    await must(choose(chosen));
    await must(choose(online));
    const page = await listenLive(online);
    const id = await newAlert();
    await mention([chosen, other, online], 'Look at this', id);
    await expect.poll(() => mailsTo(chosen).length).toBe(1);
    await settled();
    expect([mailsTo(other), mailsTo(online)]).toEqual([[], []]);
    const [mail] = mailsTo(chosen);
    expect(mail?.text).toContain(`http://127.0.0.1:4400/alert/${id}`);
    expect(mail?.text).toContain('> Look at this');
    expect(mail?.text).toContain('Disk full on db-1');
    page.socket.close();
    await page.closed;
  });

  test('of hostile names and texts is one harmless mail to one person', async () => {
    const member = await server.signedIn();
    await must(choose(member));
    const text = '<script>alert(1)</script>\r\n.\r\nSubject: more\u202e';
    await mention([member], text, await newAlert({ title: 'A\r\nBcc: eve@example.com\r\n\r\n<img src=x>' }));
    await expect.poll(() => mailsTo(member).length).toBe(1);
    const [mail] = mailsTo(member);
    expect(mail?.to).toEqual([member.session?.email]);
    const [head = ''] = mail?.source.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/^(?:Bcc|Subject: more)/im);
    expect(head.match(/^Subject:/gm)).toHaveLength(1);
    expect(mail?.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const html = mail?.text.slice(mail.text.indexOf('<!doctype')) ?? '';
    expect(html).not.toMatch(/<script|<img|\u202e/);
  });

  test('is mailed once: not of oneself, not by an edit, and not once the account is disabled', async () => {
    const member = await server.signedIn();
    await must(choose(member));
    await must(choose(author));
    const id = await newAlert();
    const note = (await (await mention([member, author], 'First', id)).json()) as { id: string };
    const edit = { text: 'Second', mentions: [member.id, author.id] };
    await must(author.send('PATCH', `/api/alerts/${id}/notes/${note.id}`, edit));
    await expect.poll(() => mailsTo(member).length).toBe(1);
    await settled();
    expect(mailsTo(author)).toEqual([]);

    mailServer.refuse(451);
    await mention([member], 'Third', id);
    expect(await queued()).toBe(1);
    const admin = await server.signedIn({ role: 'admin' });
    await must(admin.send('PATCH', `/api/auth/users/${member.id}/toggle-active`));
    expect(await queued()).toBe(0);
    mailServer.refuse(undefined);
    expect(mailsTo(member)).toHaveLength(1);
  });

  test('that is queued is not mailed once the account is disabled, however that came', async () => {
    const member = await server.signedIn();
    await must(choose(member));
    mailServer.refuse(451);
    await mention([member], 'Look', await newAlert());
    const stored = () => server.database.reads.getRepository(MailEntity).findOneByOrFail({ userId: member.id });
    await expect.poll(async () => (await stored()).attempts).toBe(1);
    await server.database.transaction(async (tx) => {
      await tx.getRepository(UserEntity).update({ id: member.id }, { isActive: false });
      await tx.getRepository(MailEntity).update({ userId: member.id }, { nextAt: 0 });
    });
    // It is still refused: who would be sent it stays in the queue.
    await settled();
    expect(mailsTo(member)).toEqual([]);
  });

  test('that is queued goes to the e-mail that the account has by then', async () => {
    const member = await server.signedIn();
    await must(choose(member));
    mailServer.refuse(451);
    await mention([member], 'Look', await newAlert());
    const attempted = (attempts: number) => server.database.reads.getRepository(MailEntity).countBy({ attempts });
    const makeDue = () =>
      server.database.transaction((tx) => tx.getRepository(MailEntity).update({ userId: member.id }, { nextAt: 0 }));
    await expect.poll(() => attempted(1)).toBe(1);
    const email = `${crypto.randomUUID()}@example.com`;
    await server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id: member.id }, { email }));
    await makeDue();
    // Of one mail there is one attempt at a time: the first one, to the e-mail before, is over.
    await expect.poll(() => attempted(2)).toBe(1);
    mailServer.refuse(undefined);
    await makeDue();
    await settled();
    expect(mailServer.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
    expect(mailsTo(member)).toEqual([]);
  });

  test('of a note that is refused is not mailed', async () => {
    const member = await server.signedIn();
    await must(choose(member));
    const id = await newAlert();
    const gone = { text: 'Look', mentions: [member.id, crypto.randomUUID()] };
    expect((await author.send('POST', `/api/alerts/${id}/notes`, gone)).status).toBe(422);
    expect([await queued(), mailsTo(member)]).toEqual([0, []]);
  });
});

const mailed = async () => {
  const member = await server.signedIn();
  await must(choose(member, { digestAt: '08:00', timeZone: 'Europe/Berlin' }));
  await mention([member], 'Look', await newAlert());
  await expect.poll(() => mailsTo(member).length).toBe(1);
  const [mail] = mailsTo(member);
  return { member, path: stopPath(mail ?? { source: '' }), mail };
};
const oneClick = (path: string) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

describe('the link in a mail', () => {
  test('ends mails of its kind by one click without a sign-in, and a second click does no harm', async () => {
    const { member, path, mail } = await mailed();
    expect(mail?.text).toContain(stopUrl(mail ?? { source: '' }));
    // Programs that look through mails open links.
    const page = await fetch(`${server.url}${path}`);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain('mails of mentions');
    for (const secret of [member.id, member.session?.email ?? '', 'Member']) expect(text).not.toContain(secret);
    expect(await choiceOf(member)).toMatchObject({ mentions: true });

    for (const answer of [await oneClick(path), await oneClick(path)]) {
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect(await choiceOf(member)).toEqual({ mentions: false, digestAt: '08:00', timeZone: 'Europe/Berlin' });
  });

  test('ends also what is queued of its kind', async () => {
    const { member, path } = await mailed();
    mailServer.refuse(451);
    await mention([member], 'Again', await newAlert());
    const stored = () => server.database.reads.getRepository(MailEntity).findOneByOrFail({ userId: member.id });
    await expect.poll(async () => (await stored()).attempts).toBe(1);
    expect((await oneClick(path)).status).toBe(200);
    await server.database.transaction((tx) =>
      tx.getRepository(MailEntity).update({ userId: member.id }, { nextAt: 0 }),
    );
    // It is still refused: who would be sent it stays in the queue.
    await settled();
    expect(mailsTo(member)).toHaveLength(1);
  });

  test('says nothing of its member, and no other one is taken', async () => {
    const { member, path } = await mailed();
    const token = new URL(path, server.url).searchParams.get('token') ?? '';
    expect(Buffer.from(token.slice(3), 'base64url').toString('latin1')).not.toContain(member.id);
    const broken = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const wrong of ['x', 'v1.x', broken, `v1.${'A'.repeat(120)}`, member.id]) {
      const query = new URLSearchParams({ token: wrong });
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${server.url}/api/unsubscribe?${query}`, { method });
        expect([answer.status, await answer.text()]).toEqual([
          404,
          'This link is not valid. Change what is mailed to you in Settings.',
        ]);
      }
    }
    expect((await fetch(`${server.url}/api/unsubscribe`, { method: 'POST' })).status).toBe(400);
    expect(await choiceOf(member)).toMatchObject({ mentions: true });
  });

  test('of another site’s page is refused', async () => {
    const { member, path } = await mailed();
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(answer.status).toBe(403);
    expect(await choiceOf(member)).toMatchObject({ mentions: true });
  });
});

test('without a mail server nothing can be chosen, but everything turned off', async () => {
  const own = await startTestServer();
  const member = await own.signedIn();
  for (const mail of [{}, { mentions: false, digestAt: '08:00' }]) {
    const refused = await choose(member, mail);
    expect([refused.status, await refused.text()]).toEqual([409, 'No mail server is configured.']);
  }
  await must(choose(member, { mentions: false }));
  await own.destroy();
});
