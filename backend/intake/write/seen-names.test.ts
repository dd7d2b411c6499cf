import { expect, test } from 'vitest';
import { type SeenAlert, createSeenNames } from './seen-names.ts';

const alert = (customer: string | null, receivedAt: number, alertType: string | null = null): SeenAlert => ({
  customer,
  alertType,
  receivedAt,
});

test('names are due once, in order, with the last time seen', () => {
  const { dueIn } = createSeenNames();
  expect(dueIn([alert('b', 1_000, 'disk'), alert(null, 1_001), alert('a', 1_002), alert('b', 1_003)])).toEqual({
    customers: [
      ['a', 1_002],
      ['b', 1_003],
    ],
    types: [['disk', 1_000]],
  });
});

test('what was written is due again after a while, and what was not written at once', () => {
  const { dueIn, noteWritten } = createSeenNames();
  dueIn([alert('rolled back', 1_000)]);
  noteWritten(dueIn([alert('a', 1_000)]));
  expect(dueIn([alert('a', 1_249), alert('rolled back', 1_001)]).customers).toEqual([['rolled back', 1_001]]);
  expect(dueIn([alert('a', 1_249), alert('a', 1_250)]).customers).toEqual([['a', 1_250]]);
});

test('a clock that was set back does not keep names from being written', () => {
  const { dueIn, noteWritten } = createSeenNames();
  noteWritten(dueIn([alert('a', 5_000_000)]));
  expect(dueIn([alert('a', 1_000)]).customers).toEqual([['a', 1_000]]);
});

test('names without end are not remembered without end', () => {
  const { dueIn, noteWritten } = createSeenNames();
  noteWritten(dueIn(Array.from({ length: 10_000 }, (_, index) => alert(String(index), 1_000))));
  expect(dueIn([alert('0', 1_000), alert('9999', 1_000)]).customers).toEqual([]);
  noteWritten(dueIn([alert('one more', 1_000)]));
  expect(dueIn([alert('0', 1_000), alert('one more', 1_000)]).customers).toEqual([['0', 1_000]]);
});
