import { expect, test } from 'vitest';
import { errorCode, isFullDisk, isOneOf } from './driver-errors.ts';

/** As TypeORM wraps a driver's error. */
const wrapped = (driverError: unknown) => Object.assign(new Error('QueryFailedError'), { driverError });

test.each<[string, unknown, string]>([
  ['a driver', { code: 'SQLITE_BUSY' }, 'SQLITE_BUSY'],
  ['a driver, wrapped twice', wrapped(wrapped({ code: 'ER_DUP_ENTRY' })), 'ER_DUP_ENTRY'],
  [
    'a wrapper of itself',
    Object.assign(new Error('x'), {
      get driverError() {
        return this;
      },
      code: 'EPIPE',
    }),
    'EPIPE',
  ],
  ['MariaDB without a name', wrapped({ errno: 1969, sqlState: '70100' }), 'MYSQL_1969'],
  ['a file system, which has numbers, too', { errno: -28, code: 'ENOSPC' }, 'ENOSPC'],
  ['a number of something else', { errno: -28 }, ''],
  ['no driver', new Error('other'), ''],
  ['no error', 'text', ''],
  ['nothing', null, ''],
])('the code of %s', (_, error, code) => {
  expect(errorCode(error)).toBe(code);
});

test('a code that ends in * stands for all that begin so, and for no error without a code', () => {
  const isCorrupt = isOneOf(['SQLITE_CORRUPT*', 'SQLITE_NOTADB']);
  const codes = ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB', 'SQLITE_NOTADB_X', 'SQLITE_CORRUP', ''];
  expect(codes.map((code) => isCorrupt({ code }))).toEqual([true, true, true, false, false, false]);
  expect(isOneOf(['*'])({})).toBe(false);
});

test('a full disk is found in the causes of an error', () => {
  const full = wrapped({ code: 'SQLITE_FULL' });
  expect(isFullDisk(new Error('the backup failed', { cause: new Error('writing', { cause: full }) }))).toBe(true);
  expect(isFullDisk(new Error('the backup failed', { cause: { code: 'ENOENT' } }))).toBe(false);
});
