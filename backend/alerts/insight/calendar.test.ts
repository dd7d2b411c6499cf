import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#backend/contract/insight.ts';
import { WEEK_HOURS, calendarOf, createFinder, hoursOf, weekHourOf } from './calendar.ts';

const HOUR_MS = 60 * 60 * 1000;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** What a clock on a wall shows, by the platform's own formatting. */
function clockOf(moment: number, timeZone: string): { date: string; weekHour: number } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  }).formatToParts(moment);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    date: `${of('year')}-${of('month')}-${of('day')}`,
    weekHour: WEEKDAYS.indexOf(of('weekday')) * 24 + Number(of('hour')),
  };
}

/** Zones of half hours and quarters, without midnights, with changes at midnight and by half an hour. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Havana',
  'America/Sao_Paulo',
  'Asia/Amman',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];
const zones = fc.constantFrom(...ZONES, ...Intl.supportedValuesOf('timeZone'));
/** Until 2011 Newfoundland and Labrador set their clocks back at a minute past midnight: part of a day came twice, after the next had begun. */
const dates = fc
  .date({ min: new Date('2012-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('days begin and end, and hours are those of the week, as clocks on the wall show', () => {
  fc.assert(
    fc.property(
      zones,
      dates,
      fc.nat(60),
      fc.array(fc.nat(1_000_000), { maxLength: 30 }),
      (zone, from, more, places) => {
        const { dates: days, starts, offsets } = calendarOf(from, addDays(from, more), zone);
        const [first = 0] = starts;
        const last = starts.at(-1) ?? 0;
        expect(starts).toEqual(starts.toSorted((one, other) => one - other));
        const dayOf = createFinder(starts);
        const offsetOf = createFinder(offsets.map((offset) => offset.from));
        const edges = starts.slice(0, -1).flatMap((start, at) => [start, (starts[at + 1] ?? 0) - 1]);
        const between = places.map((place) => first + Math.floor(((last - first) * place) / 1_000_001));
        for (const moment of [...edges, ...between]) {
          if (moment < first || moment >= last) continue;
          const clock = clockOf(moment, zone);
          const ahead = offsets[offsetOf(moment)]?.ahead ?? 0;
          expect([zone, moment, days[dayOf(moment)], weekHourOf(moment + ahead)]).toEqual([
            zone,
            moment,
            clock.date,
            clock.weekHour,
          ]);
        }
        expect(clockOf(first - 1, zone).date).not.toBe(from);
      },
    ),
    { numRuns: 100 },
  );
});

test.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Pacific/Apia', '2011-12-30', 0],
  ['Asia/Kolkata', '2026-03-29', 24],
])('in %s the day %s has %d hours', (zone, date, hours) => {
  const calendar = calendarOf(date, date, zone);
  expect(((calendar.starts[1] ?? 0) - (calendar.starts[0] ?? 0)) / HOUR_MS).toBe(hours);
  expect(hoursOf(calendar, Infinity).reduce((sum, some) => sum + some, 0)).toBe(hours);
});

test('an hour that clocks repeat counts twice, one that they leave out not at all', () => {
  const sunday = 6 * 24 + 2;
  expect(hoursOf(calendarOf('2026-10-25', '2026-10-25', 'Europe/Berlin'), Infinity)[sunday]).toBe(2);
  expect(hoursOf(calendarOf('2026-03-29', '2026-03-29', 'Europe/Berlin'), Infinity)[sunday]).toBe(0);
});

test('hours that have not passed do not count', () => {
  const calendar = calendarOf('2026-11-16', '2026-11-22', 'UTC');
  const hours = hoursOf(calendar, Date.parse('2026-11-16T01:30:00Z'));
  expect(hours).toHaveLength(WEEK_HOURS);
  expect(hours.slice(0, 3)).toEqual([1, 0.5, 0]);
  expect(hours.slice(2).every((some) => some === 0)).toBe(true);
});
