import { afterEach, describe, expect, test } from 'vitest';
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { type MailConfig, readMailConfig } from './mail-config.ts';
import { createMailTransport, isRefusedMail } from './mail-transport.ts';

let server: TestMailServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const PUBLIC_URL = new URL('https://alerts.example.com');
const read = (url: string, from: string | undefined = 'alerts@example.com', publicUrl: URL | undefined = PUBLIC_URL) =>
  readMailConfig(new URL(url), from, publicUrl);

const mail = { to: 'anna@example.org', subject: 'Hello', text: 'Text', html: '<p>Text</p>' };
const send = (change: Partial<MailConfig>) => {
  const config = read(`smtp://127.0.0.1:${server?.port}`);
  if (!config) throw new Error('There is no mail server.');
  return createMailTransport({ ...config, ...change }).send(mail);
};

describe('the mail server', () => {
  test('is read from its address', () => {
    expect(read('smtp://mail.example.com')).toMatchObject({
      host: 'mail.example.com',
      port: 587,
      isSecure: false,
      isLocal: false,
    });
    expect(read('smtps://ann%40x:p%2Fw@mail.example.com:1465')).toMatchObject({
      port: 1465,
      isSecure: true,
      user: 'ann@x',
      password: 'p/w',
    });
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(read(`smtp://${host}`)?.isLocal).toBe(true);
    expect(readMailConfig(undefined, undefined, undefined)).toBeUndefined();
  });

  test.each([
    [() => readMailConfig(new URL('smtp://h'), undefined, PUBLIC_URL), /set MAIL_FROM, too/],
    [() => readMailConfig(new URL('smtp://h'), 'a@b.example', undefined), /set PUBLIC_URL, too/],
    [() => readMailConfig(new URL('smtp://h'), undefined, undefined), /set MAIL_FROM and PUBLIC_URL, too/],
    [() => readMailConfig(undefined, 'a@b.example', PUBLIC_URL), /set SMTP_URL, too/],
  ])('is refused when something is missing: %#', (readIt, sentence) => {
    expect(readIt).toThrow(sentence);
  });

  test('on this machine takes mails without TLS', async () => {
    server = await startMailServer();
    await send({});
    expect(server.mails).toMatchObject([{ to: ['anna@example.org'], from: 'alerts@example.com' }]);
  });

  test.each([
    ['https://alerts.example.com/api/unsubscribe?token=v1.x', true],
    // RFC 8058 asks for https.
    ['http://alerts.example.com/api/unsubscribe?token=v1.x', false],
  ])('a mail that was chosen has the headers by which one click ends it', async (unsubscribeUrl, isOneClick) => {
    server = await startMailServer();
    const config = read(`smtp://127.0.0.1:${server.port}`);
    if (!config) throw new Error('There is no mail server.');
    await createMailTransport(config).send({ ...mail, unsubscribeUrl });
    const head = server.mails[0]?.source.replaceAll(/\r?\n[ \t]+/g, ' ') ?? '';
    expect(head).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`);
    expect(head.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click')).toBe(isOneClick);
  });

  test('elsewhere gets nothing without TLS', async () => {
    server = await startMailServer();
    await expect(send({ isLocal: false })).rejects.toThrow(/STARTTLS|TLS/i);
    expect(server.mails).toEqual([]);
  });

  test('gets nothing when its certificate is not to be trusted', async () => {
    // The double's own certificate is of nobody.
    server = await startMailServer({ disabledCommands: [] });
    await expect(send({ isLocal: false })).rejects.toThrow(/certificate|altnames/i);
    await server.stop();
    server = await startMailServer({ secure: true });
    await expect(send({ isSecure: true })).rejects.toThrow(/certificate|altnames/i);
    expect(server.mails).toEqual([]);
  });

  test('is shown who mails', async () => {
    server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'ann' && password === 'secret'
          ? done(null, { user: username })
          : done(Object.assign(new Error('Wrong password'), { responseCode: 554 })),
    });
    await send({ user: 'ann', password: 'secret' });
    expect(server.mails).toHaveLength(1);
    const refusal: unknown = await send({ user: 'ann', password: 'wrong' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: expect.stringContaining('Wrong password'), responseCode: 554 });
    expect(isRefusedMail(refusal)).toBe(false);
    // Without a sign-in it answers 530.
    expect(isRefusedMail(await send({}).catch((error: unknown) => error))).toBe(false);
    expect(isRefusedMail({ responseCode: 550 })).toBe(true);
  });

  test('takes an address as one address, whatever is in it', async () => {
    server = await startMailServer();
    const config = read(`smtp://127.0.0.1:${server.port}`);
    const transport = config && createMailTransport(config);
    await transport?.send({ ...mail, to: 'anna@example.org, eve@example.org' }).catch(() => undefined);
    expect(server.mails.flatMap(({ to }) => to)).not.toContain('eve@example.org');
  });
});
