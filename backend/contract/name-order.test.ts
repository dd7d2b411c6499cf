import { expect, test } from 'vitest';
import { byName } from './name-order.ts';

test('names stand as people look for them: whatever the case and accents, numbers by their value', () => {
  const names = ['zebra', 'Ébène', 'host 10', 'apple', 'Zoo', 'host 9', 'Apple', 'ember'];
  expect(names.toSorted(byName)).toEqual(['Apple', 'apple', 'Ébène', 'ember', 'host 9', 'host 10', 'zebra', 'Zoo']);
});

test('names that differ at all have one order, whichever comes first', () => {
  for (const [one, other] of [
    ['a', 'A'],
    ['e\u0301', '\u00E9'],
    ['01', '1'],
  ] as const)
    expect([[one, other].toSorted(byName), byName(one, one)]).toEqual([[other, one].toSorted(byName), 0]);
});
