import { createTransport } from 'nodemailer';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import type { Source } from '#backend/contract/source.ts';
import type { ResolveDns } from '#backend/intake/mail/authenticate-mail.ts';
import type { MailInParts } from '#backend/intake/mail/mail-listener.ts';
import { type RawConnection, openRawConnection } from './raw-connection.ts';
import { createSourceWorld } from './source-world.ts';
import { type TestServer, startTestServer } from './test-server.ts';

export const MAIL_DOMAIN = 'alerts.example.com';

/** What the DNS says: texts or addresses by type and name, such as `TXT example.com`. Other names do not exist. */
export type Zone = Readonly<Record<string, string[]>>;

/** Name servers that know a zone. */
export const resolverOf =
  (zone: Zone): ResolveDns =>
  async (name, type) => {
    const found = zone[`${type} ${name}`];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return type === 'TXT' ? found.map((text) => [text]) : found;
  };

/** A server that receives emails, on a port of its own. */
export const startMailServer = (
  environment: Record<string, string> = {},
  parts: MailInParts = {},
  prepare?: (databaseUrl: string) => Promise<string>,
): Promise<TestServer> =>
  startTestServer(
    { SMTP_PORT: '2525', SMTP_DOMAIN: MAIL_DOMAIN, ...environment },
    { mailIn: { port: 0, resolve: resolverOf({}), ...parts } },
    prepare,
  );

/** What tests of emails do on a server. */
export type MailWorld = Awaited<ReturnType<typeof createMailWorld>>;

/** An email, as nodemailer takes it. */
export type SentMail = Parameters<ReturnType<typeof createTransport>['sendMail']>[0];

/** Sends emails to sources of this server, as their senders. */
export async function createMailWorld(server: TestServer) {
  const world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
  const alertsOf = ({ id }: Pick<Source, 'id'>) =>
    server.database.reads.getRepository(AlertEntity).find({ where: { sourceId: id }, order: { id: 'ASC' } });
  const transport = (options: object = {}) =>
    createTransport({ host: '127.0.0.1', port: server.mailPort, ignoreTLS: true, ...options });
  return {
    ...world,
    /** A new source, with the address of its emails. */
    async newMailSource() {
      const { source } = await world.newSource();
      return { source, address: source.mailAddress ?? '', alerts: () => alertsOf(source) };
    },
    /** Sends an email, and resolves with the server's last answer, also one that it does not take it. */
    async send(mail: SentMail, options: object = {}): Promise<string> {
      const sent = transport(options).sendMail({ from: 'Nagios <nagios@nagios.example>', ...mail });
      return sent.then(
        ({ response }) => response as string,
        (error: { response?: string; message: string }) => error.response ?? error.message,
      );
    },
    /** A connection on which a test writes SMTP itself, after its greeting. */
    async dial(): Promise<RawConnection & { say(line: string, answer: string): Promise<string> }> {
      const connection = await openRawConnection(`http://127.0.0.1:${server.mailPort}`);
      await connection.receives(/^\d{3} [^\n]*\n/);
      return {
        ...connection,
        async say(line, answer) {
          const before = connection.received().length;
          connection.socket.write(`${line}\r\n`);
          await connection.receives(new RegExp(`^[^]{${before}}[^]*${answer}`));
          return connection.received().slice(before);
        },
      };
    },
  };
}
