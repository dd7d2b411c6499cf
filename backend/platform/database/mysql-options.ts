import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { SslOptions } from 'mysql2';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { errorCode } from './driver-errors.ts';

/** Where a MySQL database is, and how to reach it. */
export interface MysqlOptions {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  /** Undefined for a connection without TLS. */
  ssl: SslOptions | undefined;
}

/** As MySQL's own clients name them; PREFERRED would go on without TLS where an attacker asks for that. */
const TLS_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const;

const OPTIONS = ['ssl-mode', 'ssl-ca'];

/**
 * Reads `mysql://user:password@host:port/name?ssl-mode=…&ssl-ca=FILE`, with the option names of MySQL's connection strings
 * (https://dev.mysql.com/doc/refman/8.4/en/connecting-using-uri-or-key-value-pairs.html).
 *
 * @throws {StartError} for an option that is not understood, or a certificate file that cannot be read
 */
export function readMysqlUrl(text: string): MysqlOptions {
  const url = new URL(text);
  // An IPv6 address stands in brackets.
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  return {
    host,
    port: Number(url.port || 3306),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl: readTls(url.searchParams, host),
  };
}

function readTls(options: URLSearchParams, host: string): SslOptions | undefined {
  for (const name of options.keys()) {
    if (!OPTIONS.includes(name) || options.getAll(name).length > 1) {
      throw new StartError(
        `The environment variable DATABASE_URL has the option "${name}", but allowed are ${OPTIONS.join(' and ')}, once each.`,
      );
    }
  }
  const text = options.get('ssl-mode') ?? 'DISABLED';
  const mode = TLS_MODES.find((known) => known === text.toUpperCase());
  if (!mode) {
    throw new StartError(
      `The environment variable DATABASE_URL has ssl-mode=${text}, but allowed are ${TLS_MODES.join(', ')}.`,
    );
  }
  const file = options.get('ssl-ca');
  if (file !== null && !mode.startsWith('VERIFY_')) {
    throw new StartError(
      'The environment variable DATABASE_URL has ssl-ca, which needs ssl-mode=VERIFY_CA or ssl-mode=VERIFY_IDENTITY.',
    );
  }
  if (mode === 'VERIFY_IDENTITY' && isIP(host)) {
    throw new StartError(
      'The environment variable DATABASE_URL has ssl-mode=VERIFY_IDENTITY, which needs a host name instead of an IP address.',
    );
  }
  if (mode === 'DISABLED') return undefined;
  return {
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
    ...(file !== null && { ca: readCertificate(file) }),
  };
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(
      `The file ${file}, which DATABASE_URL names in ssl-ca, cannot be read (${errorCode(error)}).`,
      { cause: error },
    );
  }
}
