/** Sentences about when a window is on. */

const DAY_NAMES: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ');
const PLACES: Readonly<Record<string, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  '-1': 'last',
};
const UNITS: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };

const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

/** In the order of the week; days with a place in their month stay in that of the rule. */
const byWeekday = (one: string, other: string): number => {
  const days = Object.keys(DAY_NAMES);
  const [a, b] = [days.indexOf(one), days.indexOf(other)];
  return a === -1 || b === -1 ? 0 : a - b;
};

const dayWord = (day: string): string => {
  const [, place = '', name = ''] = /^([+-]?\d)?([A-Z]{2})$/.exec(day) ?? [];
  const word = DAY_NAMES[name] ?? day;
  return place === '' ? word : `the ${PLACES[place.replace('+', '')] ?? place} ${word}`;
};

/** The day so many days after one that a rule names: "Monday" is one after "SU". */
export function dayAfter(day: string, days: number): string {
  const names = Object.values(DAY_NAMES);
  return names[(names.indexOf(DAY_NAMES[day] ?? '') + days) % names.length] ?? '';
}

const dateWord = (date: string): string =>
  date === '-1' ? 'the last day' : date.startsWith('-') ? `${date.slice(1)} days before the end` : `day ${date}`;

/** The rule's own part of the sentence: "Every Sunday", "Every 2 weeks on Monday and Friday". */
export function ruleSentence(rrule: string): string {
  const parts = new Map(
    rrule
      .toUpperCase()
      .replace(/^RRULE:/, '')
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  );
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const unit = UNITS[parts.get('FREQ') ?? ''] ?? '';
  const days = parts.get('BYDAY')?.split(',').toSorted(byWeekday).map(dayWord);
  const dates = parts.get('BYMONTHDAY')?.split(',').map(dateWord);
  const months = parts.get('BYMONTH')?.split(',');
  const place = parts.get('BYSETPOS');
  const named = months ? ` in ${listed(months.map((month) => MONTH_NAMES[Number(month) - 1] ?? month))}` : '';
  const on = days
    ? place === undefined
      ? listed(days)
      : `the ${PLACES[place] ?? place} of ${listed(days)}`
    : dates && listed(dates);
  const isEveryDay = interval === 1 && days !== undefined && place === undefined && /^(?:day|week)$/.test(unit);
  const every = interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`;
  const rhythm = isEveryDay ? `Every ${on}` : on === undefined ? every : `${every} on ${on}`;
  return `${rhythm}${named}`;
}

/** How a rule ends: ", until Dec 31, 2026", ", 10 times". */
export const untilDate = (date: string): string => `, until ${date}`;
export const times = (count: string): string => `, ${count} ${count === '1' ? 'time' : 'times'}`;

/** "Europe/Berlin" is "Berlin time". */
export const zoneName = (timeZone: string): string =>
  timeZone === 'UTC' ? 'UTC' : `${(timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')} time`;

/** "3 h", "1 h 30 min". */
export function lengthOf(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const rest = minutes % 60;
  const parts = [days > 0 && `${days} d`, hours > 0 && `${hours} h`, rest > 0 && `${rest} min`];
  return parts.filter((part) => part !== false).join(' ');
}

/** "Every Sunday from 10:00 PM to Monday 1:00 AM, Berlin time." */
export const repeating = (rule: string, from: string, to: string, end: string, zone: string): string =>
  `${rule} from ${from} to ${to}${end}, ${zone}.`;
/** The same where the end is on another day for each of them. */
export const repeatingFor = (rule: string, from: string, length: string, end: string, zone: string): string =>
  `${rule} from ${from} for ${length}${end}, ${zone}.`;
export const once = (from: string, to: string, zone: string): string => `Once from ${from} to ${to}, ${zone}.`;
export const fromNow = (to: string): string => `From now until ${to}.`;
