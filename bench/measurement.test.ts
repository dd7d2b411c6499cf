import { expect, test } from 'vitest';
import { BODY_BYTES, alertBodies } from './alert-bodies.ts';
import { type Measurement, median, medianRatio, percentile, summarize } from './measurement.ts';

/** One run at a rate, with a p99 and failures. */
const run = (perSecond: number, p99: number, failures: number): Measurement => ({
  perSecond,
  p50: 1,
  p99,
  answers: 10,
  failures,
});

test('the median is the middle value, or the mean of the middle two', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow('There is no median of nothing.');
});

test('a percentile is one of the values', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect([50, 99, 100].map((percent) => percentile(values, percent))).toEqual([100, 198, 200]);
  expect(percentile([7], 99)).toBe(7);
  expect(() => percentile([], 99)).toThrow('There is no percentile of nothing.');
});

test('summarizes figure by figure and adds up failures', () => {
  expect(summarize([run(100, 9, 0), run(300, 1, 1), run(200, 5, 0)])).toEqual({
    perSecond: 200,
    p50: 1,
    p99: 5,
    answers: 30,
    failures: 1,
  });
});

test('takes ratios round by round', () => {
  expect(medianRatio([50, 10, 60], [100, 20, 90])).toBe(0.5);
});

test('every body has the size of the requirement', () => {
  expect(new Set(alertBodies().map((body) => Buffer.byteLength(body)))).toEqual(new Set([BODY_BYTES]));
});
