/** A moment or a stretch of time that somebody named, in milliseconds since the epoch; `end` is the first moment after it. */
export interface NamedTime {
  start: number;
  end: number;
}

/** What is named relative to which moment, in which time zone (IANA). */
export interface Clock {
  now: number;
  timeZone: string;
}

const MINUTE_MS = 60_000;
const UNIT_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS, w: 7 * 24 * 60 * MINUTE_MS } as const;

/** Words for days that move on with the calendar. Weeks begin on Monday. */
export const TIME_WORDS = ['today', 'yesterday', 'thisweek', 'lastweek', 'thismonth', 'lastmonth'] as const;

/** Weekdays, each the last such day: today or one of the six days before. Three letters are enough. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** How a time can be written, for hints. */
export const TIME_FORMS = `${TIME_WORDS.join(', ')}, a weekday (monday or mon), 30m, 4h, 3d, 2w, 9:30, 2026-11-21 or 2026-11-21T09:30`;

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:t(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Understands the words for days (`last week` and `last-week` as well), weekdays, `2h`, `9:30`, a date, and a date with a
 * time; undefined for anything else.
 */
export function readTime(text: string, clock: Clock): NamedTime | undefined {
  const named = text.toLowerCase().replaceAll(/([a-z])[\s_-]+(?=[a-z])/g, '$1');
  const today = dayOf(clock.now, clock.timeZone);
  const days = daysOf(named, today);
  if (days) return spanOf(...days, clock.timeZone);
  const [, amount, unit] = /^(\d{1,6})(m|h|d|w)$/.exec(named) ?? [];
  if (amount !== undefined) return moment(clock.now - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(named) ?? [];
  if (hour !== undefined) return timeOfDay(today, [Number(hour), Number(minute), 0], clock.timeZone);
  const parts = DATE.exec(named);
  return parts ? readDate(parts, clock.timeZone) : undefined;
}

/** A day of the calendar: year, month from 1, day. Months and days may lie outside of their range, as `Date.UTC` reads them. */
type Day = readonly [number, number, number];

/** The first day that a word names, and the first one after it. */
function daysOf(word: string, [year, month, date]: Day): readonly [Day, Day] | undefined {
  const daysAgo = (first: number, after: number) =>
    [
      [year, month, date - first],
      [year, month, date - after],
    ] as const;
  const months = (first: number) =>
    [
      [year, month + first, 1],
      [year, month + first + 1, 1],
    ] as const;
  const weekday = (new Date(utcOf([year, month, date])).getUTCDay() + 6) % 7;
  switch (word as (typeof TIME_WORDS)[number]) {
    case 'today':
      return daysAgo(0, -1);
    case 'yesterday':
      return daysAgo(1, 0);
    case 'thisweek':
      return daysAgo(weekday, weekday - 7);
    case 'lastweek':
      return daysAgo(weekday + 7, weekday);
    case 'thismonth':
      return months(0);
    case 'lastmonth':
      return months(-1);
  }
  const named = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  const since = (weekday - named + 7) % 7;
  return named < 0 ? undefined : daysAgo(since, since - 1);
}

function readDate(parts: RegExpExecArray, timeZone: string): NamedTime | undefined {
  const [, year, month, date, hour, minute, second = '0', offset] = parts;
  const day: Day = [Number(year), Number(month), Number(date)];
  const isReal = new Date(utcOf(day)).getUTCMonth() === day[1] - 1 && day[2] > 0 && day[0] >= 1970;
  if (!isReal) return undefined;
  if (hour === undefined) return spanOf(day, [day[0], day[1], day[2] + 1], timeZone);
  const time = [Number(hour), Number(minute), Number(second)] as const;
  return timeOfDay(day, time, timeZone, offset);
}

function timeOfDay(
  day: Day,
  [hour, minute, second]: readonly [number, number, number],
  timeZone: string,
  offset?: string,
): NamedTime | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const local = utcOf(day) + ((hour * 60 + minute) * 60 + second) * 1_000;
  if (offset === undefined) return moment(instantOf(local, timeZone));
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):(\d{2})$/.exec(offset) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return moment(sign === '-' ? local + ahead : local - ahead);
}

const moment = (at: number): NamedTime => ({ start: Math.max(0, at), end: Math.max(0, at) });

const spanOf = (first: Day, after: Day, timeZone: string): NamedTime => ({
  start: instantOf(utcOf(first), timeZone),
  end: instantOf(utcOf(after), timeZone),
});

/** When a day (`2026-11-21`) begins by the clocks of a time zone: where they leave midnight out, when they do. */
export const startOfDay = (date: string, timeZone: string): number => instantOf(Date.parse(date), timeZone);

const utcOf = ([year, month, date]: Day): number => Date.UTC(year, month - 1, date);

/** The day that it is somewhere at a moment. */
function dayOf(at: number, timeZone: string): Day {
  const local = new Date(at + utcOffsetAt(at, timeZone));
  return [local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate()];
}

/**
 * When the clocks of a time zone show a local time, given as if it were UTC, in whole seconds. A time that they leave out is
 * the moment at which they leave it out; of one that they show twice, the first that comes after `after`, else the first.
 *
 * @param after a moment in milliseconds since the epoch
 */
export function instantOf(local: number, timeZone: string, after = -Infinity): number {
  // Between two offsets that lie further apart than clocks are ever set.
  const candidates = [-1, 0, 1].map((days) => local - utcOffsetAt(local + days * UNIT_MS.d, timeZone));
  const shown = candidates.filter((at) => at + utcOffsetAt(at, timeZone) === local);
  if (shown.length === 0) return clocksSetBetween(Math.min(...candidates), Math.max(...candidates), timeZone);
  const later = shown.filter((at) => at > after);
  return Math.min(...(later.length > 0 ? later : shown));
}

/** The first moment after `from` at which the clocks of a time zone are as far ahead as at `to`; they are set once between. */
export function clocksSetBetween(from: number, to: number, timeZone: string): number {
  const ahead = utcOffsetAt(to, timeZone);
  let before = from;
  let after = to;
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000;
    if (utcOffsetAt(middle, timeZone) === ahead) after = middle;
    else before = middle;
  }
  return after;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a time zone's clocks are ahead of UTC at a moment, in milliseconds. */
export function utcOffsetAt(at: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

/** Whether a time zone is one that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
