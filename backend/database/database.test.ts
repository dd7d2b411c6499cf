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
