import { expect, test } from 'vitest';
import { judgeIngest } from './measure-ingest.ts';
import type { Measurement } from './measurement.ts';
import { formatTable, judge, verdictRow } from './report.ts';

const run = (perSecond: number, p99: number, server: number, database = 0): Measurement => ({
  perSecond,
  p50: 1,
  p99,
  answers: 1,
  failures: 0,
  cpu: { server, database },
});

test('says what each ratio reaches', () => {
  const measured = {
    'bare Koa': [run(20_000, 4, 40)],
    'Koa that stores': [run(15_000, 8, 48)],
    'group commit': [run(13_000, 16, 60, 20)],
    'save() per request': [run(2_500, 90, 200)],
  };
  const judged = (database: 'SQLite' | 'MariaDB') =>
    judgeIngest(database, measured).map(({ value, reached }) => [value, reached]);
  expect(judged('SQLite')).toEqual([
    [1.5, 'goal'],
    [1.25, 'required'],
    [0.65, 'required'],
    [5.2, 'missed'],
    [4, 'missed'],
  ]);
  expect(judged('MariaDB')).toEqual([
    [1.5, 'goal'],
    [0.5, 'goal'],
    [0.65, 'goal'],
    [5.2, 'required'],
    [4, 'missed'],
  ]);
});

test('a limit that is an upper bound is met by smaller values', () => {
  const delay = { name: 'delay', unit: 'ms', required: 50, goal: 25, isAtLeast: false } as const;
  expect([25, 25.1, 50.1].map((value) => judge(delay, value).reached)).toEqual(['goal', 'required', 'missed']);
  expect(verdictRow('SQLite', judge(delay, 31.25))).toEqual([
    'SQLite',
    'delay',
    '31.3 ms',
    'must 50 ms, goal 25 ms',
    'required',
  ]);
});

test('lines up the columns', () => {
  expect(formatTable(['a', 'bb'], [['long', '1']])).toBe('a     bb\n────  ──\nlong  1');
});
