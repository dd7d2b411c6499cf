import {
  type MaintenanceWindow,
  type NewWindow,
  type WindowChange,
  type WindowDefinition,
  MAX_WINDOW_MINUTES,
} from '#backend/contract/maintenance.ts';
import { instantOf, utcOffsetAt } from '#backend/contract/search-times.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { shownAt } from '#renderer/lib/times-in-zone.ts';

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
  /** Of a window that repeats weekly; undefined: the day of its date, whichever that is. */
  days: readonly Day[] | undefined;
  /** A rule of RFC 5545, where it is written by hand. */
  rrule: string;
  ends: 'never' | 'on' | 'after';
  lastDate: string;
  /** How often it is on, as it is typed. */
  count: string;
  timeZone: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The moment at which clocks of a time zone show a time; undefined while it is not whole. */
export function momentAt(date: string, time: string, timeZone: string): number | undefined {
  const local = Date.parse(`${date}T${time}:00Z`);
  return Number.isNaN(local) ? undefined : instantOf(local, timeZone);
}

/** The day of the week of a date. */
const dayOf = (date: string): Day => DAYS[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7] ?? 'MO';

/** The days of a draft that repeats weekly. */
export const daysOf = ({ days, date }: Pick<WindowDraft, 'days' | 'date'>): readonly Day[] => days ?? [dayOf(date)];

/** Days as a draft has them: those that are the day of the date alone go with the date. */
const writtenDays = (days: readonly Day[], date: string): readonly Day[] | undefined =>
  days.length === 1 && days[0] === dayOf(date) ? undefined : days;

/** The days of a draft with one more, or one less. */
export function toggleDay(draft: WindowDraft, day: Day): readonly Day[] | undefined {
  const days = daysOf(draft);
  return writtenDays(
    DAYS.filter((one) => (one === day) !== days.includes(one)),
    draft.date,
  );
}

/** A new window: from the next full hour of the clocks on, for an hour, once. */
export function newDraft(now: number, timeZone = timeZoneHere()): WindowDraft {
  const local = Math.ceil((now + utcOffsetAt(now, timeZone)) / HOUR_MS) * HOUR_MS;
  const start = instantOf(local, timeZone, now - 1);
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
  const draft: RuleDraft = { repeats: 'never', days: undefined, rrule: '', ends: 'never', count: '10' };
  if (rrule === null) return draft;
  const [, rule = '', year, month, day, count] =
    /^(.*?)(?:;UNTIL=(\d{4})(\d{2})(\d{2})|;COUNT=(\d+))?$/.exec(rrule) ?? [];
  const until = year === undefined ? {} : ({ ends: 'on', lastDate: `${year}-${month}-${day}` } as const);
  const times = count === undefined ? {} : ({ ends: 'after', count } as const);
  const made = { ...draft, ...until, ...times };
  const [, days] = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(rule) ?? [];
  if (rule === 'FREQ=DAILY') return { ...made, repeats: 'daily' };
  if (days !== undefined) {
    const named = days.split(',');
    const chosen = DAYS.filter((one) => named.includes(one));
    return { ...made, repeats: 'weekly', days: writtenDays(chosen, date) };
  }
  if (rule === `FREQ=MONTHLY;BYMONTHDAY=${Number(date.slice(8))}`) return { ...made, repeats: 'monthly' };
  return { ...draft, repeats: 'custom', rrule };
}

/** The rule of a draft; null for once. */
function ruleOf(draft: WindowDraft): string | null {
  const { repeats, rrule, date, ends, lastDate, count } = draft;
  const end =
    ends === 'on' ? `;UNTIL=${lastDate.replaceAll('-', '')}` : ends === 'after' ? `;COUNT=${Number(count)}` : '';
  switch (repeats) {
    case 'never':
      return null;
    case 'daily':
      return `FREQ=DAILY${end}`;
    case 'weekly':
      return `FREQ=WEEKLY;BYDAY=${daysOf(draft).join(',')}${end}`;
    case 'monthly':
      return `FREQ=MONTHLY;BYMONTHDAY=${Number(date.slice(8))}${end}`;
    case 'custom':
      return rrule.trim() === '' ? null : rrule.trim().toUpperCase();
  }
}

/** Whether how often a draft is on is written, and not a number that a rule can have. */
export const isCountWrong = ({ repeats, ends, count }: WindowDraft): boolean =>
  repeats !== 'never' && repeats !== 'custom' && ends === 'after' && !/^0*[1-9]\d{0,3}$/.test(count);

/** The minutes between two moments; undefined where no window lasts so long. */
function minutesBetween(start: number, end: number): number | undefined {
  const minutes = Math.ceil((end - start) / MINUTE_MS);
  return minutes > 0 && minutes <= MAX_WINDOW_MINUTES ? minutes : undefined;
}

/** When the end of a draft is that is written; undefined while it is not whole. */
const endOf = ({ endDate, endTime, timeZone }: WindowDraft): number | undefined => momentAt(endDate, endTime, timeZone);

/** How long a draft lasts, in minutes; undefined while its end is not whole, or not after its start. */
export function minutesOf(draft: WindowDraft): number | undefined {
  if (!draft.hasEnd) return draft.minutes;
  const start = startOf(draft);
  const end = endOf(draft);
  return start === undefined || end === undefined ? undefined : minutesBetween(start, end);
}

/** When a draft begins; of one that begins when it is saved, the minute in which that was chosen. */
export const startOf = ({ date, time, timeZone }: WindowDraft): number | undefined => momentAt(date, time, timeZone);

/** The window that a draft describes; undefined while a time is missing or wrong. */
export function windowOf(draft: WindowDraft): WindowDefinition | undefined {
  const startsAt = startOf(draft);
  const minutes = minutesOf(draft);
  if (startsAt === undefined || minutes === undefined || isCountWrong(draft)) return undefined;
  return {
    name: draft.name.trim(),
    search: draft.search.trim(),
    startsAt: new Date(startsAt).toISOString(),
    minutes,
    timeZone: draft.timeZone,
    rrule: ruleOf(draft),
  };
}

/**
 * What is sent of a draft; undefined while a time is missing or wrong. One that begins now begins by the clock of the server; where
 * its end is written, it ends at that, not later.
 */
export function sentOf(draft: WindowDraft): NewWindow | undefined {
  const written = windowOf(draft);
  if (!written || !draft.isNow) return written;
  const { minutes, ...rest } = written;
  const end = draft.hasEnd ? endOf(draft) : undefined;
  return { ...rest, startsAt: 'now', ...(end === undefined ? { minutes } : { endsAt: new Date(end).toISOString() }) };
}

/**
 * What is to be changed of a stored window; undefined while a time is missing or wrong. What is as it was is left out: fields show
 * no seconds, and times that are sent are planned again.
 */
export function changeOf(stored: MaintenanceWindow, draft: WindowDraft): WindowChange | undefined {
  const sent = sentOf(draft);
  const before = windowOf(draftOfWindow(stored));
  const isChanged = ([key, value]: [string, unknown]): boolean => value !== before?.[key as keyof WindowDefinition];
  return sent && Object.fromEntries(Object.entries(sent).filter(isChanged));
}

/** Whether a draft has other times than its stored window. */
export function isMoved(stored: MaintenanceWindow, draft: WindowDraft): boolean {
  const { name: _name, search: _search, ...times } = changeOf(stored, draft) ?? { minutes: undefined };
  return Object.keys(times).length > 0;
}
