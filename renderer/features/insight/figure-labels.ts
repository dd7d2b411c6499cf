import type { InsightProblem, InsightTimes } from '#backend/contract/insight.ts';
import { alertWithoutTitle } from '#renderer/lib/page-texts.ts';
import { problemDeleted, problemOfColleague } from './texts.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration as people say it: its two largest units, the second left out where it is nothing or the first is large. */
export function durationParts(milliseconds: number): { value: number; unit: string }[] {
  const tenths = Math.round(milliseconds / (SECOND_MS / 10));
  if (tenths < 100) return [{ value: tenths / 10, unit: 's' }];
  const seconds = Math.round(milliseconds / SECOND_MS);
  if (seconds < 60) return [{ value: seconds, unit: 's' }];
  if (seconds < 600) return pairOf(seconds, 60, 'min', 's');
  const minutes = Math.round(milliseconds / MINUTE_MS);
  if (minutes < 60) return [{ value: minutes, unit: 'min' }];
  if (minutes < 24 * 60) return pairOf(minutes, 60, 'h', 'min');
  return pairOf(Math.round(milliseconds / HOUR_MS), 24, 'd', 'h');
}

function pairOf(amount: number, per: number, large: string, small: string) {
  const rest = amount % per;
  const first = { value: Math.floor(amount / per), unit: large };
  return rest === 0 ? [first] : [first, { value: rest, unit: small }];
}

export const durationText = (milliseconds: number | null): string =>
  milliseconds === null
    ? '–'
    : durationParts(milliseconds)
        .map(({ value, unit }) => `${value} ${unit}`)
        .join(' ');

const UNITS = [
  { unit: 'd', ms: DAY_MS },
  { unit: 'h', ms: HOUR_MS },
  { unit: 'min', ms: MINUTE_MS },
  { unit: 's', ms: SECOND_MS },
] as const;

/** The unit in which an axis up to a duration is read best. */
export const unitFor = (longest: number): { unit: string; ms: number } =>
  UNITS.find(({ ms }) => longest >= 2 * ms) ?? { unit: 's', ms: SECOND_MS };

/** "1.8 min". */
export const amountText = (amount: number, unit: string): string =>
  `${amount < 10 ? Math.round(amount * 10) / 10 : numberText(Math.round(amount))} ${unit}`;

const numbers = new Intl.NumberFormat('en-US');
export const numberText = (value: number): string => numbers.format(value);

/** A number of the week's heat map: whole where it is one. */
export const rateText = (value: number): string =>
  numberText(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

/** "12 % more than the 14 days before". */
export function arrivalChange(now: number, before: number, days: number): string {
  const earlier = days === 1 ? 'the day before' : `the ${days} days before`;
  if (before === 0) return now === 0 ? `None in ${earlier} either` : `None in ${earlier}`;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return `Same as ${earlier}`;
  return `${numberText(Math.abs(percent))} % ${percent > 0 ? 'more' : 'fewer'} than ${earlier}`;
}

/** "22 s faster". */
export function timeChange(now: InsightTimes, before: InsightTimes): string {
  if (now.median === null) return 'No alerts yet';
  if (before.median === null) return `Of ${numberText(now.alerts)} alerts`.replace('Of 1 alerts', 'Of 1 alert');
  const change = now.median - before.median;
  if (Math.abs(change) < SECOND_MS) return 'Unchanged';
  return `${durationText(Math.abs(change))} ${change < 0 ? 'faster' : 'slower'}`;
}

/** "37 %"; a dash of nothing. */
export const shareText = (some: number, all: number): string =>
  all === 0 ? '–' : `${numberText(Math.round((some / all) * 100))} %`;

const dates = new Map<string, Intl.DateTimeFormat>();

/** A calendar day as text, whatever the time zone of this device. */
function dayText(date: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = dates.get(key) ?? new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  dates.set(key, format);
  return format.format(Date.parse(date));
}

/** "Nov 18". */
export const shortDay = (date: string): string => dayText(date, { month: 'short', day: 'numeric' });

/** "Wed, Nov 18, 2026". */
export const longDay = (date: string): string =>
  dayText(date, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

const year = (date: string): string => date.slice(0, 4);

/** "Nov 8 – 21, 2026". */
export function rangeText(from: string, to: string): string {
  if (from === to) return `${shortDay(from)}, ${year(to)}`;
  if (year(from) !== year(to)) return `${shortDay(from)}, ${year(from)} – ${shortDay(to)}, ${year(to)}`;
  const end = from.slice(0, 7) === to.slice(0, 7) ? String(Number(to.slice(8))) : shortDay(to);
  return `${shortDay(from)} – ${end}, ${year(to)}`;
}

/** Labels of days below a chart: at most so many, each Monday or the first with its month. */
export function dayLabels(days: readonly string[], most: number): (string | undefined)[] {
  const step = Math.max(1, Math.ceil(days.length / Math.max(1, most)));
  const week = step > 3 ? Math.ceil(step / 7) * 7 : step;
  let month = '';
  return days.map((date, at) => {
    if (at % week !== 0) return undefined;
    const isNew = date.slice(0, 7) !== month || week >= 7;
    month = date.slice(0, 7);
    return isNew ? shortDay(date) : String(Number(date.slice(8)));
  });
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const weekdayText = (day: number): string => WEEKDAYS[day] ?? '';

/** "09:00 to 10:00". */
export const hourText = (hour: number): string =>
  `${String(hour).padStart(2, '0')}:00 to ${String(hour + 1).padStart(2, '0')}:00`;

/** What a problem is called: by its headline, else its type, else by why it has neither. */
export function headlineOf({
  title,
  alertType,
  alertId,
  isDeleted,
}: Pick<InsightProblem, 'title' | 'alertType' | 'alertId' | 'isDeleted'>): string {
  if (isDeleted) return alertType ?? problemDeleted;
  return title ?? alertType ?? (alertId === undefined ? problemOfColleague : alertWithoutTitle);
}
