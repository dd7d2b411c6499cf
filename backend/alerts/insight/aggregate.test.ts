import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { timesOf } from './aggregate.ts';

test('median and ninetieth percentile are those of the sorted durations, by nearest rank', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { minLength: 1, maxLength: 2_000, size: 'max' }), (durations) => {
      const sorted = durations.toSorted((one, other) => one - other);
      expect(timesOf(durations)).toEqual({
        alerts: sorted.length,
        median: sorted[Math.ceil(sorted.length * 0.5) - 1],
        ninetieth: sorted[Math.ceil(sorted.length * 0.9) - 1],
      });
    }),
  );
  expect(timesOf([])).toEqual({ alerts: 0, median: null, ninetieth: null });
});
