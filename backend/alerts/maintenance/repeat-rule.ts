import ICAL from 'ical.js';

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
 * Reads a rule of RFC 5545 (section 3.3.10), as far as windows have it: days, not times of day. What is left out is what
 * ical.js counts through without end (`FREQ=DAILY` with days of months) or reads otherwise than the RFC (months with
 * `FREQ=MONTHLY`).
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

/**
 * The local times of a rule, as if they were UTC, in their order. The first is at or after `first`: a beginning that the rule
 * does not have is none of its times.
 *
 * @param first local time as if it were UTC, in milliseconds
 */
export function* localTimesOf(parts: RuleParts, first: number): Generator<number> {
  const kept = [...parts].filter(([name]) => name !== 'COUNT' && name !== 'UNTIL');
  const rule = ICAL.Recur.fromString(kept.map((part) => part.join('=')).join(';'));
  const start = new Date(first);
  const iterator = rule.iterator(
    new ICAL.Time(
      {
        year: start.getUTCFullYear(),
        month: start.getUTCMonth() + 1,
        day: start.getUTCDate(),
        hour: start.getUTCHours(),
        minute: start.getUTCMinutes(),
        second: 0,
        isDate: false,
      },
      ICAL.Timezone.localTimezone,
    ),
  );
  const count = Number(parts.get('COUNT') ?? Infinity);
  let found = 0;
  let empty = 0;
  for (let days = 0; days < MAX_DAYS && found < count && empty < MAX_EMPTY; days += 1) {
    // Not in its types: null when a rule has no more times.
    const next = iterator.next() as ICAL.Time | null;
    if (!next) return;
    const local = Date.UTC(next.year, next.month - 1, next.day, next.hour, next.minute);
    empty += 1;
    if (!hasDay(parts, new Date(local))) continue;
    empty = 0;
    found += 1;
    yield local;
  }
}

/** ical.js takes the beginning for a time of every rule, and February 29 for March 1. */
function hasDay(parts: RuleParts, day: Date): boolean {
  const weekdays = parts
    .get('BYDAY')
    ?.split(',')
    .map((one) => one.slice(-2));
  const months = parts.get('BYMONTH')?.split(',').map(Number);
  const dates = parts.get('BYMONTHDAY')?.split(',').map(Number);
  const month = day.getUTCMonth() + 1;
  const date = day.getUTCDate();
  const length = new Date(Date.UTC(day.getUTCFullYear(), month, 0)).getUTCDate();
  return (
    (weekdays?.includes(WEEKDAYS[day.getUTCDay()] ?? '') ?? true) &&
    (months?.includes(month) ?? true) &&
    (dates?.some((one) => one === date || one + length + 1 === date) ?? true)
  );
}
