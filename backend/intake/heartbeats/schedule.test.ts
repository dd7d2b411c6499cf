import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueAfter, dueFrom, faultOfCron, nextCron, nextTimes } from './schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)] as const;

/** Thirty zones: north and south, halves of hours, half an hour of summer, gaps at midnight, and none. */
const ZONES = [
  'UTC Europe/Berlin Europe/London Europe/Lisbon Europe/Dublin Europe/Chisinau Europe/Kyiv America/New_York America/Chicago',
  'America/Denver America/Phoenix America/Los_Angeles America/Anchorage America/Halifax America/St_Johns America/Havana',
  'America/Santiago America/Asuncion America/Nuuk Atlantic/Azores Africa/Cairo Africa/Casablanca Asia/Jerusalem Asia/Beirut',
  'Asia/Kolkata Asia/Kathmandu Australia/Adelaide Australia/Lord_Howe Pacific/Auckland Pacific/Chatham',
]
  .join(' ')
  .split(' ');

/** Minutes by which the clocks of a zone are ahead of UTC, from which moment on. */
interface Clocks {
  from: number;
  ahead: number;
}

/** The clocks of a zone in a year, asked of the platform and not of the library that is tried. */
function clocksOf(timeZone: string): Clocks[] {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const aheadAt = (at: number): number => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  const clocks: Clocks[] = [{ from: -Infinity, ahead: aheadAt(YEAR[0] - 2 * DAY_MS) }];
  for (let day = YEAR[0] - 2 * DAY_MS; day < YEAR[1] + 2 * DAY_MS; day += DAY_MS) {
    const before = clocks.at(-1)?.ahead ?? 0;
    if (aheadAt(day + DAY_MS) === before) continue;
    let [low, high] = [day, day + DAY_MS];
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
      if (aheadAt(middle) === before) low = middle;
      else high = middle;
    }
    clocks.push({ from: high, ahead: aheadAt(high) });
  }
  return clocks;
}

const CLOCKS = new Map(ZONES.map((zone) => [zone, clocksOf(zone)]));

/** The wall clock at a moment, as a moment of UTC. */
const wallAt = (clocks: readonly Clocks[], at: number): number => {
  const ahead = clocks.findLast(({ from }) => from <= at)?.ahead ?? 0;
  return at + ahead * MINUTE_MS;
};

/** Every time of one time of day on some weekdays by cron's rules, walking the wall clock minute by minute around each change. */
function timesOf(zone: string, hour: number, minute: number, weekdays: readonly number[]): number[] {
  const clocks = CLOCKS.get(zone) ?? [];
  const times: number[] = [];
  for (let wallDay = YEAR[0] - 2 * DAY_MS; wallDay < YEAR[1] + DAY_MS; wallDay += DAY_MS) {
    if (!weekdays.includes(new Date(wallDay).getUTCDay())) continue;
    const wall = wallDay + hour * HOUR_MS + minute * MINUTE_MS;
    // The first moment whose wall clock shows this time, or a later one where it is skipped.
    const candidates = clocks.map(({ ahead }) => wall - ahead * MINUTE_MS).filter((at) => wallAt(clocks, at) === wall);
    const gapEnd = clocks.find(({ from }, index) => {
      const before = clocks[index - 1];
      return before && from + before.ahead * MINUTE_MS <= wall && wall < wallAt(clocks, from);
    })?.from;
    times.push(candidates.length > 0 ? Math.min(...candidates) : (gapEnd ?? Number.NaN));
  }
  return times.filter((at) => at > YEAR[0] && at < YEAR[1]).toSorted((one, other) => one - other);
}

const zone = fc.constantFrom(...ZONES);

/** Every time of an expression in a year. */
function allOf(expression: string, timeZone: string, from: number, to: number): number[] {
  const times: number[] = [];
  for (
    let at = nextCron(expression, timeZone, from);
    at !== undefined && at < to;
    at = nextCron(expression, timeZone, at)
  ) {
    times.push(at);
  }
  return times;
}

describe('cron', () => {
  test('comes at each time of a year in thirty zones, gaps and overlaps included', () => {
    for (const [index, timeZone] of ZONES.entries()) {
      // Half of them in the hours in which clocks change.
      const [hour, minute] = index % 2 === 0 ? [index % 4, (index * 7) % 60] : [(index * 5) % 24, (index * 11) % 60];
      const all = allOf(`${minute} ${hour} * * *`, timeZone, YEAR[0], YEAR[1]);
      expect({ timeZone, all }).toEqual({ timeZone, all: timesOf(timeZone, hour, minute, [0, 1, 2, 3, 4, 5, 6]) });
    }
  });

  test('comes on weekdays alone', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (timeZone, hour, minute) => {
        const all = allOf(`${minute} ${hour} * * 1-5`, timeZone, YEAR[0], YEAR[0] + 120 * DAY_MS);
        const expected = timesOf(timeZone, hour, minute, [1, 2, 3, 4, 5]).filter((at) => at < YEAR[0] + 120 * DAY_MS);
        expect(all).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  test('of every hour and every few minutes goes on at the same pace where clocks change', () => {
    for (const [timeZone, clocks] of CLOCKS) {
      for (const { from } of clocks.filter((one) => one.from > YEAR[0] && one.from < YEAR[1])) {
        const quarters = allOf('*/15 * * * *', timeZone, from - 90 * MINUTE_MS, from + 150 * MINUTE_MS);
        const gaps = quarters.slice(1).map((at, index) => at - (quarters[index] ?? 0));
        expect({ timeZone, gaps: [...new Set(gaps)] }).toEqual({ timeZone, gaps: [15 * MINUTE_MS] });
      }
    }
  });

  test('counts a call that is a little early for the time that it is early for', () => {
    const daily = { kind: 'cron', expression: '0 2 * * *', timeZone: 'UTC' } as const;
    const two = Date.UTC(2026, 5, 1, 2);
    expect(dueAfter(daily, two - 61_000)).toBe(two);
    expect(dueAfter(daily, two - 1)).toBe(two + DAY_MS);
    expect(dueAfter(daily, two + 5 * MINUTE_MS)).toBe(two + DAY_MS);
    const often = { ...daily, expression: '* * * * *' };
    expect(dueAfter(often, two - 20_000)).toBe(two);
    expect(dueAfter(often, two - 10_000)).toBe(two + MINUTE_MS);
  });

  test.each([
    ['0 25 * * *', 'Invalid value for hour: 25.'],
    ['0 2 30 2 *', 'This never comes.'],
    ['* * * * * *', 'Write five fields: minute, hour, day of the month, month, day of the week.'],
    ['2026-01-01T00:00:00', 'Write five fields: minute, hour, day of the month, month, day of the week.'],
    ['0 2 * * *', undefined],
    ['@daily', undefined],
    ['0 3 1W * *', undefined],
  ])('%s: %s', (expression, fault) => {
    const said = faultOfCron(expression, 'Europe/Berlin', YEAR[0]);
    expect(said?.replace('CronPattern: ', '')).toBe(fault);
  });
});

test('after a time without a server an interval goes on in its own steps', () => {
  const hourly = { kind: 'interval', everySeconds: 3600 } as const;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: -HOUR_MS, max: 1e10 }), (dueAt, later) => {
      const from = dueAt + later;
      const next = dueFrom(hourly, dueAt, from) ?? 0;
      expect((next - dueAt) % HOUR_MS).toBe(0);
      expect(next).toBeGreaterThan(dueAt);
      expect(next).toBeGreaterThanOrEqual(from);
      expect(next - Math.max(from, dueAt + 1)).toBeLessThan(HOUR_MS);
    }),
  );
});

test('shows the next times of what is written', () => {
  const from = Date.UTC(2026, 2, 28, 12);
  const daily = { kind: 'cron', expression: '30 2 * * *', timeZone: 'Europe/Berlin' } as const;
  expect(nextTimes(daily, from, 3).map((at) => new Date(at).toISOString())).toEqual([
    // 2:30 AM is skipped: the first moment after the gap.
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
    '2026-03-31T00:30:00.000Z',
  ]);
  expect(nextTimes({ kind: 'interval', everySeconds: 60 }, from, 2)).toEqual([from + 60_000, from + 120_000]);
});
