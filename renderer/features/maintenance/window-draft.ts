import { type MaintenanceWindow, type NewWindow, MAX_WINDOW_MINUTES } from '#backend/contract/maintenance.ts';
import { instantOf, utcOffsetAt } from '#backend/contract/search-times.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';

/** Two letters of each day as rules write them, from Monday. */
export const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Day = (typeof DAYS)[number];

export const REPEATS = ['never', 'daily', 'weekly', 'monthly', 'custom'] as const;
export type Repeats = (typeof REPEATS)[number];

/** Lengths that have a button, in minutes. */
export const LENGTHS = [30, 60, 180] as const;

/** A window as it is written. */
export interface WindowDraft {
  name: string;
  search: string;
  /** Where clocks show the time: `2026-11-29`, `22:00`. */
  date: string;
  time: string;
  /** It begins when it is saved. */
  isNow: boolean;
  minutes: number;
  /** Its length is written as an end. */
  hasEnd: boolean;
  endDate: string;
  endTime: string;
  repeats: Repeats;
  days: readonly Day[];
  /** A rule of RFC 5545, where it is written by hand. */
  rrule: string;
  ends: 'never' | 'on' | 'after';
  lastDate: string;
  count: number;
  timeZone: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What clocks of a time zone show: day and time. */
export function shownAt(at: number, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Date(at + utcOffsetAt(at, timeZone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

/** The moment at which clocks of a time zone show a time; undefined while it is not whole. */
export function momentAt(date: string, time: string, timeZone: string): number | undefined {
  const local = Date.parse(`${date}T${time}:00Z`);
  return Number.isNaN(local) ? undefined : instantOf(local, timeZone);
}

/** The day of the week of a date. */
export const dayOf = (date: string): Day => DAYS[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7] ?? 'MO';

/** A new window: from the next full hour on, for an hour, once. */
export function newDraft(now: number, timeZone = timeZoneHere()): WindowDraft {
  const start = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return draftOf({ startsAt: start, minutes: 60, timeZone, rrule: null }, '', '');
}

/** A stored window as it is written. */
export const draftOfWindow = ({ startsAt, name, search, ...rest }: MaintenanceWindow): WindowDraft =>
  draftOf({ ...rest, startsAt: Date.parse(startsAt) }, name, search);

function draftOf(
  { startsAt, minutes, timeZone, rrule }: { startsAt: number; minutes: number; timeZone: string; rrule: string | null },
  name: string,
  search: string,
): WindowDraft {
  const { date, time } = shownAt(startsAt, timeZone);
  const end = shownAt(startsAt + minutes * MINUTE_MS, timeZone);
  const last = shownAt(startsAt + 90 * 24 * HOUR_MS, timeZone);
  return {
    name,
    search,
    date,
    time,
    isNow: false,
    minutes,
    hasEnd: !LENGTHS.some((one) => one === minutes),
    endDate: end.date,
    endTime: end.time,
    lastDate: last.date,
    ...readRule(rrule, date),
    timeZone,
  };
}

type RuleDraft = Pick<WindowDraft, 'repeats' | 'days' | 'rrule' | 'ends' | 'count'> &
  Partial<Pick<WindowDraft, 'lastDate'>>;

/** A rule that the buttons make is shown by them, any other as it is written. */
function readRule(rrule: string | null, date: string): RuleDraft {
  const draft: RuleDraft = { repeats: 'never', days: [dayOf(date)], rrule: '', ends: 'never', count: 10 };
  if (rrule === null) return draft;
  const [, rule = '', year, month, day, count] =
    /^(.*?)(?:;UNTIL=(\d{4})(\d{2})(\d{2})|;COUNT=(\d+))?$/.exec(rrule) ?? [];
  const until = year === undefined ? {} : ({ ends: 'on', lastDate: `${year}-${month}-${day}` } as const);
  const times = count === undefined ? {} : ({ ends: 'after', count: Number(count) } as const);
  const made = { ...draft, ...until, ...times };
  const [, days] = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(rule) ?? [];
  if (rule === 'FREQ=DAILY') return { ...made, repeats: 'daily' };
  if (days !== undefined) {
    const named = days.split(',');
    return { ...made, repeats: 'weekly', days: DAYS.filter((one) => named.includes(one)) };
  }
  if (rule === `FREQ=MONTHLY;BYMONTHDAY=${Number(date.slice(8))}`) return { ...made, repeats: 'monthly' };
  return { ...draft, repeats: 'custom', rrule };
}

/** The rule of a draft; null for once. */
export function ruleOf({ repeats, days, rrule, date, ends, lastDate, count }: WindowDraft): string | null {
  const end = ends === 'on' ? `;UNTIL=${lastDate.replaceAll('-', '')}` : ends === 'after' ? `;COUNT=${count}` : '';
  switch (repeats) {
    case 'never':
      return null;
    case 'daily':
      return `FREQ=DAILY${end}`;
    case 'weekly':
      return `FREQ=WEEKLY;BYDAY=${days.join(',')}${end}`;
    case 'monthly':
      return `FREQ=MONTHLY;BYMONTHDAY=${Number(date.slice(8))}${end}`;
    case 'custom':
      return rrule.trim() === '' ? null : rrule.trim().toUpperCase();
  }
}

/** How long a draft lasts, in minutes; undefined while its end is not whole, or not after its start. */
export function minutesOf(draft: WindowDraft): number | undefined {
  if (!draft.hasEnd) return draft.minutes;
  const start = startOf(draft);
  const end = momentAt(draft.endDate, draft.endTime, draft.timeZone);
  if (start === undefined || end === undefined) return undefined;
  const minutes = Math.ceil((end - start) / MINUTE_MS);
  return minutes > 0 && minutes <= MAX_WINDOW_MINUTES ? minutes : undefined;
}

/** When a draft begins; of one that begins when it is saved, the minute in which that was chosen. */
export const startOf = ({ date, time, timeZone }: WindowDraft): number | undefined => momentAt(date, time, timeZone);

/** What is saved of a draft; undefined while a time is missing or wrong. */
export function windowOf(draft: WindowDraft): NewWindow | undefined {
  const startsAt = startOf(draft);
  const minutes = minutesOf(draft);
  if (startsAt === undefined || minutes === undefined) return undefined;
  return {
    name: draft.name.trim(),
    search: draft.search.trim(),
    startsAt: new Date(startsAt).toISOString(),
    minutes,
    timeZone: draft.timeZone,
    rrule: ruleOf(draft),
  };
}
