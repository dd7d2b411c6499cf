import { expect, it } from 'vitest';
import { scheduleText } from './heartbeat-labels.ts';

it.each([
  [30, 'Every 30 s'],
  [60, 'Every minute'],
  [300, 'Every 5 min'],
  [3_600, 'Hourly'],
  [86_400, 'Daily'],
])('an interval of %i seconds reads %s', (everySeconds, text) =>
  expect(scheduleText({ kind: 'interval', everySeconds })).toBe(text),
);

it('reads a cron expression of every minute in the same words', () =>
  expect(scheduleText({ kind: 'cron', expression: '* * * * *', timeZone: 'UTC' })).toBe('Every minute'));
