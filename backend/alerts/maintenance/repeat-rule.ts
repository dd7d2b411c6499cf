/** A rule that cannot be used, said to people. */
export class RepeatRuleError extends Error {
  override name = 'RepeatRuleError';
}

/** What each frequency can be combined with. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  DAILY: ['BYDAY'],
  WEEKLY: ['BYDAY', 'WKST'],
  MONTHLY: ['BYDAY', 'BYMONTHDAY', 'BYSETPOS'],
  YEARLY: ['BYMONTH', 'BYDAY', 'BYMONTHDAY'],
};
const COMMON = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL']);

const FORMS: Readonly<Record<string, [RegExp, string]>> = {
  INTERVAL: [/^[1-9]\d?$/, 'a number from 1 to 99'],
  COUNT: [/^[1-9]\d{0,3}$/, 'a number from 1 to 9999'],
  UNTIL: [/^\d{8}(?:T\d{6}Z?)?$/, 'a day such as 20261231, or a time such as 20261231T220000'],
  BYDAY: [
    /^(?:[+-]?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:[+-]?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU))*$/,
    'days such as MO,FR',
  ],
  BYMONTHDAY: [/^-?(?:[1-9]|[12]\d|3[01])(?:,-?(?:[1-9]|[12]\d|3[01]))*$/, 'days from 1 to 31, or -1 for the last'],
  BYMONTH: [/^(?:[1-9]|1[0-2])(?:,(?:[1-9]|1[0-2]))*$/, 'months from 1 to 12'],
  BYSETPOS: [/^-?[1-5]$/, 'a number from 1 to 5, or -1 for the last'],
  WKST: [/^(?:MO|TU|WE|TH|FR|SA|SU)$/, 'a day such as MO'],
};

/** The parts of a rule by their names. */
type RuleParts = ReadonlyMap<string, string>;

/**
 * Reads a rule of RFC 5545 (section 3.3.10), as far as windows have it: days, not times of day, without days of months for
 * `FREQ=DAILY` and months for `FREQ=MONTHLY`.
 *
 * @throws {RepeatRuleError} for anything else, with the part that is wrong
 */
export function parseRepeatRule(text: string): RuleParts {
  const parts = new Map<string, string>();
  for (const part of text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const [name = '', value = '', more] = part.split('=');
    if (value === '' || more !== undefined) throw new RepeatRuleError(`“${part}” is not a part such as FREQ=WEEKLY.`);
    if (parts.has(name)) throw new RepeatRuleError(`${name} can stand here once.`);
    parts.set(name, value);
  }
  const frequency = parts.get('FREQ');
  const possible = PARTS[frequency ?? ''];
  if (frequency === undefined || possible === undefined)
    throw new RepeatRuleError('FREQ takes DAILY, WEEKLY, MONTHLY or YEARLY.');
  for (const [name, value] of parts) {
    if (name === 'FREQ') continue;
    const form = FORMS[name];
    if (!form || !(COMMON.has(name) || possible.includes(name)))
      throw new RepeatRuleError(`${name} cannot be used with FREQ=${frequency}.`);
    if (!form[0].test(value)) throw new RepeatRuleError(`${name} takes ${form[1]}.`);
  }
  requireCombination(parts, frequency);
  return parts;
}

function requireCombination(parts: RuleParts, frequency: string): void {
  if (parts.has('COUNT') && parts.has('UNTIL')) throw new RepeatRuleError('COUNT and UNTIL exclude each other.');
  if (parts.has('BYDAY') && parts.has('BYMONTHDAY'))
    throw new RepeatRuleError('BYDAY and BYMONTHDAY exclude each other here.');
  const hasPlaces = /\d/.test(parts.get('BYDAY') ?? '');
  if (hasPlaces && (frequency === 'DAILY' || frequency === 'WEEKLY'))
    throw new RepeatRuleError(`Days with numbers, such as 1MO, cannot be used with FREQ=${frequency}.`);
  if (parts.has('BYSETPOS') && (!parts.has('BYDAY') || hasPlaces))
    throw new RepeatRuleError('BYSETPOS takes one of several days: BYDAY=MO,TU;BYSETPOS=1.');
  if (frequency !== 'YEARLY' || parts.has('BYMONTH')) return;
  if (parts.has('BYDAY') || parts.has('BYMONTHDAY'))
    throw new RepeatRuleError('Name the months with BYMONTH for FREQ=YEARLY.');
}

/** Days that one pass through a rule covers: daily ones of fifty years. */
const MAX_DAYS = 20_000;

/** A rule that gives no day for so many of its steps gives none: February 30. */
const MAX_EMPTY = 500;

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const DAY_MS = 24 * 60 * 60_000;

/**
 * The local times of a rule, as if they were UTC, in their order. The first is at or after `first`: a beginning that the rule
 * does not have is none of its times.
 *
 * @param first local time as if it were UTC, in milliseconds
 */
export function* localTimesOf(parts: RuleParts, first: number): Generator<number> {
  const firstDay = Math.floor(first / DAY_MS);
  const most = Math.min(Number(parts.get('COUNT') ?? Infinity), MAX_DAYS);
  const interval = Number(parts.get('INTERVAL') ?? 1);
  let found = 0;
  for (let step = 0, empty = 0; empty < MAX_EMPTY; step += 1) {
    empty += 1;
    for (const day of daysOf(parts, firstDay, step * interval)) {
      if (day < firstDay) continue;
      yield first + (day - firstDay) * DAY_MS;
      empty = 0;
      found += 1;
      if (found >= most) return;
    }
  }
}

/** The days of a rule in the day, week, month or year that is so many after the one of its first day: days since the epoch. */
function daysOf(parts: RuleParts, firstDay: number, ahead: number): number[] {
  const first = new Date(firstDay * DAY_MS);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  switch (parts.get('FREQ')) {
    case 'DAILY':
      return [firstDay + ahead].filter((day) => hasDay(parts, day));
    case 'WEEKLY': {
      const weekday = (first.getUTCDay() - WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO') + 7) % 7;
      const week = Array.from({ length: 7 }, (_, day) => firstDay - weekday + ahead * 7 + day);
      return week.filter((day) => (parts.has('BYDAY') ? hasDay(parts, day) : (day - firstDay) % 7 === 0));
    }
    case 'MONTHLY': {
      const days = daysOfMonth(parts, first, { year, month: month + ahead });
      const place = parts.get('BYSETPOS');
      return place === undefined ? days : days.slice(...placeOf(Number(place)));
    }
    default: {
      const months = parts.get('BYMONTH')?.split(',').map(Number) ?? [month + 1];
      return [...new Set(months)]
        .toSorted((one, other) => one - other)
        .flatMap((one) => daysOfMonth(parts, first, { year: year + ahead, month: one - 1 }));
    }
  }
}

/** From and up to where a place is in a list; negative ones are counted from its end. */
const placeOf = (place: number): [number, number?] =>
  place === -1 ? [-1] : place < 0 ? [place, place + 1] : [place - 1, place];

/** The days of a rule in a month; the day of its first time where it names none. @param month from 0, also of later years */
function daysOfMonth(parts: RuleParts, first: Date, { year, month }: { year: number; month: number }): number[] {
  const start = Date.UTC(year, month) / DAY_MS;
  const length = Date.UTC(year, month + 1) / DAY_MS - start;
  const days = Array.from({ length }, (_, day) => start + day);
  const isNamed = parts.has('BYDAY') || parts.has('BYMONTHDAY');
  return days.filter((day) => (isNamed ? hasDay(parts, day) : day - start + 1 === first.getUTCDate()));
}

/** Whether a day is one of those that a rule names. */
function hasDay(parts: RuleParts, at: number): boolean {
  const day = new Date(at * DAY_MS);
  const date = day.getUTCDate();
  const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const dates = parts.get('BYMONTHDAY')?.split(',').map(Number);
  const weekdays = parts.get('BYDAY')?.split(',');
  // Of five Mondays the fourth is 4MO and -2MO.
  const places = new Set([0, Math.ceil(date / 7), -Math.ceil((length - date + 1) / 7)]);
  return (
    (dates?.some((one) => one === date || one + length + 1 === date) ?? true) &&
    (weekdays?.some((one) => one.endsWith(WEEKDAYS[day.getUTCDay()] ?? '') && places.has(Number(one.slice(0, -2)))) ??
      true)
  );
}
