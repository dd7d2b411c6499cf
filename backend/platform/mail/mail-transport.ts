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
  /** Names the mail where it may be sent twice; default: another name each time. */
  messageId?: string;
}

/** Hands mails over to a mail server. */
export interface MailTransport {
  /** Resolves once the server has taken it. @throws what the server or the connection said */
  send(mail: Mail): Promise<void>;
}

/** How long the mail server may take to answer, in milliseconds. */
const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

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
      await transport.sendMail({
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
