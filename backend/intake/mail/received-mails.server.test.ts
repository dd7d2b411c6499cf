import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayResultSchema } from '#backend/contract/delivery.ts';
import { type MailWorld, createMailWorld, startMailServer } from '#tests/support/mail-world.ts';
import type { TestServer } from '#tests/support/test-server.ts';

const STORED = '250 2.0.0 The email is stored';

/** A message as it is written, with or without a date. */
const rawMail = (to: string, date: string) => ({
  envelope: { from: 'a@x.example', to },
  raw: `From: a@x.example\r\n${date}Subject: Disk full\r\n\r\nText`,
});

let server: TestServer;
let world: MailWorld;

beforeAll(async () => {
  server = await startMailServer();
  world = await createMailWorld(server);
});
afterAll(() => server.destroy());

test('an email makes an alert, which names its sender, and the log shows how it came', async () => {
  const { source, address, alerts } = await world.newMailSource();
  expect(address).toMatch(/^[a-z2-7]{32}@alerts\.example\.com$/);
  const answer = await world.send({
    to: address,
    subject: 'CRITICAL: Disk full on web-1',
    text: 'Only 1 % left.\nhttps://nagios.example/web-1',
    messageId: '<1@nagios.example>',
  });
  expect(answer).toBe(STORED);
  const [alert, ...others] = await alerts();
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    title: 'CRITICAL: Disk full on web-1',
    customer: 'Nagios',
    severity: 'critical',
    state: 'firing',
    sender: 'email',
    url: 'https://nagios.example/web-1',
  });
  expect(JSON.parse(alert?.payload ?? '')).toMatchObject({ messageId: '1@nagios.example', text: /Only 1 % left/ });
  const row = await world.expectNewest(source.id, { method: 'SMTP', status: 250, outcome: 'new', sender: 'email' });
  expect(row.headers).toContainEqual(['Envelope-From', 'nagios@nagios.example']);
  expect(row.headers).toContainEqual(['SPF', 'not checked']);
  // Whoever reads the log or the alert cannot send emails.
  expect(JSON.stringify([row, alert])).not.toContain(address.slice(0, 20));
});

test('the address takes any case of its letters, at its own domain', async () => {
  const { address, alerts } = await world.newMailSource();
  expect(await world.send({ to: address.toUpperCase(), subject: 'A' })).toBe(STORED);
  const [alert, ...others] = await alerts();
  expect(others).toEqual([]);
  expect(alert?.payload.toLowerCase()).not.toContain(address);
  expect(await world.send({ to: address.replace('@alerts.', '@other.'), subject: 'B' })).toMatch(/^550 /);
});

describe('one problem', () => {
  test('is what has one subject, and ends with a word in it', async () => {
    const { address, alerts } = await world.newMailSource();
    for (const subject of ['Disk full on web-1', 'Re: [FIRING:2] Disk full on web-1', 'Disk full on web-2']) {
      expect(await world.send({ to: address, subject, text: 'x' })).toBe(STORED);
    }
    expect(await alerts()).toMatchObject([{ occurrences: 2, state: 'firing' }, { occurrences: 1 }]);
    await world.send({ to: address, subject: 'RESOLVED: Disk full on web-1', text: 'x' });
    expect(await alerts()).toMatchObject([
      { state: 'resolved', status: 'completed' },
      { state: 'firing', status: 'pending' },
    ]);
  });

  test('is a thread, whatever its subjects are', async () => {
    const { address, alerts } = await world.newMailSource();
    await world.send({ to: address, subject: 'Load of db-7 is high', messageId: '<a@db.example>' });
    await world.send({
      to: address,
      subject: 'It gets worse',
      messageId: '<b@db.example>',
      inReplyTo: '<a@db.example>',
      references: ['<a@db.example>'],
    });
    await world.send({ to: address, subject: 'OK: normal again', references: '<root@db.example> <b@db.example>' });
    expect(await alerts()).toMatchObject([{ occurrences: 2, state: 'resolved' }]);
  });

  test('is a thread whose first email was never here', async () => {
    const { address, alerts } = await world.newMailSource();
    for (const subject of ['Error in checkout', 'Error in checkout: 20 times', 'Error in checkout']) {
      await world.send({ to: address, subject, references: '<group/123@sentry.example>' });
    }
    expect(await alerts()).toMatchObject([{ occurrences: 3 }]);
  });

  test('is not shared by sources, and no alert shows the address of another source', async () => {
    const [one, other] = [await world.newMailSource(), await world.newMailSource()];
    expect(await world.send({ to: [one.address, other.address], subject: 'Disk full', messageId: '<s@x>' })).toBe(
      STORED,
    );
    expect(await one.alerts()).toMatchObject([{ occurrences: 1 }]);
    expect(await other.alerts()).toMatchObject([{ occurrences: 1 }]);
    const shown = JSON.stringify([await one.alerts(), await other.alerts()]);
    expect(shown).not.toContain(one.address);
    expect(shown).not.toContain(other.address);
  });
});

describe('the same email again', () => {
  test('changes nothing', async () => {
    const { source, address, alerts } = await world.newMailSource();
    const mail = { to: address, subject: 'Disk full', text: 'x', messageId: '<again@x.example>' };
    await world.send(mail);
    expect(await world.send(mail)).toBe(STORED);
    expect(await alerts()).toMatchObject([{ occurrences: 1 }]);
    await world.expectNewest(source.id, { outcome: 'repeated', alerts: 0 });
  });

  test('at the same time is stored once', async () => {
    const { address, alerts } = await world.newMailSource();
    const mail = { to: address, subject: 'Disk full', text: 'x', messageId: '<race@x.example>' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.send(mail)));
    expect(new Set(answers)).toEqual(new Set([STORED]));
    expect(await alerts()).toMatchObject([{ occurrences: 1 }]);
  });

  test('is recognized without an id by its date, and is another without both', async () => {
    const dated = await world.newMailSource();
    for (let count = 0; count < 2; count += 1) {
      await world.send(rawMail(dated.address, 'Date: Wed, 04 Mar 2026 10:00:00 +0000\r\n'));
    }
    expect(await dated.alerts()).toMatchObject([{ occurrences: 1 }]);
    const undated = await world.newMailSource();
    for (let count = 0; count < 2; count += 1) await world.send(rawMail(undated.address, ''));
    expect(await undated.alerts()).toMatchObject([{ occurrences: 2 }]);
  });
});

describe('the text', () => {
  test('is plain where the email has HTML alone, and encoded words are decoded', async () => {
    const { address, alerts } = await world.newMailSource();
    await world.send({
      to: address,
      subject: 'Überlauf auf web-1 – 100 %',
      html: '<style>p{}</style><p>The disk is <b>full</b>.</p><script>alert(1)</script><p><a href="https://x.example/1">Open</a></p>',
    });
    const [alert] = await alerts();
    expect(alert?.title).toBe('Überlauf auf web-1 – 100 %');
    const { text } = JSON.parse(alert?.payload ?? '') as { text: string };
    expect(text).toContain('The disk is full.');
    expect(text).not.toMatch(/<|alert\(1\)|p\{\}/);
  });

  test('that is JSON is read as a webhook’s body, once', async () => {
    const { source, address, alerts } = await world.newMailSource();
    const mail = {
      to: address,
      subject: 'ignored',
      text: '{"title":"Card declined","customer":"Harbor","severity":"high"}',
      messageId: '<json@x.example>',
    };
    expect(await world.send(mail)).toBe(STORED);
    expect(await world.send(mail)).toBe(STORED);
    expect(await alerts()).toMatchObject([
      { title: 'Card declined', customer: 'Harbor', severity: 'high', occurrences: 1 },
    ]);
    await world.expectNewest(source.id, { method: 'SMTP', sender: 'generic', status: 250 });
  });

  test('of an email without a subject has the title', async () => {
    const { address, alerts } = await world.newMailSource();
    await world.send({ to: address, text: 'Pump 4 stopped\nat noon' });
    expect(await alerts()).toMatchObject([{ title: 'Pump 4 stopped' }]);
  });

  test('is cut where it is long', async () => {
    const { address, alerts } = await world.newMailSource();
    await world.send({ to: address, subject: 'Long', text: 'word '.repeat(60_000) });
    const [alert] = await alerts();
    expect(alert?.payload.length).toBeLessThan(70_000);
    expect(JSON.parse(alert?.payload ?? '')).toMatchObject({ isTextCut: true });
  });
});

test('attachments are named, and their contents are not kept', async () => {
  const { address, alerts } = await world.newMailSource();
  await world.send({
    to: address,
    subject: 'Report',
    text: 'See the file.',
    attachments: [{ filename: 'df.txt', content: 'secret content '.repeat(1_000) }],
  });
  const [alert] = await alerts();
  expect(JSON.parse(alert?.payload ?? '')).toMatchObject({
    attachments: [{ name: 'df.txt', type: 'text/plain', size: 15_000 }],
  });
  expect(alert?.payload).not.toContain('secret content');
});

describe('no alert is made', () => {
  test.each([
    [
      'of an automatic answer',
      'a@x.example',
      'Auto-Submitted: auto-replied\r\n\r\nI am away',
      'An automatic answer (Auto-Submitted: auto-replied)',
    ],
    [
      'of a report of an email that could not be delivered',
      '',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nNo\r\n--b--',
      'A report of an email that could not be delivered',
    ],
  ])('%s, and the log says so', async (_name, from, rest, summary) => {
    const { source, address, alerts } = await world.newMailSource();
    const raw = `From: a@x.example\r\nSubject: Disk full\r\n${rest}`;
    expect(await world.send({ envelope: { from, to: address }, raw })).toBe(STORED);
    await world.expectNewest(source.id, { outcome: 'ignored', status: 250, summary });
    expect(await alerts()).toEqual([]);
  });

  test('while the source is paused, and the email can be replayed', async () => {
    const { source, address, alerts } = await world.newMailSource();
    await world.admin.send('PATCH', `/api/sources/${source.id}`, { isPaused: true });
    expect(await world.send({ to: address, subject: 'WARNING: Disk full', text: 'x' })).toBe(STORED);
    const row = await world.expectNewest(source.id, { outcome: 'paused' });
    expect(await alerts()).toEqual([]);
    await world.admin.send('PATCH', `/api/sources/${source.id}`, { isPaused: false });
    const replay = await world.admin.send('POST', `/api/sources/${source.id}/replay`, { ids: [row.id] });
    expect(replayResultSchema.parse(await replay.json()).outcomes).toMatchObject({ new: 1 });
    expect(await alerts()).toMatchObject([{ title: 'WARNING: Disk full', severity: 'warning', sender: 'email' }]);
    await world.expectNewest(source.id, { replayOf: row.id, method: 'SMTP' });
  });
});

test('a source that is deleted while its email is on its way gets nothing, and another address of the email does', async () => {
  const [gone, other] = [await world.newMailSource(), await world.newMailSource()];
  const { say, socket } = await world.dial();
  await say('EHLO x', '250 ');
  const sendWhileDeleted = async (deleted: string, ...addresses: string[]) => {
    await say('MAIL FROM:<a@x.example>', '250 ');
    for (const address of addresses) await say(`RCPT TO:<${address}>`, '250 ');
    await say('DATA', '354 ');
    await world.admin.send('DELETE', `/api/sources/${deleted}`);
    return say('Subject: On its way\r\n\r\nx\r\n.', '\\d{3} [^\\n]*\\n');
  };
  expect(await sendWhileDeleted(gone.source.id, gone.address, other.address)).toMatch(/^250 /);
  expect(await gone.alerts()).toEqual([]);
  expect(await other.alerts()).toMatchObject([{ title: 'On its way' }]);
  expect(await sendWhileDeleted(other.source.id, other.address)).toMatch(/^550 /);
  expect(await other.alerts()).toHaveLength(1);
  socket.destroy();
});
