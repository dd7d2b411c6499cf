import { expect, it } from 'vitest';
import { pauseLabel, tomorrowMorning } from './pause.ts';

const at = (day: number, hours: number, minutes = 0): Date => new Date(2025, 10, day, hours, minutes);

it('pauses until the next morning, which after midnight is today', () => {
  expect(tomorrowMorning(at(21, 14, 15))).toEqual(at(22, 8));
  expect(tomorrowMorning(at(21, 5))).toEqual(at(22, 8));
  expect(tomorrowMorning(at(21, 23, 59))).toEqual(at(22, 8));
  expect(tomorrowMorning(at(22, 1, 30))).toEqual(at(22, 8));
});

it('names the day only from a day on', () => {
  expect(pauseLabel(at(21, 15, 15), at(21, 14, 15))).toBe('3:15 PM');
  expect(pauseLabel(at(22, 0, 15), at(21, 23, 15))).toBe('12:15 AM');
  expect(pauseLabel(at(22, 8), at(21, 14, 15))).toBe('8:00 AM');
  expect(pauseLabel(at(22, 8), at(21, 5))).toBe('Sat 8:00 AM');
  expect(pauseLabel(at(28, 8), at(21, 5))).toBe('Nov 28, 8:00 AM');
});
