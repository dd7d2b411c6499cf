import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** How emails are received. */
export interface MailInConfig {
  /** The address to listen on. */
  host: string;
  port: number;
  /** The part behind the @ of every source's address, in lower case. */
  domain: string;
  /** What one message may have with its attachments, in bytes. */
  maxBytes: number;
  /** The certificate with its chain and the key, PEM, for STARTTLS; undefined for plain text only. */
  tls: { cert: string; key: string } | undefined;
}

/** What the configuration says about emails that are received. */
export interface MailInSettings {
  /** Undefined where no email is received. */
  mailIn: MailInConfig | undefined;
}

const domain = z
  .string()
  .max(180)
  .toLowerCase()
  .regex(/^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/);

/** Settings with what is allowed, for `readConfig`. */
export const mailInVariables = {
  SMTP_PORT: [
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((value) => value <= 65_535),
    'a whole number from 1 to 65535, or 0 to receive no emails',
    undefined,
  ],
  SMTP_HOST: [z.string().regex(/^[A-Za-z0-9.:_-]+$/), 'a host name or an IP address', undefined],
  SMTP_DOMAIN: [domain, 'a domain such as alerts.example.com', undefined],
  SMTP_MAX_MB: [
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .refine((value) => value >= 1 && value <= 50),
    'a whole number of megabytes from 1 to 50',
    undefined,
  ],
  SMTP_TLS_CERT: [z.string().min(1), 'the path of a PEM file with the certificate and its chain', undefined],
  SMTP_TLS_KEY: [z.string().min(1), 'the path of a PEM file with the key of the certificate', undefined],
} as const;

const DEFAULT_MAX_MB = 10;

/** The settings as they were read, each with its own bounds. */
export interface MailInVariables {
  SMTP_PORT: number | undefined;
  SMTP_HOST: string | undefined;
  SMTP_DOMAIN: string | undefined;
  SMTP_MAX_MB: number | undefined;
  SMTP_TLS_CERT: string | undefined;
  SMTP_TLS_KEY: string | undefined;
}

/**
 * How emails are received by these settings; undefined while SMTP_PORT is not set, or is 0.
 *
 * @param host where the web app listens
 * @throws {StartError} when settings do not go together, or the certificate cannot be read
 */
export function readMailInConfig(
  read: MailInVariables,
  host: string,
  publicUrl: URL | undefined,
): MailInConfig | undefined {
  const { SMTP_PORT: port, ...others } = read;
  if (port === undefined) {
    const [set] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (set === undefined) return undefined;
    throw new StartError(
      `The environment variable ${set} is for receiving emails: set SMTP_PORT, too, or leave out ${set}.`,
    );
  }
  if (port === 0) return undefined;
  const parsed = domain.safeParse(publicUrl?.hostname ?? '');
  const ownDomain = read.SMTP_DOMAIN ?? (parsed.success ? parsed.data : undefined);
  if (ownDomain === undefined) {
    throw new StartError(
      'The environment variable SMTP_PORT is set, but the addresses of sources need a domain: set SMTP_DOMAIN, too, or leave out SMTP_PORT.',
    );
  }
  return {
    host: read.SMTP_HOST ?? host,
    port,
    domain: ownDomain,
    maxBytes: (read.SMTP_MAX_MB ?? DEFAULT_MAX_MB) * 1024 * 1024,
    tls: readTls(read.SMTP_TLS_CERT, read.SMTP_TLS_KEY),
  };
}

function readTls(certFile: string | undefined, keyFile: string | undefined): MailInConfig['tls'] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    const [set, missing] =
      certFile === undefined ? ['SMTP_TLS_KEY', 'SMTP_TLS_CERT'] : ['SMTP_TLS_CERT', 'SMTP_TLS_KEY'];
    throw new StartError(`The environment variable ${set} is set: set ${missing}, too, or leave out ${set}.`);
  }
  const tls = { cert: readPem('SMTP_TLS_CERT', certFile), key: readPem('SMTP_TLS_KEY', keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new StartError(
      'The files of SMTP_TLS_CERT and SMTP_TLS_KEY cannot be used for TLS: they must be a certificate and its own key, in PEM and without a passphrase.',
      { cause: error },
    );
  }
  return tls;
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`The file ${file} of ${name} cannot be read.`, { cause: error });
  }
}
