import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayText, scheduleSentence, spanText } from './schedule-sentence.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-30T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

/** The sentence of a window at 10 PM (UTC) of a Saturday. */
const sentence = (rrule: string | null, minutes: number, startsAt = '2026-11-28T22:00:00.000Z'): string =>
  scheduleSentence({ startsAt, minutes, timeZone: 'UTC', rrule });

test.each([
  ['FREQ=DAILY', 60, 'Every day from 10:00 PM to 11:00 PM, UTC.'],
  ['FREQ=DAILY', 180, 'Every day from 10:00 PM for 3 h, UTC.'],
  ['FREQ=WEEKLY;BYDAY=SA', 60, 'Every Saturday from 10:00 PM to 11:00 PM, UTC.'],
  ['FREQ=WEEKLY;BYDAY=SA', 180, 'Every Saturday from 10:00 PM to Sunday 1:00 AM, UTC.'],
  ['FREQ=WEEKLY;BYDAY=MO,FR', 180, 'Every Monday and Friday from 10:00 PM for 3 h, UTC.'],
  ['FREQ=WEEKLY;BYDAY=SU,FR,MO', 180, 'Every Monday, Friday and Sunday from 10:00 PM for 3 h, UTC.'],
  ['FREQ=WEEKLY;BYDAY=SA', 2_880, 'Every Saturday from 10:00 PM for 2 d, UTC.'],
  ['FREQ=WEEKLY;BYDAY=SA;UNTIL=20270131', 60, 'Every Saturday from 10:00 PM to 11:00 PM, until Jan 31, 2027, UTC.'],
])('%s for %i minutes', (rrule, minutes, text) => expect(sentence(rrule, minutes)).toBe(text));

test.each([
  [null, 'Once from Sat, Nov 28, 10:00 PM to 11:00 PM, UTC.'],
  ['FREQ=MONTHLY;BYDAY=2TU', 'Every month on the second Tuesday from 10:00 PM to 11:00 PM, UTC.'],
  [
    'FREQ=MONTHLY;BYDAY=1MO,-1FR',
    'Every month on the first Monday and the last Friday from 10:00 PM to 11:00 PM, UTC.',
  ],
])('%s within a day', (rrule, text) => expect(sentence(rrule, 60)).toBe(text));

test('a window on another day than that of its date ends on the day after that one', () => {
  expect(sentence('FREQ=WEEKLY;BYDAY=SU', 180)).toBe('Every Sunday from 10:00 PM to Monday 1:00 AM, UTC.');
  expect(sentence('FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;COUNT=3', 180)).toBe(
    'Every 2 weeks on Wednesday from 10:00 PM to Thursday 1:00 AM, 3 times, UTC.',
  );
});

test('a day of another year has its year, by the clocks of the window', () => {
  expect(sentence(null, 180, '2026-12-31T22:00:00.000Z')).toBe(
    'Once from Thu, Dec 31, 10:00 PM to Fri, Jan 1, 2027, 1:00 AM, UTC.',
  );
  const at = Date.parse('2026-12-31T23:30:00Z');
  expect([dayText(at, 'UTC'), dayText(at, 'Europe/Berlin')]).toEqual(['Thu, Dec 31', 'Fri, Jan 1, 2027']);
  expect(spanText(at, at + 24 * 3_600_000, 'UTC')).toBe('11:30 PM – Fri, Jan 1, 2027, 11:30 PM');
});
