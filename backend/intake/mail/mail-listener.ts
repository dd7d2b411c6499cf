import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type SharedCounts, consume, createLimiter, networkOf } from '#backend/platform/cluster/limiter.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { type Logger, createSeldomLog } from '#backend/platform/logger/logger.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import type { ObserveMail } from '#backend/platform/metrics/observers.ts';
import { type ResolveDns, authenticateMail, createResolver } from './authenticate-mail.ts';
import { MailError, answerOf, reasonOf, tooManyMails } from './mail-answers.ts';
import type { MailInConfig } from './mail-in-config.ts';
import { type MailRecipients, createMailRecipients } from './mail-recipients.ts';
import { createMailReader } from './mail-thread.ts';
import { createMessageReceiver } from './receive-message.ts';
import { type IncomingMail, type MailRecipient, type TakeMailDeps, loggedRefusal, takeMail } from './take-mail.ts';

/** Connections at once: of all, and of one network. A relay of one's own uses 20 at most by default (Postfix). */
const MAX_CONNECTIONS = 200;
const MAX_OF_NETWORK = 20;

/** Addresses of one email, and wrong ones of a network in a minute: whoever guesses addresses is slowed down. */
const MAX_RECIPIENTS = 20;
const WRONG_IN_A_MINUTE = 60;

/** Emails to one source in a minute. */
const EMAILS_IN_A_MINUTE = 600;

/** A client that sends nothing, one message, and a connection with all its messages may take so long, in milliseconds. */
const IDLE_MS = 60_000;
const MESSAGE_MS = 3 * 60_000;
const CONNECTION_MS = 30 * 60_000;

/** On stop, messages that are being received may take so long, in milliseconds. */
const STOP_MS = 4_000;

/** What a caller may put in the place of the product's own parts: tests do. */
export interface MailInParts {
  /** Instead of SMTP_PORT; 0 takes a free one. */
  port?: number;
  resolve?: ResolveDns;
  /** How long a client may send nothing, and how long one message may take, in milliseconds. */
  idleMs?: number;
  messageMs?: number;
}

/** Dependencies of receiving emails. */
export type MailListenerDeps = TakeMailDeps &
  Parameters<typeof createMailRecipients>[0] & {
    config: MailInConfig;
    logger: Logger;
    observe: ObserveMail;
    counts: SharedCounts | undefined;
  };

/** A listener for emails. */
export interface MailListener {
  port: number;
  /** Takes no new connections, lets messages that are being received be stored, and closes the others. */
  stop(): Promise<void>;
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is occupied by another program',
  EACCES: 'this user may not listen on that port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host name',
};

/**
 * Listens for emails to sources (SMTP, RFC 5321). A message is answered 250 once its alert is stored for each of its
 * addresses, and never relayed.
 *
 * @throws {StartError} naming SMTP_HOST and SMTP_PORT when that is not possible
 */
export async function openMailListener(deps: MailListenerDeps, parts: MailInParts = {}): Promise<MailListener> {
  const { config } = deps;
  const sessions = new Map<string, Session>();
  const ofNetwork = new Map<string, number>();
  let isStopping = false;
  const intake = createIntake(deps, parts.resolve ?? createResolver());
  const checkRecipient = callbackify(intake.checkRecipient);
  const take = callbackify(intake.take);

  const leave = (id: string): void => {
    const session = sessions.get(id);
    if (!session) return;
    sessions.delete(id);
    clearTimeout(session.timer);
    const left = (ofNetwork.get(session.network) ?? 1) - 1;
    if (left > 0) ofNetwork.set(session.network, left);
    else ofNetwork.delete(session.network);
  };
  const end = (id: string, text: string): void => {
    for (const connection of server.connections) {
      if (connection.id !== id) continue;
      connection.send(421, text);
      connection.close();
    }
  };
  const server: SMTPServer = new SMTPServer({
    name: config.domain,
    banner: 'Alertdesk',
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(config.tls ? [] : ['STARTTLS'])],
    ...(config.tls && { cert: config.tls.cert, key: config.tls.key, minVersion: 'TLSv1.2' as const }),
    size: config.maxBytes,
    maxClients: MAX_CONNECTIONS,
    maxRecipients: MAX_RECIPIENTS,
    disableReverseLookup: true,
    socketTimeout: parts.idleMs ?? IDLE_MS,
    closeTimeout: STOP_MS,
    onConnect({ id, remoteAddress }, done) {
      const network = networkOf(remoteAddress);
      const others = ofNetwork.get(network) ?? 0;
      if (isStopping || others >= MAX_OF_NETWORK) return done(busy());
      ofNetwork.set(network, others + 1);
      const timer = setTimeout(() => end(id, '4.4.2 The connection took too long'), CONNECTION_MS).unref();
      sessions.set(id, { network, timer, isReceiving: false });
      return done();
    },
    onClose: ({ id }) => leave(id),
    onMailFrom: (_address, _session, done) => done(isStopping ? busy() : undefined),
    onRcptTo: (address, session, done) => checkRecipient(address.address, session, done),
    onData(stream, session, done) {
      const own = sessions.get(session.id);
      if (own) own.isReceiving = true;
      const late = setTimeout(() => end(session.id, '4.4.2 The message took too long'), parts.messageMs ?? MESSAGE_MS);
      stream.once('end', () => clearTimeout(late));
      take(stream, session, (error) => {
        clearTimeout(late);
        if (own) own.isReceiving = false;
        done(error, '2.0.0 The email is stored');
        if (isStopping) setImmediate(() => end(session.id, '4.3.2 The server is stopping'));
      });
    },
  });
  // Connections that break are part of the internet.
  server.on('error', (error) => deps.logger.debug({ err: error }, 'a connection of a mail client failed'));
  const port = await listen(server, config.host, parts.port ?? config.port);
  return {
    port,
    async stop() {
      isStopping = true;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const { id } of server.connections) {
          if (!sessions.get(id)?.isReceiving) end(id, '4.3.2 The server is stopping');
        }
      });
      await intake.stop();
    },
  };
}

/** What is known of a connection. */
interface Session {
  network: string;
  timer: NodeJS.Timeout;
  isReceiving: boolean;
}

const busy = (): MailError => new MailError(421, '4.3.2 Too busy at the moment, try again later', 'limited');

async function listen(server: SMTPServer, host: string, port: number): Promise<number> {
  try {
    const listening = server.listen(port, host);
    await once(listening, 'listening');
    return (listening.address() as AddressInfo).port;
  } catch (error) {
    const code = errorCode(error);
    throw new StartError(
      `Alertdesk cannot listen for emails on ${host}:${port}: ${REASONS[code] ?? code}. Set SMTP_HOST or SMTP_PORT.`,
      { cause: error },
    );
  }
}

/** Checks addresses, and receives and stores messages. */
function createIntake(deps: MailListenerDeps, resolve: ResolveDns) {
  const { config, observe, counts } = deps;
  const recipients: MailRecipients = createMailRecipients(deps);
  const reader = createMailReader();
  const receiver = createMessageReceiver(config.maxBytes);
  const wrong = createLimiter('mail:wrong-address', WRONG_IN_A_MINUTE, 60, counts);
  const emails = createLimiter('mail:source', EMAILS_IN_A_MINUTE, 60, counts);
  const logSeldom = createSeldomLog(deps.logger);

  const counted = (error: unknown): MailError => {
    const answer = answerOf(error);
    observe(answer.reason);
    if (answer.reason === 'unavailable') {
      logSeldom('mail', { err: answer.cause }, 'emails could not be stored; their senders try again');
    }
    return answer;
  };
  const find = (address: string, session: SMTPServerSession) => recipients.find(address, mailOf(session, 0));

  return {
    stop: () => reader.stop(),
    /** @throws {MailError} */
    async checkRecipient(address: string, session: SMTPServerSession): Promise<void> {
      try {
        await find(address, session);
      } catch (error) {
        const answer = counted(error);
        const isGuess = answer.reason === 'unknown';
        if (isGuess && 'seconds' in (await consume(wrong, networkOf(session.remoteAddress)))) throw tooManyMails();
        throw answer;
      }
    },
    /** @throws {MailError} */
    async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
      try {
        const { raw, release } = await receiver.receive(stream).catch((error: unknown) => {
          // A client that is gone has no answer to be logged.
          if (error instanceof MailError) return refuse(mailOf(session, stream.byteLength), session, error);
          throw error;
        });
        try {
          await store(raw, session);
        } finally {
          release();
        }
        observe('stored');
      } catch (error) {
        throw counted(error);
      }
    },
  };

  async function store(raw: Buffer, session: SMTPServerSession): Promise<void> {
    const mail = mailOf(session, raw.length);
    // Once more: a secret may have ended since its address was named, and several addresses may be of one source.
    const sought = session.envelope.rcptTo.map(({ address }) => recipients.find(address, mail));
    const bySource = new Map<string, MailRecipient>();
    for (const one of await Promise.allSettled(sought)) {
      if (one.status === 'fulfilled') bySource.set(one.value.found.source.id, one.value);
    }
    // The others still get theirs; without any, the answer says why.
    if (bySource.size === 0) await Promise.all(sought);
    const client = { address: mail.remoteAddress, helo: mail.helo, envelopeFrom: mail.envelopeFrom };
    const prepare = async () => {
      for (const id of bySource.keys()) if ('seconds' in (await consume(emails, id))) throw tooManyMails();
      // One after the other: what cannot be read has too long a header to be checked, too.
      const read = await reader.read(raw, mail.envelopeFrom);
      return { read, authentication: await authenticateMail(raw, client, resolve) };
    };
    const { read, authentication } = await prepare().catch((error: unknown) => refuse(mail, session, error));
    for (const recipient of bySource.values()) await takeMail(deps, mail, recipient, read, authentication);
  }

  /** Has the log of each source say why a message was not read. @throws {MailError} that is the answer */
  async function refuse(mail: IncomingMail, { envelope }: SMTPServerSession, error: unknown): Promise<never> {
    const answer = answerOf(error);
    for (const { address } of envelope.rcptTo) {
      const recipient = await recipients.find(address, mail).catch(() => undefined);
      if (recipient) deps.deliveryLog.add(loggedRefusal(mail, recipient, reasonOf(answer), answer.responseCode));
    }
    throw answer;
  }
}

/** Longest envelope address and name of a client that is kept, in characters (RFC 5321, section 4.5.3.1). */
const MAX_ENVELOPE = 320;

function mailOf({ remoteAddress, hostNameAppearsAs, envelope }: SMTPServerSession, size: number): IncomingMail {
  const from = envelope.mailFrom ? envelope.mailFrom.address : '';
  return {
    remoteAddress: remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''),
    helo: bounded(typeof hostNameAppearsAs === 'string' ? hostNameAppearsAs : ''),
    envelopeFrom: bounded(from),
    size,
    receivedAt: Date.now(),
    readAt: performance.now(),
  };
}

const bounded = (text: string): string =>
  text
    .slice(0, MAX_ENVELOPE)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
