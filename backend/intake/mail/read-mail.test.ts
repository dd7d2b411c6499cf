import { expect, test } from 'vitest';
import { createMailReader } from './mail-thread.ts';
import { UnreadableMail, readMail } from './read-mail.ts';

const read = (text: string, envelopeFrom = 'a@x.example') => readMail(Buffer.from(text), envelopeFrom);

test('of a message with text and HTML the text counts, whatever its character set', async () => {
  const raw = Buffer.from(
    'From: =?utf-8?q?J=C3=BCrgen?= <j@x.example>\r\nSubject: =?iso-8859-1?q?Gr=FC=DFe?=\r\n' +
      'Content-Type: multipart/alternative; boundary=b\r\n\r\n' +
      '--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\u00fc\u00dfe\r\n' +
      '--b\r\nContent-Type: text/html\r\n\r\n<p>HTML</p>\r\n--b--',
    'latin1',
  );
  const { content } = await readMail(raw, 'j@x.example');
  expect(content).toMatchObject({ subject: 'Grüße', from: { name: 'Jürgen', address: 'j@x.example' }, text: 'Grüße' });
});

test('ids of a thread are without brackets, the first one first, and 20 at most', async () => {
  const many = Array.from({ length: 40 }, (_, index) => `<${index}@x>`).join('\r\n ');
  const { content } = await read(`References: ${many}\r\nIn-Reply-To: <39@x>\r\n\r\nx`);
  expect(content.references).toHaveLength(20);
  expect(content.references.at(0)).toBe('0@x');
  expect(content.references.at(-1)).toBe('39@x');
});

test.each([
  ['an automatic answer', 'Auto-Submitted: auto-replied (vacation)', 'a@x.example', /^An automatic answer/],
  ['a report', 'Content-Type: multipart/report; report-type=delivery-status; boundary=b', '', /^A report/],
  [
    'a receipt',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
    'a@x',
    /^A receipt/,
  ],
])('%s makes no alert', async (_name, header, envelopeFrom, reason) => {
  const { content } = await read(`${header}\r\nSubject: x\r\n\r\n--b\r\n\r\nx\r\n--b--`, envelopeFrom);
  expect(content.ignored).toMatch(reason);
});

test.each([
  ['what a program sent by itself', 'Auto-Submitted: auto-generated', 'a@x.example'],
  ['what nobody is to answer', 'X-Cron: 1', ''],
])('%s makes one', async (_name, header, envelopeFrom) => {
  const { content } = await read(`${header}\r\nSubject: x\r\n\r\nx`, envelopeFrom);
  expect(content.ignored).toBeNull();
});

test('the first link of the text is found, and no other scheme is one', async () => {
  const { content } = await read('Subject: x\r\n\r\njavascript:alert(1) (see https://x.example/a?b=1).');
  expect(content.link).toBe('https://x.example/a?b=1');
});

test('a message that is JSON as a whole is no attachment', async () => {
  const { json, content } = await read('Content-Type: application/json\r\n\r\n{"title":"x"}');
  expect(json).toBe('{"title":"x"}');
  expect(content.attachments).toEqual([]);
});

test.each([
  ['too long a header', `X: ${'y'.repeat(200)}\r\n`.repeat(1_000)],
  ['too many parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(400)}`],
])('a message with %s is not read', async (_name, text) => {
  await expect(read(`${text}\r\nx`)).rejects.toThrow(UnreadableMail);
});

test.each([
  '',
  '\r\n',
  '\0',
  'Subject',
  'Content-Type: multipart/mixed\r\n\r\n--',
  '\ud800',
  ': x\r\n\r\n',
  'From: <<>>\r\n\r\n',
])('odd input %j is read all the same', async (text) => {
  await expect(read(text)).resolves.toHaveProperty('content');
});

test('a message is read beside this thread, with the same result; one that cannot be read is said to be so', async () => {
  const reader = createMailReader();
  const raw = Buffer.from(`Subject: Large\r\n\r\n${'line of text\r\n'.repeat(20_000)}`);
  expect(await reader.read(raw, 'a@x.example')).toEqual(await readMail(raw, 'a@x.example'));
  const parts = Buffer.from(
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n\r\n${'x'.repeat(500)}\r\n`.repeat(400)}`,
  );
  await expect(reader.read(parts, '')).rejects.toThrow(UnreadableMail);
  await reader.stop();
  await expect(reader.read(raw, '')).rejects.toMatchObject({ status: 503 });
});
