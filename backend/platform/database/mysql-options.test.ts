import { expect, test } from 'vitest';
import { readMysqlUrl } from './mysql-options.ts';

test('an address is read, without TLS unless it asks for that', () => {
  expect(readMysqlUrl('mysql://us%40er:p%3Aw@db.internal/alerts')).toEqual({
    host: 'db.internal',
    port: 3306,
    username: 'us@er',
    password: 'p:w',
    database: 'alerts',
    ssl: undefined,
  });
  expect(readMysqlUrl('mysql://u@[::1]:3307/alerts')).toMatchObject({ host: '::1', port: 3307 });
});

test.each([
  ['ssl-mode=DISABLED', undefined],
  ['ssl-mode=required', { rejectUnauthorized: false, verifyIdentity: false }],
  ['ssl-mode=VERIFY_CA', { rejectUnauthorized: true, verifyIdentity: false }],
  ['ssl-mode=VERIFY_IDENTITY', { rejectUnauthorized: true, verifyIdentity: true }],
  [
    `ssl-mode=VERIFY_CA&ssl-ca=${import.meta.filename}`,
    expect.objectContaining({ ca: expect.stringContaining('ssl-ca') }),
  ],
])('%s', (options, ssl) => {
  expect(readMysqlUrl(`mysql://u@db/alerts?${options}`).ssl).toEqual(ssl);
});

test.each([
  ['ssl=true', 'DATABASE_URL has the option "ssl", but allowed are ssl-mode and ssl-ca, once each.'],
  ['charset=latin1', 'DATABASE_URL has the option "charset", but allowed are'],
  ['ssl-mode=REQUIRED&ssl-mode=DISABLED', 'DATABASE_URL has the option "ssl-mode", but allowed are'],
  ['ssl-mode=PREFERRED', 'has ssl-mode=PREFERRED, but allowed are DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY.'],
  ['ssl-mode=', 'has ssl-mode=, but allowed are DISABLED'],
  ['ssl-ca=/tmp/ca.pem', 'has ssl-ca, which needs ssl-mode=VERIFY_CA or ssl-mode=VERIFY_IDENTITY.'],
  [
    'ssl-mode=VERIFY_CA&ssl-ca=/nowhere/ca.pem',
    'The file /nowhere/ca.pem, which DATABASE_URL names in ssl-ca, cannot be read (ENOENT).',
  ],
])('%s stops the start', (options, sentence) => {
  expect(() => readMysqlUrl(`mysql://u:hunter2@db/alerts?${options}`)).toThrow(sentence);
  expect(() => readMysqlUrl(`mysql://u:hunter2@db/alerts?${options}`)).not.toThrow('hunter2');
});

test('the identity of an IP address cannot be verified', () => {
  expect(() => readMysqlUrl('mysql://u@10.0.0.7/alerts?ssl-mode=VERIFY_IDENTITY')).toThrow('which needs a host name');
});
