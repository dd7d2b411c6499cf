import { expect, test } from 'vitest';
import { SETTING_NAMES } from './config.ts';
import { findMisspelled } from './misspelled-settings.ts';

const meantBy = (environment: Record<string, string>) => findMisspelled(environment, SETTING_NAMES);

test.each([
  ['RETENTION_DAY', 'RETENTION_DAYS'],
  ['RETENTOIN_DAYS', 'RETENTION_DAYS'],
  ['retention_days', 'RETENTION_DAYS'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['ADMIN_PASSWD', 'ADMIN_PASSWORD'],
  ['ALERTDESK_PORT', 'PORT'],
  ['ALERTDESK_DATA_DIR', 'DATA_DIR'],
])('%s is taken for a misspelled %s', (variable, meant) => {
  expect(meantBy({ [variable]: '30' })).toEqual([{ variable, meant }]);
});

test('a setting that is set, too, an empty variable, and what Kubernetes sets are not', () => {
  expect(meantBy({ RETENTION_DAY: '30', RETENTION_DAYS: '60' })).toEqual([]);
  expect(meantBy({ RETENTION_DAY: '' })).toEqual([]);
  expect(meantBy({ ALERTDESK_PORT: 'tcp://10.0.0.7:4400', ALERTDESK_PORT_4400_TCP_PORT: '4400' })).toEqual([]);
  expect(meantBy(Object.fromEntries(SETTING_NAMES.map((name) => [name, '1'])))).toEqual([]);
});

test.each([
  [
    'a shell',
    'HOME HOSTNAME HOSTS HOSTTYPE LANG LOGNAME MAIL MAILTO OLDPWD PATH PWD SHELL TERM TMPDIR USER XDG_DATA_DIRS',
  ],
  ['a service', 'INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET STATE_DIRECTORY SYSTEMD_EXEC_PID NODE_ENV NODE_OPTIONS TZ'],
  ['a database beside it', 'DB_HOST DB_PORT MYSQL_HOST MYSQL_URL MARIADB_DATABASE POSTGRES_URL REDIS_HOST REDIS_PORT'],
  [
    'mail and proxies',
    'SMTP_USER SMTP_PASS SMTP_PASSWORD SMTP_SECURE MAIL_TO HTTP_PROXY HTTPS_PROXY NO_PROXY PUBLIC_IP',
  ],
  [
    'OpenTelemetry',
    'OTEL_EXPORTER_OTLP_TIMEOUT OTEL_METRICS_EXPORTER OTEL_SERVICE_VERSION OTEL_LOG_LEVEL OTEL_SDK_DISABLED',
  ],
  [
    'the product',
    'ALERTDESK_EMAIL ALERTDESK_PASSWORD ALERTDESK_SETTINGS ALERTDESK_TOKEN ALERTDESK_LAUNCHED ALERTDESK_WORKER',
  ],
])('variables of %s are not', (_, names) => {
  expect(meantBy(Object.fromEntries(names.split(' ').map((name) => [name, 'value'])))).toEqual([]);
});
