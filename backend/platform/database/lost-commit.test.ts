import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { mysqlDialect, sqliteDialect } from './dialect.ts';
import { transactKnowingly } from './lost-commit.ts';
import type { Transaction } from './transaction.ts';

const LOST = Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
const WRONG = Object.assign(new Error('wrong'), { code: 'ER_PARSE_ERROR', sqlState: '42000' });

/** A database each of whose transactions runs, and then throws what stands in the list, if anything does. */
function failing(dialect: Database['dialect'], ...ends: (Error | undefined)[]) {
  let runs = 0;
  const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    runs += 1;
    const result = await work({} as Transaction);
    const end = ends.shift();
    if (end) throw end;
    return result;
  };
  return { database: { dialect, transaction } as Pick<Database, 'dialect' | 'transaction'>, runs: () => runs };
}

const never = new AbortController().signal;
const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test.each<[string, Parameters<typeof failing>, boolean, unknown, number]>([
  ['is answered', [mysqlDialect], true, 'done', 1],
  ['is not answered, and stored', [mysqlDialect, LOST], true, 'done', 2],
  ['is not answered, and not stored', [mysqlDialect, LOST], false, LOST, 2],
  ['is not answered, nor is the first question', [mysqlDialect, LOST, LOST], true, 'done', 3],
  ['is not answered, and the question is refused', [mysqlDialect, LOST, WRONG], true, LOST, 2],
  ['is refused', [mysqlDialect, WRONG], true, WRONG, 1],
  ['fails on the embedded database, whose answers are not lost', [sqliteDialect, LOST], true, LOST, 1],
])('a commit that %s', async (_, ends, isThere, expected, runs) => {
  const { database, runs: ran } = failing(...ends);
  const isStored = async (__: Transaction, result: string) => isThere && result === 'done';
  expect(await outcome(transactKnowingly(database, async () => 'done', isStored, never))).toBe(expected);
  expect(ran()).toBe(runs);
});

test('work that fails before its commit is not asked about', async () => {
  const { database, runs } = failing(mysqlDialect);
  const fails = () => Promise.reject(LOST);
  expect(await outcome(transactKnowingly(database, fails, async () => true, never))).toBe(LOST);
  expect(runs()).toBe(1);
});

test('a stop ends the questions with the error of the commit', async () => {
  const stopping = AbortSignal.abort();
  const { database, runs } = failing(mysqlDialect, LOST);
  expect(
    await outcome(
      transactKnowingly(
        database,
        async () => 'done',
        async () => true,
        stopping,
      ),
    ),
  ).toBe(LOST);
  expect(runs()).toBe(1);
});
