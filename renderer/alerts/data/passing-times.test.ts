import { expect, test } from 'vitest';
import { timesOf } from './passing-times.ts';

test.each([
  ['from:today', '2026-11-29T22:59:50Z', '2026-11-29T23:00:05Z', 'Europe/Berlin'],
  ['from:mon to:today', '2026-11-29T23:59:50Z', '2026-11-30T00:00:05Z', 'UTC'],
  ['from:4h', '2026-11-29T12:00:50Z', '2026-11-29T12:01:05Z', 'UTC'],
])('what %s means changes between %s and %s in %s', (search, before, after, timeZone) => {
  expect(timesOf({ search, timeZone }, new Date(after))).not.toBe(timesOf({ search, timeZone }, new Date(before)));
});

test.each([
  ['from:today', '2026-11-29T00:00:05Z', '2026-11-29T22:59:50Z'],
  ['from:4h', '2026-11-29T12:00:05Z', '2026-11-29T12:00:50Z'],
  ['from:2026-11-21', '2026-11-29T12:00:00Z', '2026-12-29T12:00:00Z'],
  ['disk', '2026-11-29T12:00:00Z', '2026-12-29T12:00:00Z'],
])('what %s means is the same at %s and at %s', (search, before, after) => {
  const view = { search, timeZone: 'UTC' };
  expect(timesOf(view, new Date(after))).toBe(timesOf(view, new Date(before)));
});
