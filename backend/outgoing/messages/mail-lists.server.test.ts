import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';

const GONE = 'gone@example.com';

let mailServer: TestMailServer;
beforeAll(async () => {
  mailServer = await startMailServer({
    // "550 ... no such user" of a recipient, while others are taken (RFC 5321, section 3.3).
    onRcptTo({ address }, _session, done) {
      done(address === GONE ? Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }) : null);
    },
  });
});
afterAll(() => mailServer.stop());
const on = useOutgoingServer(() => ({ ...MAIL, SMTP_URL: mailServer.url }));

test('a mail that the server takes for some of its list says for whom it did not', async () => {
  const customer = `List ${crypto.randomUUID()}`;
  const ops = `ops-${crypto.randomUUID()}@example.com`;
  const draft = { kind: 'mail' as const, recipients: [ops, GONE] };
  const { destination } = await on.addFor(customer, draft);
  const id = await on.post({ customer, title: 'Disk full' });
  await expect.poll(async () => (await on.world.receipts(id)).receipts[0]?.state).toBe('sent');
  expect(mailServer.mails.map(({ to }) => to).filter((to) => to.includes(ops))).toEqual([[ops]]);
  const [receipt] = (await on.world.receipts(id)).receipts;
  expect(receipt?.attempts.map(({ answer }) => answer)).toEqual([
    'taken by the mail server, but not for gone@example.com (550 5.1.1 No such user)',
  ]);
  // To send it again would be a second mail for the others.
  expect(await on.world.destination(destination.id)).toMatchObject({ health: 'ok', waiting: 0 });
  const tried = await on.admin.send('POST', '/api/outgoing/test', { name: 'List', ...draft });
  expect(await tried.json()).toMatchObject({
    isDelivered: true,
    message: expect.stringMatching(
      /^Delivered after \d+ ms, but not to gone@example\.com \(550 5\.1\.1 No such user\)\. Its title/,
    ),
  });
});
