import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sqliteDialect } from './dialect.ts';
import { type LongReadThread, openLongReads } from './long-read-thread.ts';

/** Counts to so many, which takes a while. */
const counting = (to: number) =>
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to}) SELECT COUNT(*) AS found FROM numbers`;

let folder: string;
let writer: BetterSqlite3.Database;
let reads: LongReadThread;
let failed: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alertdesk-test-'));
  const file = join(folder, 'some.sqlite');
  writer = new BetterSqlite3(file);
  writer.pragma('journal_mode = WAL');
  writer.exec("CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('Grün'), ('blau')");
  failed = [];
  reads = openLongReads(file, (_error, sql) => failed.push(sql));
});
afterEach(async () => {
  await reads.close();
  writer.close();
  await rm(folder, { recursive: true });
});

test('a long read leaves the event loop to others', async () => {
  await reads.query('SELECT 1');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  // On this thread there would be no turn at all.
  expect(await reads.query(counting(2_000_000))).toEqual([{ found: 2_000_000 }]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

test('what was committed is read, with the functions of every connection', async () => {
  const { sql, values } = sqliteDialect.contains(['word'], ['GRÜ']);
  writer.exec("INSERT INTO words VALUES ('GRÜN')");
  expect(await reads.query(`SELECT word FROM words WHERE ${sql}`, values)).toEqual([
    { word: 'Grün' },
    { word: 'GRÜN' },
  ]);
});

test('a file is attached for as long as none or another one is asked for', async () => {
  const [one, other] = ['one', 'other'].map((name) => join(folder, `${name}.sqlite`));
  for (const [at, file] of [one, other].entries()) {
    const attached = new BetterSqlite3(file);
    attached.exec(`CREATE TABLE numbers (number INTEGER); INSERT INTO numbers VALUES (${at})`);
    attached.close();
  }
  const sql = 'SELECT number FROM search.numbers';
  expect(await reads.query(sql, [], one)).toEqual([{ number: 0 }]);
  expect(await reads.query(sql)).toEqual([{ number: 0 }]);
  expect(await reads.query(sql, [], other)).toEqual([{ number: 1 }]);
  await expect(reads.query(sql, [], null)).rejects.toThrow('no such table: search.numbers');
  // What cannot be attached keeps no other read from being made.
  await expect(reads.query(sql, [], join(folder, 'none', 'any.sqlite'))).rejects.toMatchObject({
    code: 'SQLITE_CANTOPEN',
  });
  expect(await reads.query('SELECT COUNT(*) AS found FROM words')).toEqual([{ found: 2 }]);
});

test('nothing is written, and an error has its code', async () => {
  await expect(reads.query('SELECT * FROM nothing')).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
  await expect(reads.query("INSERT INTO words VALUES ('rot') RETURNING word")).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  });
  expect(failed).toHaveLength(2);
  expect(await reads.query('SELECT COUNT(*) AS found FROM words')).toEqual([{ found: 2 }]);
});

test('reads that wait for a thread that ends are refused as those of a busy database, and the next one starts another', async () => {
  // A thread that is stopped while it loads native code ends the whole process: about one of 400 that were just starting.
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => terminate.mockRestore());
  const waiting = [reads.query(counting(50_000_000)), reads.query('SELECT 1')];
  const refused = Promise.allSettled(waiting);
  await reads.close();
  expect(terminate).not.toHaveBeenCalled();
  const [first, second] = await refused;
  for (const result of [first, second]) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_BUSY' } });
    expect(sqliteDialect.isUnavailable((result as PromiseRejectedResult).reason)).toBe(true);
  }
  expect(await reads.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('no more than 64 wait', async () => {
  const waiting = Array.from({ length: 64 }, (_, one) => reads.query<{ one: number }>('SELECT ? AS one', [one]));
  await expect(reads.query('SELECT 1')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  expect((await Promise.all(waiting)).map(([row]) => row?.one)).toEqual(waiting.map((_, one) => one));
});
