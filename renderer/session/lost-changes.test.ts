import { expect, test } from 'vitest';
import type { LongWork } from '#renderer/lib/long-work.ts';
import { describeLost } from './lost-changes.ts';

const away = new Error('Away.');
const workOf = (left: number, error?: Error): LongWork => ({ left, stop: () => undefined, ...(error && { error }) });

test.each([
  ['nothing', [], [], 0, undefined],
  ['one that failed', [away], [], 0, 'The last change could not be saved. Away.'],
  ['many that failed', [], [workOf(150, away)], 0, '150 changes could not be saved. Away.'],
  ['many that are among what failed', [away], [workOf(150, away)], 0, '150 changes could not be saved. Away.'],
  ['what failed beside many', [new Error('Gone.')], [workOf(150, away)], 0, '151 changes could not be saved. Gone.'],
  ['two deletions without an answer', [], [], 2, '2 changes may not have been saved. The server took too long.'],
  ['many that failed beside a deletion', [], [workOf(150, away)], 1, '151 changes may not have been saved. Away.'],
  ['many without an answer', [], [workOf(1500)], 0, '1,500 changes may not have been saved. The server took too long.'],
  [
    'many without an answer beside a deletion',
    [],
    [workOf(1500)],
    1,
    '1,501 changes may not have been saved. The server took too long.',
  ],
  ['one that failed beside many without an answer', [away], [workOf(2)], 0, '3 changes may not have been saved. Away.'],
])('says of %s what became of it', (_what, failures, unfinished, unanswered, said) => {
  expect(describeLost(failures, unfinished, unanswered)).toBe(said);
});
