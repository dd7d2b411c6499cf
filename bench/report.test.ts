import { expect, test } from 'vitest';
import type { Measurement } from './measurement.ts';
import { formatTable, judgeIngest } from './report.ts';

const run = (perSecond: number, p99: number): Measurement => ({ perSecond, p50: 1, p99, answers: 1, failures: 0 });

test('says what each ratio reaches', () => {
  const verdicts = judgeIngest({
    'no database': [run(20_000, 4)],
    'group commit': [run(13_000, 16)],
    'save() per request': [run(2_500, 90)],
  });
  expect(verdicts.map(({ ratio, reached }) => [ratio, reached])).toEqual([
    [0.65, 'goal'],
    [5.2, 'missed'],
    [4, 'required'],
  ]);
});

test('lines up the columns', () => {
  expect(formatTable(['a', 'bb'], [['long', '1']])).toBe('a     bb\n────  ──\nlong  1');
});
