import { expect, test } from 'vitest';
import { perDay } from './per-day.ts';

test.each([
  [0, '0'],
  [1, '1 in 7 days'],
  [6, '6 in 7 days'],
  [7, '1 a day'],
  [300, '43 a day'],
  [8_680, '1,240 a day'],
])('%i in a week are "%s"', (notifications, label) => {
  expect(perDay(notifications)).toBe(label);
});
