import { createTransport } from 'nodemailer';
import type { MailConfig } from './mail-config.ts';

/** One mail to one person, or to people who may know of each other, as text and as HTML. */
export interface Mail {
  to: string | readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Where whoever gets it ends mails like it without signing in; absent where they were asked for one by one. */
  unsubscribeUrl?: string;
  /** What whoever gets it chose it as, and may choose no more before it is sent; absent where nobody chooses it. */
  kind?: string;
  /** Names the mail where it may be sent twice; default: another name each time. */
  messageId?: string;
}

/** Whom the mail server did not take a mail for, though it took it for others. */
export interface RefusedRecipient {
  address: string;
  /** What the server said. */
  answer: string;
}

/** Hands mails over to a mail server. */
export interface MailTransport {
  /**
   * Resolves once the server has taken it for somebody, to whom it refused.
   *
   * @throws what the server or the connection said
   */
  send(mail: Mail): Promise<RefusedRecipient[]>;
}

/** Answers 500 or above about the sign-in (RFC 4954, section 6), which is put right by an operator. */
const SIGN_IN_ANSWERS = new Set([530, 534, 535, 538]);

/** Whether the mail server said that it will never take this mail (RFC 5321, section 4.2.1). */
export function isRefusedMail(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode !== 'number' || responseCode < 500) return false;
  return code !== 'EAUTH' && !SIGN_IN_ANSWERS.has(responseCode);
}

/** How long the mail server may take to answer, in milliseconds. */
const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

/** How long a mail that is being sent keeps a server from stopping, in milliseconds: most are taken by then, and sent once. */
const STOP_GRACE_MS = 2_000;

/**
 * Hands a mail over. A mail server that hangs does not keep this one from stopping.
 *
 * @returns whom it was not taken for, of several; undefined where this server stops, and whether it is taken is not known
 * @throws what the mail server or the connection said
 */
export async function sendInTime(
  transport: Pick<MailTransport, 'send'>,
  mail: Mail,
  stopping: AbortSignal,
): Promise<RefusedRecipient[] | undefined> {
  const { promise: isLate, resolve } = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    timer = setTimeout(() => resolve(undefined), STOP_GRACE_MS);
  };
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop);
  return Promise.race([transport.send(mail), isLate]).finally(() => {
    stopping.removeEventListener('abort', stop);
    clearTimeout(timer);
  });
}

/**
 * A mail server by SMTP. TLS is verified and never left out, but on the way to this machine itself: what is mailed signs
 * people in.
 */
export function createMailTransport({
  host,
  port,
  isSecure,
  user,
  password,
  isLocal,
  from,
}: MailConfig): MailTransport {
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: !isLocal,
    ignoreTLS: isLocal && !isSecure,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    // Nothing of a mail is fetched or read from the disk.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html, unsubscribeUrl, messageId }) {
      const { rejectedErrors = [] } = await transport.sendMail({
        from,
        // As objects: an address is never read as a list of them.
        to: (typeof to === 'string' ? [to] : to).map((address) => ({ name: '', address })),
        ...(messageId !== undefined && { messageId: `<${messageId}@${domainOf(from)}>` }),
        subject,
        text,
        html,
        // RFC 3834: nobody's holiday answers to it.
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
      });
      // One that it takes for nobody is an error instead.
      return rejectedErrors.map(({ recipient = '', response, message }) => ({
        address: recipient,
        answer: response ?? message,
      }));
    },
  };
}

/** The domain of an address, with or without a name before it. */
const domainOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'alertdesk';

/** RFC 2369, and RFC 8058 where the address is https, without which no mail program takes one click for it. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  const isOneClick = url.startsWith('https:');
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(isOneClick && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}
