import { tracingVariables } from '#backend/platform/tracing/open-tracing.ts';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { PRODUCT_RELEASES_URL, PRODUCT_SOURCE_URL } from '#backend/contract/product.ts';
import { type MailInSettings, mailInVariables, readMailInConfig } from '#backend/intake/mail/mail-in-config.ts';
import { mailVariables, readMailConfig } from '#backend/platform/mail/mail-config.ts';
import { oidcVariables, readPasswordRule, readOidcProviders } from '#backend/identity/users/oidc-config.ts';
import { parseNetworks } from '#backend/outgoing/destinations/address-rule.ts';
import type { OutgoingConfig } from '#backend/outgoing/open-outgoing.ts';
import { readVapidKeys } from '#backend/outgoing/push/vapid-keys.ts';
import { secretsVariables, readSecretsKeys } from '#backend/platform/secrets/secrets-keys.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { ClusterConfig } from '#backend/platform/cluster/cluster.ts';
import type { DatabaseLocation } from '#backend/platform/database/open-database.ts';
import type { HttpConfig } from '#backend/http/http-config.ts';
import type { LogLevel } from '#backend/platform/logger/logger.ts';
import type { PushConfig } from '#backend/outgoing/push/open-push.ts';
import type { KeyringConfig } from '#backend/platform/secrets/keyring.ts';
import { httpUrl, mysqlUrl, redisAddress } from './address-schemas.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import type { TracingConfig } from '#backend/platform/tracing/tracing.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);

/** A whole number above 0, of so many digits at most. */
const positive = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^(?=.*[1-9])\\d{1,${digits}}$`))
    .transform(Number);

const days = positive(5);

const isIpv6 = (host: string): boolean => isIPv6(host) && URL.canParse(`http://[${host}]`);

/** An IPv6 address without brackets and as browsers write it in `Host`, as `hostNameOf` gives it; any other host as it is. */
const nameOfHost = (host: string): string => {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return isIpv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : host;
};

const hostList = z
  .string()
  .transform((value) => value.split(',').map((host) => nameOfHost(host.trim().toLowerCase())))
  .refine((hosts) => hosts.every((host) => /^[a-z0-9.-]+$/.test(host) || isIpv6(host)));

const isContact = (value: string): boolean =>
  /^mailto:[^@\s]+@[^@\s]+$/.test(value) || (URL.canParse(value) && new URL(value).protocol === 'https:');

/** Each variable with its schema and, for the sentence that refuses a value, what is allowed. */
const variables = {
  HOST: [z.string().regex(/^[A-Za-z0-9.:_-]+$/), 'a host name or an IP address', '127.0.0.1'],
  PORT: [port, 'a whole number from 0 to 65535', '4400'],
  DATA_DIR: [z.string().min(1), 'a path', './data'],
  DATABASE_URL: [mysqlUrl, 'mysql://user:password@host:3306/name', undefined],
  REDIS_URL: [redisAddress, 'redis://user:password@host:6379/0, or rediss:// for TLS', undefined],
  PUBLIC_URL: [
    httpUrl.refine((url) => url.pathname === '/' && url.search === '' && url.hash === ''),
    'an origin such as https://alerts.example.com, without a path',
    undefined,
  ],
  TRUST_PROXY: [
    z
      .string()
      .transform((value) => (value === 'false' ? '0' : value))
      .pipe(z.string().regex(/^\d{1,2}$/))
      .transform(Number),
    'false or the number of proxies in front, 0 to 99',
    'false',
  ],
  ADMIN_EMAIL: [z.email().max(254), 'an e-mail address', 'admin@alertdesk.local'],
  ADMIN_PASSWORD: [
    z.string().refine((value) => value.length >= 6 && Buffer.byteLength(value) <= 72),
    'a password of at least 6 characters and at most 72 bytes',
    undefined,
  ],
  SESSION_SECRET: [z.string().min(32), 'at least 32 characters', undefined],
  VAPID_SUBJECT: [z.string().max(500).refine(isContact), 'a mailto: or https: address', undefined],
  VAPID_PUBLIC_KEY: [z.string().regex(/^B[A-P][\w-]{85}$/), 'a P-256 public key of 65 bytes in base64url', undefined],
  VAPID_PRIVATE_KEY: [z.string().regex(/^[\w-]{43}$/), 'a P-256 private key of 32 bytes in base64url', undefined],
  ALLOWED_HOSTS: [hostList, 'host names and IP addresses separated by commas', undefined],
  OUTGOING: [z.enum(['on', 'off']), 'on or off', 'on'],
  OUTGOING_NETWORKS: [
    z.string().transform((value, context) => {
      try {
        return parseNetworks(value);
      } catch {
        context.addIssue('no networks');
        return z.NEVER;
      }
    }),
    'networks such as 10.0.4.0/24, separated by commas',
    undefined,
  ],
  METRICS_TOKEN: [z.string().regex(/^[\x21-\x7e]{16,}$/), 'at least 16 ASCII characters without spaces', undefined],
  ...secretsVariables,
  ...mailVariables,
  ...mailInVariables,
  ...oidcVariables,
  ...tracingVariables,
  DRAIN_SECONDS: [
    z
      .string()
      .regex(/^[0-5]$/)
      .transform(Number),
    'a whole number of seconds from 0 to 5',
    '1',
  ],
  RETENTION_DAYS: [days, 'a whole number of days from 1 to 99999', undefined],
  ARCHIVE_DIR: [z.string().min(1), 'a path', undefined],
  AUDIT_RETENTION_DAYS: [
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform((value) => Number(value) || undefined),
    'a whole number of days from 1 to 99999, or 0 to delete nothing',
    '365',
  ],
  FORGOTTEN_HOURS: [positive(4), 'a whole number of hours from 1 to 9999', undefined],
  SESSION_MAX_DAYS: [days, 'a whole number of days from 1 to 99999', '90'],
  NAME_RETENTION_DAYS: [days, 'a whole number of days from 1 to 99999', '90'],
  DELIVERY_LOG_MB: [positive(7), 'a whole number of megabytes from 1 to 9999999', '1024'],
  RELEASES_URL: [httpUrl, 'an address that begins with https:// or http://', PRODUCT_RELEASES_URL],
  SOURCE_URL: [httpUrl, 'an address that begins with https:// or http://', PRODUCT_SOURCE_URL],
  WORKERS: [
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .refine((value) => value >= 1 && value <= 16),
    'a whole number from 1 to 16',
    '1',
  ],
  AUDIT_STREAM: [z.enum(['off', 'stdout']), 'off or stdout', 'off'],
  LOG_LEVEL: [z.enum(['debug', 'info', 'warn', 'error']), 'debug, info, warn or error', 'info'],
} as const satisfies Record<string, readonly [z.ZodType, string, string | undefined]>;

type Variables = typeof variables;

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(variables);

/** Values that may not appear in a message. */
const SECRET = new Set<string>([
  'ADMIN_PASSWORD',
  'SESSION_SECRET',
  'VAPID_PRIVATE_KEY',
  'SECRETS_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'METRICS_TOKEN',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
]);

/** What the server runs with: validated environment variables (docs/configuration.md). Each module says what it takes. */
export interface Config
  extends
    IdentityConfig,
    HttpConfig,
    OutgoingConfig,
    MailInSettings,
    PushConfig,
    ClusterConfig,
    KeyringConfig,
    DatabaseLocation {
  /** Signs CSRF tokens and device cookies; undefined for a generated one. */
  sessionSecret: string | undefined;
  /** Where traces are sent, and which; undefined for none. */
  tracing: TracingConfig | undefined;
  /** On stop the server is not ready, but answers, for so many seconds. */
  drainSeconds: number;
  /** Completed alerts are deleted so many days after their last change; undefined keeps them. */
  retentionDays: number | undefined;
  /** Absolute path of the folder in which they are kept before; undefined for none. */
  archiveDir: string | undefined;
  /** Accepted alerts return to the inbox when their owner has not touched them for so many hours; undefined keeps them. */
  forgottenHours: number | undefined;
  /** Entries of the audit trail, and the history of deleted alerts, are deleted after so many days; undefined keeps them. */
  auditRetentionDays: number | undefined;
  /** Customers and alert types are forgotten so many days after an alert last named them, unless a member decided on them. */
  nameRetentionDays: number;
  /** What the delivery log may take, in bytes: the oldest deliveries of the source that takes most go first. */
  deliveryLogBytes: number;
  /** Where each entry of the audit trail is written besides the database, as a line of JSON. */
  auditStream: 'off' | 'stdout';
  logLevel: LogLevel;
  /** How many processes share the port. More than one have a `databaseUrl` and a `redisUrl`. */
  workers: number;
}

/**
 * Reads the configuration from environment variables. An empty value counts as absent.
 *
 * @throws {StartError} naming the variable, its value (secrets excepted) and what is allowed.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const read = <N extends keyof Variables>(name: N): z.output<Variables[N][0]> | undefined => {
    const [schema, allowed, fallback] = variables[name];
    const value = environment[name] || fallback;
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data as z.output<Variables[N][0]>;
    const shown = SECRET.has(name) ? 'a value that is not shown' : `the value "${value}"`;
    throw new StartError(`The environment variable ${name} has ${shown}, but allowed is ${allowed}.`);
  };
  const required = <N extends keyof Variables>(name: N) => read(name) as z.output<Variables[N][0]>;
  const [databaseUrl, redisUrl] = [read('DATABASE_URL'), read('REDIS_URL')];
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  // The only protocol that is spoken: traces would get lost silently with another.
  if (endpoint) required('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (redisUrl !== undefined && databaseUrl === undefined) {
    throw new StartError(
      'The environment variable REDIS_URL is for several servers on one MySQL or MariaDB database: set DATABASE_URL, too, or leave out REDIS_URL.',
    );
  }
  const archiveDir = read('ARCHIVE_DIR');
  if (archiveDir !== undefined && read('RETENTION_DAYS') === undefined) {
    throw new StartError(
      'The environment variable ARCHIVE_DIR is for alerts that RETENTION_DAYS deletes: set RETENTION_DAYS, too, or leave out ARCHIVE_DIR.',
    );
  }
  const [workers, oidcProviders] = [required('WORKERS'), readOidcProviders(read('OIDC_FILE'), read('PUBLIC_URL'))];
  if (workers > 1 && redisUrl === undefined) {
    const missing = databaseUrl === undefined ? 'DATABASE_URL and REDIS_URL' : 'REDIS_URL';
    throw new StartError(
      `The environment variable WORKERS has the value "${workers}", but several workers share a MySQL or MariaDB database and a Redis: set ${missing}, too, or leave out WORKERS.`,
    );
  }
  const isSending = required('OUTGOING') === 'on';
  return {
    host: required('HOST'),
    port: required('PORT'),
    dataDir: resolve(required('DATA_DIR')),
    databaseUrl,
    redisUrl,
    publicUrl: read('PUBLIC_URL'),
    trustedProxies: required('TRUST_PROXY'),
    adminEmail: required('ADMIN_EMAIL'),
    adminPassword: read('ADMIN_PASSWORD'),
    sessionSecret: read('SESSION_SECRET'),
    sessionMaxMs: required('SESSION_MAX_DAYS') * 24 * 60 * 60 * 1000,
    secretsKeys: readSecretsKeys(read('SECRETS_KEY'), read('SECRETS_KEY_FILE')),
    vapidSubject: read('VAPID_SUBJECT') ?? `mailto:${required('ADMIN_EMAIL')}`,
    vapidKeys: readVapidKeys(read('VAPID_PUBLIC_KEY'), read('VAPID_PRIVATE_KEY')),
    allowedHosts: read('ALLOWED_HOSTS'),
    isSending,
    outgoingNetworks: read('OUTGOING_NETWORKS') ?? [],
    metricsToken: read('METRICS_TOKEN'),
    mail: isSending ? readMailConfig(read('SMTP_URL'), read('MAIL_FROM'), read('PUBLIC_URL')) : undefined,
    mailIn: readMailInConfig(
      {
        SMTP_PORT: read('SMTP_PORT'),
        SMTP_HOST: read('SMTP_HOST'),
        SMTP_DOMAIN: read('SMTP_DOMAIN'),
        SMTP_MAX_MB: read('SMTP_MAX_MB'),
        SMTP_TLS_CERT: read('SMTP_TLS_CERT'),
        SMTP_TLS_KEY: read('SMTP_TLS_KEY'),
      },
      required('HOST'),
      read('PUBLIC_URL'),
    ),
    oidcProviders,
    ...readPasswordRule(required('PASSWORD_SIGN_IN'), read('BREAK_GLASS_ADMIN'), oidcProviders),
    tracing: endpoint && {
      endpoint,
      headers: read('OTEL_EXPORTER_OTLP_HEADERS') ?? {},
      serviceName: required('OTEL_SERVICE_NAME'),
      sampler: required('OTEL_TRACES_SAMPLER'),
      ratio: required('OTEL_TRACES_SAMPLER_ARG'),
    },
    drainSeconds: required('DRAIN_SECONDS'),
    retentionDays: read('RETENTION_DAYS'),
    archiveDir: archiveDir === undefined ? undefined : resolve(archiveDir),
    forgottenHours: read('FORGOTTEN_HOURS'),
    auditRetentionDays: read('AUDIT_RETENTION_DAYS'),
    nameRetentionDays: required('NAME_RETENTION_DAYS'),
    deliveryLogBytes: required('DELIVERY_LOG_MB') * 1024 * 1024,
    releasesUrl: required('RELEASES_URL'),
    sourceUrl: required('SOURCE_URL'),
    auditStream: required('AUDIT_STREAM'),
    logLevel: required('LOG_LEVEL'),
    workers,
  };
}
