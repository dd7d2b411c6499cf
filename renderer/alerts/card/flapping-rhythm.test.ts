import { expect, test } from 'vitest';
import type { Flapping } from '#backend/contract/flapping.ts';
import { flappingLine, rhythmPath } from './flapping-rhythm.ts';

const NOW = new Date('2026-11-27T12:30:00Z');
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 27, 12, 0, minute * 60)).toISOString();

const flapping = (turns: readonly number[], isOpen: boolean, withinMinutes = 30): Flapping => ({
  since: at(0),
  withinMinutes,
  isOpen,
  turns: turns.map(at),
});
/** Opens and closes it again and again, so many minutes apart, up to a minute. */
const every = (minutes: number, count: number, end = 30): number[] =>
  Array.from({ length: count }, (_, index) => end - (count - 1 - index) * minutes);

test('says how often it opened in its time, and at which pace', () => {
  expect(flappingLine(flapping(every(1, 28), false), NOW)).toBe('14 times in 30 min, about every 2 min');
  expect(flappingLine(flapping(every(0.25, 13), true), NOW)).toBe('7 times in 30 min, about every 30 s');
  expect(flappingLine(flapping(every(0.1, 60), true), NOW)).toBe('Over 30 times in 30 min, about every 12 s');
  expect(flappingLine(flapping(every(45, 9), true, 240), new Date(at(30)))).toBe('3 times in 4 h, about every 1 h');
});

test('counts what is not too old by now, and says when nothing is left', () => {
  const known = flapping(every(1, 28), false);
  expect(flappingLine(known, new Date(at(56)))).toBe('Twice in 30 min, about every 2 min');
  expect(flappingLine(known, new Date(at(58.5)))).toBe('Once in 30 min');
  expect(flappingLine(known, new Date(at(70)))).toBe('Closed for 30 min');
  expect(flappingLine(flapping([0, 1, 2], true), new Date(at(40)))).toBe('Open for 30 min');
});

test('draws up for open, over its whole time, and begins as it was before', () => {
  expect(rhythmPath(flapping([0, 15, 30], true), NOW)).toBe('M0 11H0V1H70V11H140V1H140');
  expect(rhythmPath(flapping([15], false), NOW)).toBe('M0 1H70V11H140');
  // What is older than its time is at the edge, and nothing lies ahead of now.
  expect(rhythmPath(flapping([-5, 40], true), NOW)).toBe('M0 1H0V11H140V1H140');
});
