import type { DataSource, EntityManager } from 'typeorm';
import { describe, expect, test } from 'vitest';
import { createDatabase } from '#backend/database/database.ts';
import { mysqlDialect, sqliteDialect } from '#backend/database/dialect.ts';

const failure = (code: string) => ({ driverError: Object.assign(new Error(code), { code }) });

/** A source whose transactions end as the test says: the real deadlocks come and go by chance. */
function sourceThat(...outcomes: (string | undefined)[]) {
  const attempts: number[] = [];
  const transaction = async (work: (tx: EntityManager) => Promise<unknown>) => {
    const outcome = outcomes[attempts.length];
    attempts.push(attempts.length + 1);
    const result = await work({} as EntityManager);
    if (outcome) throw failure(outcome);
    return result;
  };
  return { attempts, source: { transaction } as unknown as DataSource };
}

describe('a transaction that met a deadlock', () => {
  test.each([
    ['on MySQL', mysqlDialect, 'ER_LOCK_DEADLOCK'],
    ['on SQLite', sqliteDialect, 'SQLITE_BUSY_SNAPSHOT'],
  ])('is run again whole %s', async (_where, dialect, code) => {
    const { attempts, source } = sourceThat(code, code);
    const database = createDatabase({ writer: source, reader: source, dialect });
    expect(await database.transaction(async () => 'done')).toBe('done');
    expect(attempts).toEqual([1, 2, 3]);
  });

  test('is given up after three attempts', async () => {
    const { attempts, source } = sourceThat(...Array.from({ length: 9 }, () => 'ER_LOCK_DEADLOCK'));
    const database = createDatabase({ writer: source, reader: source, dialect: mysqlDialect });
    await expect(database.transaction(async () => 'done')).rejects.toMatchObject(failure('ER_LOCK_DEADLOCK'));
    expect(attempts).toEqual([1, 2, 3]);
  });

  test('any other error is told at once', async () => {
    const { attempts, source } = sourceThat('ER_DUP_ENTRY');
    const database = createDatabase({ writer: source, reader: source, dialect: mysqlDialect });
    await expect(database.transaction(async () => 'done')).rejects.toMatchObject(failure('ER_DUP_ENTRY'));
    expect(attempts).toEqual([1]);
  });
});

/** Runs one whose attempts end as named, and says what an observer heard. */
const observed = async (...outcomes: (string | undefined)[]) => {
  const { source } = sourceThat(...outcomes);
  const heard: string[] = [];
  const observer = { ran: () => heard.push('ran'), failed: (kind: string) => heard.push(kind) };
  const database = createDatabase({ writer: source, reader: source, dialect: mysqlDialect }, observer);
  await database.transaction(async () => undefined).catch(() => undefined);
  return heard;
};

const refuse = async () => {
  throw new Error('not yours');
};

describe('what is told of a transaction', () => {
  test.each([
    ['one that is committed', [undefined], ['ran']],
    ['a deadlock, then a commit', ['ER_LOCK_DEADLOCK'], ['ran', 'retried', 'ran']],
    ['a database that is away', ['ECONNREFUSED'], ['ran', 'unavailable']],
    ['what nobody foresaw', ['ER_NO_SUCH_TABLE'], ['ran', 'other']],
    ['a key that exists already, which is for the caller to answer', ['ER_DUP_ENTRY'], ['ran']],
  ])('%s', async (_what, outcomes, heard) => expect(await observed(...outcomes)).toEqual(heard));

  test('a deadlock that stays', async () =>
    expect((await observed('ER_LOCK_DEADLOCK', 'ER_LOCK_DEADLOCK', 'ER_LOCK_DEADLOCK')).join(' ')).toBe(
      'ran retried ran retried ran unavailable',
    ));

  test('a refusal by the work itself is no error of the database', async () => {
    const { source } = sourceThat(undefined);
    const failed: string[] = [];
    const observer = { ran: () => undefined, failed: (kind: string) => failed.push(kind) };
    const database = createDatabase({ writer: source, reader: source, dialect: mysqlDialect }, observer);
    await expect(database.transaction(refuse)).rejects.toThrow('not yours');
    expect(failed).toEqual([]);
  });
});

describe('which errors mean that the database is away', () => {
  test.each(['ECONNREFUSED', 'PROTOCOL_CONNECTION_LOST', 'ER_SERVER_SHUTDOWN', 'ER_OPTION_PREVENTS_STATEMENT'])(
    'on MySQL: %s',
    (code) => expect(mysqlDialect.isUnavailable(failure(code))).toBe(true),
  );
  test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY'])('on SQLite: %s', (code) =>
    expect(sqliteDialect.isUnavailable(failure(code))).toBe(true),
  );
  test.each([failure('ER_DUP_ENTRY'), failure('SQLITE_CONSTRAINT_UNIQUE'), new Error('other'), 'text', null])(
    'not %j',
    (error) => {
      expect(mysqlDialect.isUnavailable(error)).toBe(false);
      expect(sqliteDialect.isUnavailable(error)).toBe(false);
    },
  );
});
