import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES, readConfig } from './config.ts';
import { PRODUCT_RELEASES_URL, PRODUCT_SOURCE_URL } from '#backend/contract/product.ts';

test('everything has a default', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 4400,
    dataDir: `${process.cwd()}/data`,
    databaseUrl: undefined,
    publicUrl: undefined,
    trustedProxies: 0,
    adminEmail: 'admin@alertdesk.local',
    adminPassword: undefined,
    allowedHosts: undefined,
    metricsToken: undefined,
    retentionDays: undefined,
    archiveDir: undefined,
    nameRetentionDays: 90,
    workers: 1,
    releasesUrl: new URL(PRODUCT_RELEASES_URL),
    sourceUrl: new URL(PRODUCT_SOURCE_URL),
    auditStream: 'off',
    logLevel: 'info',
  });
});

const withTraces = (more: Record<string, string>) => () =>
  readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', ...more });

test('traces are sent where OpenTelemetry’s variables say so', () => {
  expect(readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).tracing).toBeUndefined();
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }).tracing).toEqual({
    endpoint: new URL('http://collector:4318'),
    headers: {},
    serviceName: 'alertdesk',
    sampler: 'always_on',
    ratio: 1,
  });
  expect(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b==, x-team=ops',
      OTEL_SERVICE_NAME: 'desk',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }).tracing,
  ).toMatchObject({
    headers: { 'api-key': 'a b==', 'x-team': 'ops' },
    serviceName: 'desk',
    sampler: 'traceidratio',
    ratio: 0.25,
  });
  expect(withTraces({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
    'OTEL_EXPORTER_OTLP_PROTOCOL has the value "grpc"',
  );
  expect(withTraces({ OTEL_EXPORTER_OTLP_HEADERS: 'secret' })).toThrow('a value that is not shown');
  expect(withTraces({ OTEL_TRACES_SAMPLER: 'jaeger_remote' })).toThrow('always_on, always_off or traceidratio');
  expect(withTraces({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow('a number from 0 to 1');
});

test('an empty value counts as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4400, databaseUrl: undefined });
});

test('values are read as what they mean', () => {
  expect(
    readConfig({
      PORT: '0',
      TRUST_PROXY: '2',
      PUBLIC_URL: 'https://alerts.example.com',
      ALLOWED_HOSTS: 'Alerts.example.com, localhost',
      DATABASE_URL: 'mysql://user:p%40ss@db.internal:3307/alerts',
      METRICS_TOKEN: 'sixteen-letters!',
      RETENTION_DAYS: '30',
      ARCHIVE_DIR: '/mnt/archive',
      FORGOTTEN_HOURS: '72',
      NAME_RETENTION_DAYS: '7',
      RELEASES_URL: 'http://intranet/alertdesk/releases?channel=stable',
    }),
  ).toMatchObject({
    port: 0,
    trustedProxies: 2,
    publicUrl: new URL('https://alerts.example.com'),
    allowedHosts: ['alerts.example.com', 'localhost'],
    databaseUrl: 'mysql://user:p%40ss@db.internal:3307/alerts',
    metricsToken: 'sixteen-letters!',
    retentionDays: 30,
    archiveDir: '/mnt/archive',
    forgottenHours: 72,
    nameRetentionDays: 7,
    releasesUrl: new URL('http://intranet/alertdesk/releases?channel=stable'),
  });
});

describe('a wrong value stops the start with one sentence', () => {
  test.each([
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '80a', 'a whole number from 0 to 65535'],
    ['HOST', 'a b', 'a host name or an IP address'],
    ['PUBLIC_URL', 'alerts.example.com', 'an origin'],
    ['PUBLIC_URL', 'https://example.com/alerts', 'an origin'],
    ['TRUST_PROXY', 'true', 'false or the number of proxies'],
    ['ADMIN_EMAIL', 'admin', 'an e-mail address'],
    ['ALLOWED_HOSTS', 'a,,b', 'host names and IP addresses separated by commas'],
    ['VAPID_SUBJECT', 'admin@example.com', 'a mailto: or https: address'],
    ['VAPID_SUBJECT', 'http://example.com', 'a mailto: or https: address'],
    ['VAPID_PUBLIC_KEY', 'BAAA', 'a P-256 public key of 65 bytes in base64url'],
    ['DRAIN_SECONDS', '6', 'a whole number of seconds from 0 to 5'],
    ['NAME_RETENTION_DAYS', '0', 'a whole number of days from 1 to 99999'],
    ['NAME_RETENTION_DAYS', 'never', 'a whole number of days from 1 to 99999'],
    ['FORGOTTEN_HOURS', '0', 'a whole number of hours from 1 to 9999'],
    ['RETENTION_DAYS', '0', 'a whole number of days from 1 to 99999'],
    ['RETENTION_DAYS', '1.5', 'a whole number of days from 1 to 99999'],
    ['RETENTION_DAYS', '-7', 'a whole number of days from 1 to 99999'],
    ['AUDIT_RETENTION_DAYS', '-1', 'a whole number of days from 1 to 99999, or 0 to delete nothing'],
    ['AUDIT_RETENTION_DAYS', 'never', 'a whole number of days from 1 to 99999, or 0 to delete nothing'],
    ['WORKERS', '0', 'a whole number from 1 to 16'],
    ['WORKERS', '17', 'a whole number from 1 to 16'],
    ['WORKERS', 'auto', 'a whole number from 1 to 16'],
    ['RELEASES_URL', 'javascript:alert(1)', 'an address that begins with https:// or http://'],
    ['SOURCE_URL', 'github.com/alertdesk', 'an address that begins with https:// or http://'],
    ['LOG_LEVEL', 'verbose', 'debug, info, warn or error'],
  ])('%s=%s', (name, value, allowed) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} has the value "${value}", but allowed is ${allowed}`);
  });

  test.each([
    ['ADMIN_PASSWORD', 'short'],
    ['ADMIN_PASSWORD', 'ü'.repeat(37)],
    ['SESSION_SECRET', 'too short to be secret'],
    ['VAPID_PRIVATE_KEY', 'too-short-for-32-bytes'],
    ['METRICS_TOKEN', 'fifteen-letters'],
    ['METRICS_TOKEN', 'no header can hold this: ü'],
    ['DATABASE_URL', 'postgres://user:hunter2@db/alerts'],
    ['DATABASE_URL', 'mysql://user:hunter2@db'],
    ['DATABASE_URL', 'mysql://user:hunter%2@db/alerts'],
    ['REDIS_URL', 'redis://user:hunter%2@cache'],
    ['REDIS_URL', 'http://user:hunter2@cache'],
    ['REDIS_URL', 'redis://user:hunter2@cache/name'],
    ['REDIS_URL', 'redis://user:hunter2@cache/0?tls=hunter2'],
  ])('%s, which is not shown', (name, value) => {
    const sentence = new RegExp(
      `^The environment variable ${name} has a value that is not shown, but allowed is .*\\.$`,
    );
    expect(() => readConfig({ [name]: value })).toThrow(sentence);
    expect(() => readConfig({ [name]: value })).not.toThrow(value);
  });
});

const makePair = () => {
  const curve = createECDH('prime256v1');
  const publicKey = curve.generateKeys('base64url');
  const short = curve.getPrivateKey();
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32 - short.length), short]).toString('base64url') };
};
const readPair = (publicKey?: string, privateKey?: string) =>
  readConfig({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey });

describe('the keys for web push', () => {
  test('are read as a pair', () => {
    const pair = makePair();
    expect(readPair(pair.publicKey, pair.privateKey).vapidKeys).toEqual(pair);
    expect(readPair().vapidKeys).toBeUndefined();
  });

  test('are not taken alone, nor from two pairs, nor when they are no keys; the private one is never shown', () => {
    const [pair, other] = [makePair(), makePair()];
    expect(() => readPair(pair.publicKey)).toThrow(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are a pair: set both or none.',
    );
    expect(() => readPair(undefined, pair.privateKey)).toThrow('set both or none.');
    expect(() => readPair(pair.publicKey, other.privateKey)).toThrow(/is not the public key of VAPID_PRIVATE_KEY\.$/);
    expect(() => readPair(pair.publicKey, other.privateKey)).not.toThrow(other.privateKey);
    expect(() => readPair(pair.publicKey, 'A'.repeat(43))).toThrow('is not the public key of VAPID_PRIVATE_KEY.');
  });

  test('have the administrator as contact, unless another is named', () => {
    expect(readConfig({ ADMIN_EMAIL: 'boss@example.com' }).vapidSubject).toBe('mailto:boss@example.com');
    expect(readConfig({ VAPID_SUBJECT: 'https://example.com/ops' }).vapidSubject).toBe('https://example.com/ops');
  });
});

test.each([
  ['SMTP_URL', 'http://mail.example.com', 'a value that is not shown'],
  ['SMTP_URL', 'smtp://user:secret@mail.example.com/path', 'a value that is not shown'],
  ['SMTP_URL', 'mail.example.com', 'a value that is not shown'],
  ['SMTP_URL', 'smtp://user:50%off@mail.example.com', 'a value that is not shown'],
  ['SMTP_URL', 'smtp://50%off@mail.example.com', 'a value that is not shown'],
  ['MAIL_FROM', 'nobody', 'the value "nobody"'],
  ['MAIL_FROM', 'A <a@example.com>, B <b@example.com>', 'the value "A <a@example.com>, B <b@example.com>"'],
])('%s is not %s', (name, value, shown) => {
  const settings = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://a.example' };
  expect(() => readConfig({ ...settings, [name]: value })).toThrow(`The environment variable ${name} has ${shown}`);
});

const RECEIVING = { SMTP_PORT: '25', PUBLIC_URL: 'https://alerts.example.com' };

test('emails are received with SMTP_PORT alone, at the host of PUBLIC_URL', () => {
  expect(readConfig({}).mailIn).toBeUndefined();
  expect(readConfig({ SMTP_PORT: '0' }).mailIn).toBeUndefined();
  expect(readConfig(RECEIVING).mailIn).toEqual({
    host: '127.0.0.1',
    port: 25,
    domain: 'alerts.example.com',
    maxBytes: 10 * 1024 * 1024,
    tls: undefined,
  });
  const set = { ...RECEIVING, SMTP_HOST: '0.0.0.0', SMTP_DOMAIN: 'In.Example.com', SMTP_MAX_MB: '2' };
  expect(readConfig(set).mailIn).toMatchObject({
    host: '0.0.0.0',
    domain: 'in.example.com',
    maxBytes: 2 * 1024 * 1024,
  });
});

test.each([
  [{ SMTP_PORT: '25' }, 'the addresses of sources need a domain: set SMTP_DOMAIN, too'],
  [{ SMTP_PORT: '25', PUBLIC_URL: 'http://127.0.0.1:4400' }, 'set SMTP_DOMAIN, too'],
  [{ SMTP_DOMAIN: 'a.example' }, 'SMTP_DOMAIN is for receiving emails: set SMTP_PORT, too'],
  [{ ...RECEIVING, SMTP_TLS_CERT: '/cert.pem' }, 'SMTP_TLS_CERT is set: set SMTP_TLS_KEY, too'],
  [{ ...RECEIVING, SMTP_TLS_KEY: '/key.pem' }, 'SMTP_TLS_KEY is set: set SMTP_TLS_CERT, too'],
  [
    { ...RECEIVING, SMTP_TLS_CERT: '/missing', SMTP_TLS_KEY: '/missing' },
    'The file /missing of SMTP_TLS_CERT cannot be read',
  ],
  [
    { ...RECEIVING, SMTP_TLS_CERT: import.meta.filename, SMTP_TLS_KEY: import.meta.filename },
    'cannot be used for TLS: they must be a certificate and its own key',
  ],
  [{ ...RECEIVING, SMTP_PORT: '70000' }, 'SMTP_PORT has the value "70000"'],
  [{ ...RECEIVING, SMTP_DOMAIN: 'a b' }, 'SMTP_DOMAIN has the value "a b"'],
  [{ ...RECEIVING, SMTP_MAX_MB: '51' }, 'SMTP_MAX_MB has the value "51"'],
])('%j is refused: %s', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

test('docs/configuration.md has a row for every setting, and for no other', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual(SETTING_NAMES.toSorted());
});

test('REDIS_URL is for several servers on one database that is not embedded', () => {
  const redisUrl = 'rediss://user:hunter2@cache:6380/3';
  expect(() => readConfig({ REDIS_URL: redisUrl })).toThrow(
    'The environment variable REDIS_URL is for several servers on one MySQL or MariaDB database: set DATABASE_URL, too, or leave out REDIS_URL.',
  );
  const databaseUrl = 'mysql://user:password@db/alerts';
  expect(readConfig({ REDIS_URL: redisUrl, DATABASE_URL: databaseUrl })).toMatchObject({ redisUrl, databaseUrl });
});

describe('several workers', () => {
  const urls = { DATABASE_URL: 'mysql://user:password@db/alerts', REDIS_URL: 'redis://cache' };

  test('have a database and a Redis that they share', () => {
    expect(readConfig({ WORKERS: '16', ...urls }).workers).toBe(16);
    expect(readConfig({ WORKERS: '1' }).workers).toBe(1);
  });

  test.each([
    [{}, 'DATABASE_URL and REDIS_URL'],
    [{ DATABASE_URL: urls.DATABASE_URL }, 'REDIS_URL'],
  ])('are refused with %o alone', (environment, missing) => {
    expect(() => readConfig({ WORKERS: '2', ...environment })).toThrow(
      `The environment variable WORKERS has the value "2", but several workers share a MySQL or MariaDB database and a Redis: set ${missing}, too, or leave out WORKERS.`,
    );
  });
});
