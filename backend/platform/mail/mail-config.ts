import { z } from 'zod';
import { readAddress } from '#backend/platform/logger/read-address.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** The mail server, and who mails are from. */
export interface MailConfig {
  host: string;
  port: number;
  /** TLS from the first byte on; otherwise by STARTTLS. */
  isSecure: boolean;
  user: string | undefined;
  password: string | undefined;
  /** It is on this machine: nobody listens in between. */
  isLocal: boolean;
  /** An address, or a name with one: `Alertdesk <alerts@example.com>`. */
  from: string;
}

/** What the configuration says about mails. */
export interface MailSettings {
  /** By which server mails are sent, and from whom; undefined for no mails. */
  mail: MailConfig | undefined;
  /** The origin that people use, when set: where links in mails lead. */
  publicUrl: URL | undefined;
}

const smtpUrl = z
  .string()
  .refine((value) => {
    const { protocol = '', hostname, pathname = '', search, hash, username, password } = readAddress(value);
    const isPlain = /^\/?$/.test(pathname) && search === '' && hash === '';
    return /^smtps?:$/.test(protocol) && hostname !== '' && isPlain && (password === '' || username !== '');
  })
  .transform((value) => new URL(value));

/** A name of no special characters, and one address. */
const isSender = (value: string): boolean => {
  const [, address = value] = /^[^<>"@,;:\\\r\n]{1,100}<([^<>]+)>$/.exec(value) ?? [];
  return z.email().max(254).safeParse(address).success;
};

/** Settings with what is allowed, for `readConfig`. */
export const mailVariables = {
  SMTP_URL: [smtpUrl, 'smtp://user:password@host:587, or smtps:// for TLS from the start', undefined],
  MAIL_FROM: [
    z.string().refine(isSender),
    'an e-mail address, or a name with one such as Alertdesk <alerts@example.com>',
    undefined,
  ],
} as const;

const DEFAULT_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * The mail server of these settings; undefined without one.
 *
 * @throws {StartError} when something that mails take is not set
 */
export function readMailConfig(
  url: URL | undefined,
  from: string | undefined,
  publicUrl: URL | undefined,
): MailConfig | undefined {
  if (!url) {
    if (from === undefined) return undefined;
    throw new StartError('The environment variable MAIL_FROM is for mails: set SMTP_URL, too, or leave out MAIL_FROM.');
  }
  const missing = [...(from === undefined ? ['MAIL_FROM'] : []), ...(publicUrl ? [] : ['PUBLIC_URL'])];
  if (from === undefined || !publicUrl) {
    throw new StartError(
      `The environment variable SMTP_URL is set, but mails say who they are from and lead to this server: set ${missing.join(' and ')}, too, or leave out SMTP_URL.`,
    );
  }
  const { protocol, hostname, port, username, password } = url;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
    isSecure: protocol === 'smtps:',
    user: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
    isLocal: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname),
    from,
  };
}
