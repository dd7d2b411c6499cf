import { expect, test } from 'vitest';
import type { LongWork } from '#renderer/lib/long-work.ts';
import { describeLost } from './lost-changes.ts';

const away = new Error('Away.');
const workOf = (left: number, error?: Error): LongWork => ({ left, stop: () => undefined, ...(error && { error }) });

test.each([
  ['nothing', [], [], undefined],
  ['one that failed', [away], [], 'The last change could not be saved. Away.'],
  ['many that failed', [], [workOf(150, away)], '150 changes could not be saved. Away.'],
  ['many that are among what failed', [away], [workOf(150, away)], '150 changes could not be saved. Away.'],
  ['what failed beside many', [new Error('Gone.')], [workOf(150, away)], '151 changes could not be saved. Gone.'],
  ['many without an answer', [], [workOf(1500)], '1,500 changes may not have been saved. The server took too long.'],
  ['one that failed beside many without an answer', [away], [workOf(2)], '3 changes may not have been saved. Away.'],
])('says of %s what became of it', (_what, failures, unfinished, said) => {
  expect(describeLost(failures, unfinished)).toBe(said);
});
