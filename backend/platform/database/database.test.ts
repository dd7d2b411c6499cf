import type { DataSource } from 'typeorm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase } from './database.ts';
import type { RunTransaction, Transaction } from './transaction.ts';
import { type Dialect, mysqlDialect, sqliteDialect } from './dialect.ts';
import type { DatabaseObserver } from '#backend/platform/metrics/observers.ts';

/** The classes that MySQL names beside these codes. */
const STATES: Record<string, string> = {
  ER_LOCK_DEADLOCK: '40001',
  ER_DUP_ENTRY: '23000',
  ER_NO_SUCH_TABLE: '42S02',
};

const failure = (code: string) => ({
  driverError: Object.assign(new Error(code), { code, ...(code in STATES && { sqlState: STATES[code] }) }),
});

const snapshot = () => expect.unreachable('Nothing here reads a snapshot.');

/** Transactions that end as the test says: the real deadlocks come and go by chance. */
function databaseThat(
  { dialect, observer, isPatient }: { dialect: Dialect; observer?: DatabaseObserver; isPatient?: boolean },
  ...outcomes: (string | undefined)[]
) {
  const attempts: number[] = [];
  const transact: RunTransaction = async (work) => {
    const outcome = outcomes[attempts.length];
    attempts.push(attempts.length + 1);
    const result = await work({} as Transaction);
    if (outcome) throw failure(outcome);
    return result;
  };
  const reader = {} as DataSource;
  const longReads = { query: async () => [] };
  const parts = {
    dialect,
    isPatient,
    transact,
    snapshot,
    longReads,
    reader,
    isDamaged: async () => false,
    close: async () => undefined,
  };
  return { attempts, database: createDatabase(parts, observer) };
}

describe('a transaction that met a deadlock', () => {
  test.each([
    ['on MySQL', mysqlDialect, 'ER_LOCK_DEADLOCK'],
    ['on SQLite', sqliteDialect, 'SQLITE_BUSY_SNAPSHOT'],
  ])('is run again whole %s', async (_where, dialect, code) => {
    const { attempts, database } = databaseThat({ dialect }, code, code);
    expect(await database.transaction(async () => 'done')).toBe('done');
    expect(attempts).toEqual([1, 2, 3]);
  });

  test('is given up after six attempts', async () => {
    const deadlocks = Array.from({ length: 9 }, () => 'ER_LOCK_DEADLOCK');
    const { attempts, database } = databaseThat({ dialect: mysqlDialect }, ...deadlocks);
    await expect(database.transaction(async () => 'done')).rejects.toMatchObject(failure('ER_LOCK_DEADLOCK'));
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each([
    ['is not run again after two seconds, in which its caller has an answer', false, [1]],
    ['is run again however long it took where nobody waits for an answer', true, [1, 2]],
  ])('%s', async (_what, isPatient, expected) => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 3_000));
    onTestFinished(() => void vi.restoreAllMocks());
    const { attempts, database } = databaseThat({ dialect: mysqlDialect, isPatient }, 'ER_LOCK_DEADLOCK');
    await database.transaction(async () => undefined).catch(() => undefined);
    expect(attempts).toEqual(expected);
  });

  test('any other error is reported at once', async () => {
    const { attempts, database } = databaseThat({ dialect: mysqlDialect }, 'ER_DUP_ENTRY');
    await expect(database.transaction(async () => 'done')).rejects.toMatchObject(failure('ER_DUP_ENTRY'));
    expect(attempts).toEqual([1]);
  });
});

/** Runs one whose attempts end as named, and returns what an observer received. */
const observed = async (...outcomes: (string | undefined)[]) => {
  const reported: string[] = [];
  const observer = { ran: () => reported.push('ran'), failed: (kind: string) => reported.push(kind) };
  const { database } = databaseThat({ dialect: mysqlDialect, observer }, ...outcomes);
  await database.transaction(async () => undefined).catch(() => undefined);
  return reported;
};

const refuse = async () => {
  throw new Error('not yours');
};

describe('what is reported of a transaction', () => {
  test.each([
    ['one that is committed', [undefined], ['ran']],
    ['a deadlock, then a commit', ['ER_LOCK_DEADLOCK'], ['ran', 'retried', 'ran']],
    ['a database that is away', ['ECONNREFUSED'], ['ran', 'unavailable']],
    ['what nobody foresaw', ['ER_NO_SUCH_TABLE'], ['ran', 'other']],
    ['a key that exists already, which is for the caller to answer', ['ER_DUP_ENTRY'], ['ran']],
  ])('%s', async (_what, outcomes, reported) => expect(await observed(...outcomes)).toEqual(reported));

  test('a deadlock that stays', async () =>
    expect((await observed(...Array.from({ length: 6 }, () => 'ER_LOCK_DEADLOCK'))).join(' ')).toBe(
      `${'ran retried '.repeat(5)}ran unavailable`,
    ));

  test('an error thrown by the work itself is no error of the database', async () => {
    const failed: string[] = [];
    const observer = { ran: () => undefined, failed: (kind: string) => failed.push(kind) };
    const { database } = databaseThat({ dialect: mysqlDialect, observer });
    await expect(database.transaction(refuse)).rejects.toThrow('not yours');
    expect(failed).toEqual([]);
  });
});

type Refusal = [errno: number, code: string | undefined, sqlState: string];

/** What MySQL's server answers, as mysql2 and TypeORM hand it on. */
const refusal = ([errno, code, sqlState]: Refusal) => ({
  driverError: Object.assign(new Error('refused'), { errno, code, sqlState }),
});

describe('which errors mean that the database is away', () => {
  test.each(['ECONNREFUSED', 'PROTOCOL_CONNECTION_LOST', 'DATABASE_TIMEOUT'])('on MySQL: %s', (code) =>
    expect(mysqlDialect.isUnavailable(failure(code))).toBe(true),
  );
  test.each<Refusal>([
    [1053, 'ER_SERVER_SHUTDOWN', '08S01'],
    [1290, 'ER_OPTION_PREVENTS_STATEMENT', 'HY000'],
    [1047, 'ER_UNKNOWN_COM_ERROR', '08S01'],
    [1180, 'ER_ERROR_DURING_COMMIT', 'HY000'],
    [1021, 'ER_DISK_FULL', 'HY000'],
    [1114, 'ER_RECORD_FILE_FULL', 'HY000'],
    [1317, 'ER_QUERY_INTERRUPTED', '70100'],
    [1142, 'ER_TABLEACCESS_DENIED_ERROR', '42000'],
    [1226, 'ER_USER_LIMIT_REACHED', '42000'],
    // MariaDB's, for which mysql2 has no name, or that of another error.
    [1969, undefined, '70100'],
    [1927, undefined, '70100'],
    [4151, 'ER_BULK_PARSER_INCOMPLETE_ESCAPE_SEQUENCE', 'HY000'],
  ])('on MySQL: %i %s', (...what: Refusal) => expect(mysqlDialect.isUnavailable(refusal(what))).toBe(true));
  test('on MySQL: a connection that is closed', () => {
    const closed = Object.assign(new Error('Can’t add new command when connection is in closed state'), {
      fatal: true,
    });
    expect(mysqlDialect.isUnavailable(closed)).toBe(true);
  });
  test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', 'SQLITE_NOMEM', 'SQLITE_PERM', 'SQLITE_INTERRUPT'])(
    'on SQLite: %s',
    (code) => expect(sqliteDialect.isUnavailable(failure(code))).toBe(true),
  );
  test.each<Refusal>([
    [1062, 'ER_DUP_ENTRY', '23000'],
    [1064, 'ER_PARSE_ERROR', '42000'],
    [1054, 'ER_BAD_FIELD_ERROR', '42S22'],
    [1146, 'ER_NO_SUCH_TABLE', '42S02'],
    [1406, 'ER_DATA_TOO_LONG', '22001'],
    [1364, 'ER_NO_DEFAULT_FOR_FIELD', 'HY000'],
    // One alert's, so that those beside it in a batch are stored.
    [1153, 'ER_NET_PACKET_TOO_LARGE', '08S01'],
  ])('not on MySQL: %i %s', (...what: Refusal) => expect(mysqlDialect.isUnavailable(refusal(what))).toBe(false));
  test.each([failure('SQLITE_ERROR'), failure('SQLITE_CONSTRAINT_UNIQUE'), new Error('other'), 'text', null])(
    'not %j',
    (error) => {
      expect(mysqlDialect.isUnavailable(error)).toBe(false);
      expect(sqliteDialect.isUnavailable(error)).toBe(false);
    },
  );
});
