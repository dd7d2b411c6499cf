import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What a server is set up with that mails, beside SMTP_URL. */
export const MAIL = { MAIL_FROM: 'Alertdesk <alerts@example.com>', PUBLIC_URL: 'http://127.0.0.1:4400' };

/** A mail that the server took: from whom, to whom, and its source. */
export interface TakenMail {
  from: string;
  to: string[];
  source: string;
  /** Its text as people read it, without the encoding of long lines. */
  text: string;
}

/** A mail server of a test's own, on this machine. */
export interface TestMailServer {
  port: number;
  /** As SMTP_URL. */
  url: string;
  mails: TakenMail[];
  /** Has the next mails answered with this error instead of being taken; undefined takes them again. */
  refuse(code: number | undefined, message?: string): void;
  stop(): Promise<void>;
}

/** Undoes quoted-printable (RFC 2045, section 6.7), as far as links and English need it. */
const decode = (source: string): string =>
  Buffer.from(
    source
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** @param options beside those of a server without TLS that lets everybody in */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<TestMailServer> {
  const mails: TakenMail[] = [];
  let refusal: Error | undefined;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onData(stream, { envelope }, done) {
      let source = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => (source += part));
      stream.on('end', () => {
        if (refusal) return done(refusal);
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), source, text: decode(source) });
        return done();
      });
    },
    ...options,
  });
  // Clients that hang up in the middle are part of the tests.
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  const { port: taken } = listening.address() as AddressInfo;
  return {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    mails,
    refuse(code, message = 'Not now') {
      refusal = code === undefined ? undefined : Object.assign(new Error(message), { responseCode: code });
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
