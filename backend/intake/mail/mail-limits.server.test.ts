import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '#tests/support/make-certificate.ts';
import {
  MAIL_DOMAIN,
  type MailWorld,
  createMailWorld,
  resolverOf,
  startMailServer,
} from '#tests/support/mail-world.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { hasCluster, startRedis } from '#tests/support/redis.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STORED = '250 2.0.0 The email is stored';
const MB = 1024 * 1024;
const isMysql = process.env['TEST_DIALECT'] === 'mysql';

describe('on one server', () => {
  let server: TestServer;
  let world: MailWorld;

  beforeAll(async () => {
    server = await startMailServer({ SMTP_MAX_MB: '1' }, { idleMs: 15_000, messageMs: 3_000 });
    world = await createMailWorld(server);
  });
  afterAll(() => server.destroy());

  test.each([
    ['of nobody at the domain', `info@${MAIL_DOMAIN}`],
    ['that looks like a source’s', `${'a'.repeat(32)}@${MAIL_DOMAIN}`],
    ['at another domain', 'ann@example.org'],
  ])('an address %s is answered 550', async (_name, to) => {
    expect(await world.send({ to, subject: 'x' })).toBe('550 5.1.1 There is no mailbox with this address');
  });

  test('the log of unknown keys names an address that looks like a source’s', async () => {
    const localPart = `${'b'.repeat(28)}2345`;
    await world.send({ to: `${localPart}@${MAIL_DOMAIN}`, subject: 'x' });
    await waitFor(async () => {
      const text = await (await world.admin.get('/api/unknown-keys')).text();
      expect(text).toContain('••••••••2345');
      expect(text).not.toContain(localPart);
    });
  });

  test('a source that takes no token in its address, or only signed requests, has no address', async () => {
    const { source, address } = await world.newMailSource();
    await world.change(source.id, { auth: { key: true, basic: true, token: false, signature: null } });
    expect(await world.send({ to: address, subject: 'x' })).toMatch(/^550 /);
    await world.expectNewest(source.id, {
      outcome: 'refused',
      status: 550,
      method: 'SMTP',
      summary: 'The token in the address was used, which is turned off for this source',
    });
    await world.admin.send('POST', `/api/sources/${source.id}/signing-secrets`, { secret: 'a secret of GitHub' });
    await world.change(source.id, { auth: { key: true, basic: true, token: true, signature: 'github' } });
    expect(await world.send({ to: address, subject: 'x' })).toMatch(/^550 /);
    const shown = await (await world.admin.get('/api/sources')).text();
    expect(shown).not.toContain(address);
  });

  test('with a new address the old one works until it is expired, and that of a deleted source never again', async () => {
    const { source, address, alerts } = await world.newMailSource();
    const rotated = await world.admin.send('POST', `/api/sources/${source.id}/rotate`, { kind: 'token' });
    const { source: now } = (await rotated.json()) as { source: typeof source };
    expect(now.mailAddress).not.toBe(address);
    expect(await world.send({ to: address, subject: 'old' })).toBe(STORED);
    expect(await world.send({ to: now.mailAddress ?? '', subject: 'new' })).toBe(STORED);
    const old = now.secrets.find(({ kind, expiresAt }) => kind === 'token' && expiresAt !== null);
    await world.admin.send('DELETE', `/api/sources/${source.id}/secrets/${old?.id ?? ''}`);
    expect(await world.send({ to: address, subject: 'late' })).toMatch(/^550 /);
    expect(await alerts()).toHaveLength(2);
    await world.admin.send('DELETE', `/api/sources/${source.id}`);
    expect(await world.send({ to: now.mailAddress ?? '', subject: 'gone' })).toMatch(/^550 /);
  });

  test('a message that is too large is answered 552, announced or not', async () => {
    const { address, alerts } = await world.newMailSource();
    const attachments = [{ filename: 'core', content: Buffer.alloc(2 * MB) }];
    expect(await world.send({ to: address, subject: 'x', attachments })).toMatch(/^552 /);
    const { say, socket, receives } = await world.dial();
    await say('EHLO x', '250 ');
    await say('MAIL FROM:<a@x.example>', '250 ');
    await say(`RCPT TO:<${address}>`, '250 ');
    await say('DATA', '354 ');
    for (let sent = 0; sent < 2 * MB; sent += 60_000) socket.write(`${'x'.repeat(58)}\r\n`.repeat(1_000));
    socket.write('.\r\n');
    await receives(/\r\n552 /);
    socket.destroy();
    expect(await alerts()).toEqual([]);
  });

  test('a message with too many parts is answered 554', async () => {
    const { source, address } = await world.newMailSource();
    const parts = '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(400);
    const raw = `From: a@x.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--`;
    expect(await world.send({ envelope: { from: 'a@x.example', to: address }, raw })).toMatch(/^554 5\.6\.0 /);
    await world.expectNewest(source.id, { outcome: 'refused', status: 554 });
  });

  test('a client that drips is disconnected, and others are served meanwhile', async () => {
    const { address, alerts } = await world.newMailSource();
    const { say, socket, closed } = await world.dial();
    await say('EHLO x', '250 ');
    await say('MAIL FROM:<a@x.example>', '250 ');
    await say(`RCPT TO:<${address}>`, '250 ');
    await say('DATA', '354 ');
    const drip = setInterval(() => socket.write('Subject: x\r\n'), 100);
    onTestFinished(() => clearInterval(drip));
    expect(await world.send({ to: address, subject: 'quick' })).toBe(STORED);
    expect(await closed()).toBeGreaterThan(2_000);
    expect(await alerts()).toMatchObject([{ title: 'quick' }]);
  });

  test('a message whose client goes away before its end is not stored, and its memory is free again', async () => {
    const { address, alerts } = await world.newMailSource();
    const { say, socket } = await world.dial();
    await say('EHLO x', '250 ');
    await say('MAIL FROM:<a@x.example>', '250 ');
    await say(`RCPT TO:<${address}>`, '250 ');
    await say('DATA', '354 ');
    socket.write('Subject: half\r\n\r\ntext\r\n');
    socket.destroy();
    await once(socket, 'close');
    expect(await world.send({ to: address, subject: 'whole' })).toBe(STORED);
    expect(await alerts()).toMatchObject([{ title: 'whole' }]);
  });

  test('one network has 20 connections at most', async () => {
    // Connections of tests before count until the server has seen their end.
    await waitFor(async () => {
      const dialed = await Promise.all(Array.from({ length: 30 }, () => world.dial().catch(() => undefined)));
      const greetings = dialed.map((one) => one?.received().slice(0, 3));
      for (const one of dialed) one?.socket.destroy();
      expect(greetings.filter((code) => code === '220')).toHaveLength(20);
      expect(greetings.filter((code) => code === '421')).toHaveLength(10);
    });
    const { address } = await world.newMailSource();
    await waitFor(async () => expect(await world.send({ to: address, subject: 'after' })).toBe(STORED));
  });

  test('what became of emails is counted', async () => {
    const text = await server.metrics.text();
    for (const outcome of ['stored', 'unknown', 'refused', 'too_large', 'unreadable']) {
      expect(metricValue(text, `alertdesk_received_mails_total{outcome="${outcome}"}`)).toBeGreaterThan(0);
    }
  });

  test('whoever guesses addresses is slowed down', async () => {
    const { say, socket } = await world.dial();
    await say('EHLO x', '250 ');
    await say('MAIL FROM:<a@x.example>', '250 ');
    let answer = '';
    for (let count = 0; count < 80 && !answer.startsWith('451'); count += 1) {
      answer = await say(`RCPT TO:<guess${count}@${MAIL_DOMAIN}>`, '\\d{3} [^\\n]*\\n');
    }
    expect(answer).toMatch(/^451 4\.7\.1 /);
    socket.destroy();
  });
});

test('STARTTLS is offered with a certificate, and emails come by it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alertdesk-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { cert, key } = makeCertificate(MAIL_DOMAIN);
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const server = await startMailServer({ SMTP_TLS_CERT: certFile, SMTP_TLS_KEY: keyFile });
  onTestFinished(() => server.destroy());
  const world = await createMailWorld(server);
  const { address, alerts } = await world.newMailSource();
  const tls = { ca: cert, servername: MAIL_DOMAIN };
  const sent = await world.send({ to: address, subject: 'By TLS' }, { ignoreTLS: false, requireTLS: true, tls });
  expect(sent).toBe(STORED);
  expect(await alerts()).toMatchObject([{ title: 'By TLS' }]);
});

test('a valid signature of DKIM is shown, and so is a wrong one', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const record = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const resolve = resolverOf({
    'TXT s1._domainkey.nagios.example': [`v=DKIM1; k=rsa; p=${record}`],
    'TXT _dmarc.nagios.example': ['v=DMARC1; p=reject'],
  });
  const server = await startMailServer({}, { resolve });
  onTestFinished(() => server.destroy());
  const world = await createMailWorld(server);
  const { source, address } = await world.newMailSource();
  const mail = { to: address, subject: 'Signed', text: 'x' };
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const dkim = { domainName: 'nagios.example', keySelector: 's1', privateKey: pem };
  expect(await world.send({ ...mail, dkim })).toBe(STORED);
  const good = await world.expectNewest(source.id, { status: 250, summary: 'Signed' });
  expect(good.headers).toContainEqual(['DKIM', 'pass (nagios.example)']);
  expect(good.headers).toContainEqual(['DMARC', 'pass (nagios.example)']);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(await world.send({ ...mail, subject: 'Forged', dkim: { ...dkim, privateKey: other } })).toBe(STORED);
  const forged = await world.expectNewest(source.id, { status: 250, summary: 'Forged' });
  expect(forged.headers.find(([name]) => name === 'DKIM')?.[1]).toMatch(/^(?:fail|neutral)/);
});

test('name servers that do not answer delay an email, and lose none', async () => {
  const server = await startMailServer({}, { resolve: () => new Promise(() => undefined) });
  onTestFinished(() => server.destroy());
  const world = await createMailWorld(server);
  const { source, address } = await world.newMailSource();
  expect(await world.send({ to: address, subject: 'x' })).toBe(STORED);
  const { headers } = await world.expectNewest(source.id, { status: 250 });
  expect(headers).toContainEqual(['DMARC', 'not checked']);
});

describe('while the database takes nothing', () => {
  test.skipIf(isMysql)('the answer is temporary, and the next attempt is stored once', async () => {
    const server = await startMailServer();
    onTestFinished(() => server.destroy());
    const world = await createMailWorld(server);
    const { address, alerts } = await world.newMailSource();
    const limit = (pages: number) => server.database.transaction((tx) => tx.query(`PRAGMA max_page_count = ${pages}`));
    const mail = { to: address, subject: 'Full', text: 'x'.repeat(60_000), messageId: '<full@x.example>' };
    await limit(1);
    const answers = await Promise.all([world.send(mail), world.send(mail)]);
    expect(answers.map((answer) => answer.slice(0, 9))).toEqual(['452 4.3.1', '452 4.3.1']);
    expect(await alerts()).toEqual([]);
    await limit(1_000_000);
    expect(await world.send(mail)).toBe(STORED);
    expect(await world.send(mail)).toBe(STORED);
    expect(await alerts()).toMatchObject([{ occurrences: 1 }]);
  });

  test.runIf(isMysql)('because it cannot be reached, the answer is temporary', async () => {
    let proxy: Awaited<ReturnType<typeof startTcpProxy>> | undefined;
    const server = await startMailServer({}, {}, async (databaseUrl) => {
      const url = new URL(databaseUrl);
      proxy = await startTcpProxy(Number(url.port));
      url.port = String(proxy.port);
      return url.href;
    });
    onTestFinished(async () => {
      await server.destroy();
      await proxy?.close();
    });
    const world = await createMailWorld(server);
    const { address, alerts } = await world.newMailSource();
    const mail = { to: address, subject: 'Away', text: 'x', messageId: '<away@x.example>' };
    proxy?.lose('everything');
    expect(await world.send(mail)).toMatch(/^451 4\.3\.0 /);
    proxy?.lose('none');
    await waitFor(async () => expect(await world.send(mail)).toBe(STORED), { timeout: 20_000 });
    expect(await alerts()).toMatchObject([{ occurrences: 1 }]);
  });
});

test('on stop a message that is being received is stored, and other clients are sent away', async () => {
  const server = await startMailServer();
  onTestFinished(() => server.destroy());
  const world = await createMailWorld(server);
  const { address } = await world.newMailSource();
  const idle = await world.dial();
  const busy = await world.dial();
  await busy.say('EHLO x', '250 ');
  await busy.say('MAIL FROM:<a@x.example>', '250 ');
  await busy.say(`RCPT TO:<${address}>`, '250 ');
  await busy.say('DATA', '354 ');
  const stopped = server.stop();
  await idle.receives(/421 4\.3\.2 /);
  busy.socket.write('Subject: last\r\n\r\nx\r\n.\r\n');
  await expect(busy.receives(/421 /)).resolves.toContain('250 2.0.0 The email is stored\r\n421 ');
  await stopped;
});

describe.runIf(hasCluster && isMysql)('with two servers', () => {
  test('a source that one has made a moment ago is known to the other', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const server = await startMailServer({ REDIS_URL: redis.url });
    onTestFinished(() => server.destroy());
    const second = await server.startSecond({ REDIS_URL: redis.url });
    onTestFinished(() => second.stop());
    const world = await createMailWorld(server);
    const { address, alerts } = await world.newMailSource();
    // Whatever the other server has heard of by then.
    const there = await createMailWorld(second);
    expect(await there.send({ to: address, subject: 'There' })).toBe(STORED);
    expect(await alerts()).toMatchObject([{ title: 'There' }]);
  });
});
