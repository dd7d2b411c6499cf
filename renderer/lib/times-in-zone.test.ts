import { expect, test } from 'vitest';
import { shownAt, writeIn } from './times-in-zone.ts';

test.each([
  ['2026-11-21T22:00:00Z', 'UTC', 'Nov 21, 10:00 PM'],
  ['2026-11-21T22:00:00Z', 'Asia/Kolkata', 'Nov 22, 3:30 AM'],
  ['2026-07-01T22:00:00Z', 'Europe/Berlin', 'Jul 2, 12:00 AM'],
])('%s in %s reads %s, whatever the time zone of the reader', (moment, timeZone, text) => {
  expect(writeIn(Date.parse(moment), timeZone, 'MMM d, h:mm a')).toBe(text);
});

test('a moment is a day and a time on clocks of a time zone', () => {
  expect(shownAt(Date.parse('2026-11-21T23:59:30Z'), 'America/New_York')).toEqual({
    date: '2026-11-21',
    time: '18:59',
  });
});
