import { assert, constant, constantFrom, integer, oneof, property, tuple, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utcOffsetAt } from '#backend/contract/search-times.ts';
import { RepeatRuleError, parseRepeatRule } from './repeat-rule.ts';
import { type Schedule, firstAfterClockChange, nextSpans, overlapsItself, pastSpan, spansOf } from './schedule.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/** Thirty zones: both hemispheres, half and quarter hours, clocks that are set at midnight or by half an hour, and none. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Moscow',
  'Europe/Dublin',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Havana',
  'America/Santiago',
  'America/Asuncion',
  'America/Sao_Paulo',
  'America/Phoenix',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Apia',
];

const when = (text: string): number => Date.parse(text);
const wall = (at: number, timeZone: string): string =>
  new Date(at + utcOffsetAt(at, timeZone)).toISOString().slice(0, 16);
const starts = (schedule: Schedule, count = 4): string[] =>
  nextSpans(schedule, schedule.startsAt, count).map(({ startsAt }) => wall(startsAt, schedule.timeZone));

const sunday: Schedule = {
  startsAt: when('2026-11-29T21:00:00Z'),
  minutes: 180,
  timeZone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;BYDAY=SU',
};

/** Rules of which it is simple to say whether a day is theirs. */
const rules = oneof(
  tuple(constant('DAILY'), integer({ min: 1, max: 4 })),
  tuple(constant('WEEKLY'), integer({ min: 1, max: 3 })),
  tuple(constant('MONTHLY'), integer({ min: 1, max: 3 })),
);
const weekdays = uniqueArray(constantFrom(...DAYS), { minLength: 1, maxLength: 4 });

/** Whether a day is a time of a rule, from the RFC and by arithmetic of days alone. */
function isDayOf(frequency: string, interval: number, byDay: readonly string[], day: number, first: number): boolean {
  const date = new Date(day);
  const start = new Date(first);
  const isWeekday = byDay.includes(DAYS[date.getUTCDay()] ?? '');
  if (frequency === 'DAILY') return isWeekday && ((day - first) / DAY) % interval === 0;
  if (frequency === 'WEEKLY') {
    const monday = first - ((start.getUTCDay() + 6) % 7) * DAY;
    return isWeekday && Math.floor((day - monday) / (7 * DAY)) % interval === 0;
  }
  const months = (date.getUTCFullYear() - start.getUTCFullYear()) * 12 + date.getUTCMonth() - start.getUTCMonth();
  return isWeekday && months % interval === 0;
}

/** Draws rules, and compares their times within a year with what the rule says of each day. */
const wrongTimesIn = (timeZone: string) =>
  property(
    rules,
    weekdays,
    integer({ min: 0, max: 364 }),
    integer({ min: 0, max: 1439 }),
    integer({ min: 1, max: 1439 }),
    ([frequency, interval], byDay, dayOfYear, minuteOfDay, minutes) => {
      const startsAt = when('2026-01-01T00:00:00Z') + dayOfYear * DAY + minuteOfDay * MINUTE;
      const rrule = `FREQ=${frequency};INTERVAL=${interval};BYDAY=${byDay.join(',')}`;
      const spans = nextSpans({ startsAt, minutes, timeZone, rrule }, startsAt, 400);
      const local = startsAt + utcOffsetAt(startsAt, timeZone);
      const hour = local % DAY;
      const first = local - hour;
      const days = Array.from({ length: 365 }, (_, day) => first + day * DAY);
      const expected = days.filter((day) => isDayOf(frequency, interval, byDay, day, first));
      const wrong = expected.filter((day, index) => {
        const span = spans[index];
        const wanted = new Date(day + hour).toISOString().slice(0, 16);
        return !span || span.endsAt - span.startsAt !== minutes * MINUTE || !beginsAt(span.startsAt, wanted, timeZone);
      });
      expect(wrong).toEqual([]);
    },
  );

/** Whether clocks show a time at a moment, or leave it out just before. */
const beginsAt = (at: number, wanted: string, timeZone: string): boolean => {
  const shown = wall(at, timeZone);
  return shown === wanted || (shown > wanted && wall(at - MINUTE, timeZone) < wanted);
};

describe('the times of a window', () => {
  it('is on at no other minute of a year than its rule says, in thirty time zones', () => {
    for (const timeZone of ZONES) assert(wrongTimesIn(timeZone), { numRuns: 2 });
    expect(ZONES).toHaveLength(30);
  });

  it('keeps its hour and its length when clocks are set for the summer', () => {
    const change = firstAfterClockChange(sunday, sunday.startsAt);
    expect(change && wall(change.startsAt, 'Europe/Berlin')).toBe('2027-03-28T22:00');
    const night = { ...sunday, startsAt: when('2027-03-27T00:00:00Z'), rrule: 'FREQ=DAILY' };
    const [, over] = nextSpans(night, night.startsAt, 2);
    expect(over && [wall(over.startsAt, 'Europe/Berlin'), wall(over.endsAt, 'Europe/Berlin')]).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T05:00',
    ]);
  });

  it('begins at the jump where clocks leave its hour out, and at the first of two', () => {
    const half = { ...sunday, startsAt: when('2027-03-27T01:30:00Z'), rrule: 'FREQ=DAILY' };
    expect(starts(half, 2)).toEqual(['2027-03-27T02:30', '2027-03-28T03:00']);
    const back = { ...sunday, startsAt: when('2027-10-30T00:30:00Z'), rrule: 'FREQ=DAILY' };
    expect(nextSpans(back, back.startsAt, 2)[1]?.startsAt).toBe(when('2027-10-31T00:30:00Z'));
  });

  it.each([
    ['FREQ=WEEKLY;BYDAY=SU', ['2026-11-29', '2026-12-06', '2026-12-13', '2026-12-20']],
    ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2', ['2026-12-01', '2026-12-08']],
    ['FREQ=DAILY;UNTIL=20261130', ['2026-11-29', '2026-11-30']],
    ['FREQ=DAILY;UNTIL=20261130T210000Z', ['2026-11-29', '2026-11-30']],
    ['FREQ=DAILY;UNTIL=20261130T215959', ['2026-11-29']],
    ['FREQ=MONTHLY;BYDAY=2TU', ['2026-12-08', '2027-01-12', '2027-02-09', '2027-03-09']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', ['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', ['2026-11-30', '2026-12-31', '2027-01-29', '2027-02-26']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', ['2028-02-29', '2032-02-29', '2036-02-29', '2040-02-29']],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', ['2027-11-25', '2028-11-23', '2029-11-22', '2030-11-28']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', []],
    ['FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31', []],
  ])('repeats by %s', (rrule, days) => {
    expect(starts({ ...sunday, rrule }).map((shown) => shown.slice(0, 10))).toEqual(days);
  });

  it.each([
    // The first Tuesday after the beginning is none of its times.
    ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', '2026-07-06', ['2026-07-14', '2026-08-11', '2026-09-08', '2026-10-13']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,TH;BYSETPOS=-2', '2024-07-01', ['2024-07-29', '2024-08-27', '2024-09-26', '2024-10-29']],
    ['FREQ=YEARLY;BYMONTH=7,6;BYMONTHDAY=-1,1', '2026-12-29', ['2027-06-01', '2027-06-30', '2027-07-01', '2027-07-31']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29,-2', '2027-08-20', ['2028-02-28', '2028-02-29', '2029-02-27', '2030-02-27']],
  ])('repeats by %s from %s on', (rrule, from, days) => {
    const startsAt = when(`${from}T12:00:00Z`);
    expect(starts({ ...sunday, startsAt, rrule }).map((shown) => shown.slice(0, 10))).toEqual(days);
  });

  it.each([
    ['FREQ=HOURLY', 'FREQ takes DAILY, WEEKLY, MONTHLY or YEARLY.'],
    ['every sunday', '“EVERY SUNDAY” is not a part such as FREQ=WEEKLY.'],
    ['FREQ=DAILY;BYMONTHDAY=31', 'BYMONTHDAY cannot be used with FREQ=DAILY.'],
    ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY takes days such as MO,FR.'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'Days with numbers, such as 1MO, cannot be used with FREQ=WEEKLY.'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20261231', 'COUNT and UNTIL exclude each other.'],
    ['FREQ=DAILY;BYHOUR=3', 'BYHOUR cannot be used with FREQ=DAILY.'],
  ])('says what is wrong with %s', (rrule, message) => {
    expect(() => parseRepeatRule(rrule)).toThrow(new RepeatRuleError(message));
  });

  it('knows its last time, and whether one begins before another has ended', () => {
    const now = when('2026-12-09T00:00:00Z');
    expect(pastSpan(sunday, now).startsAt).toBe(when('2026-12-06T21:00:00Z'));
    expect(overlapsItself(sunday)).toBe(false);
    expect(overlapsItself({ ...sunday, minutes: 25 * 60, rrule: 'FREQ=DAILY' })).toBe(true);
    expect([...spansOf({ ...sunday, rrule: null })]).toHaveLength(1);
  });

  it('would have been on at the hour that its clocks are to show, also where clocks were set since', () => {
    // At nine in the morning; weeks before its first time clocks were an hour further ahead.
    const monday = { startsAt: when('2026-11-09T08:00:00Z'), minutes: 60, timeZone: 'Europe/Berlin' };
    const last = pastSpan({ ...monday, rrule: 'FREQ=WEEKLY;BYDAY=MO' }, when('2026-11-04T12:00:00Z'));
    expect(last).toEqual({ startsAt: when('2026-11-02T08:00:00Z'), endsAt: when('2026-11-02T09:00:00Z') });
  });
});
