import type { WindowSchedule } from '#backend/contract/maintenance.ts';
import { shownAt, writeIn } from '#renderer/lib/times-in-zone.ts';
import { writePattern } from '#renderer/lib/write-pattern.ts';
import * as texts from './schedule-texts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CLOCK = 'h:mm a';

/** "10:00 PM – 1:00 AM", with the day of the end where it is further away than the next. */
export function spanText(startsAt: number, endsAt: number, timeZone: string): string {
  const isLong = endsAt - startsAt >= DAY_MS;
  return `${clockText(startsAt, timeZone)} – ${isLong ? momentText(endsAt, timeZone) : clockText(endsAt, timeZone)}`;
}

const clockText = (at: number, timeZone: string): string => writeIn(at, timeZone, CLOCK);

/** "Sun, Nov 29", with the year where it is another one than `now`'s. */
export function dayText(at: number, timeZone: string, now = Date.now()): string {
  const [year, thisYear] = [at, now].map((moment) => shownAt(moment, timeZone).date.slice(0, 4));
  return writeIn(at, timeZone, year === thisYear ? 'EEE, MMM d' : 'EEE, MMM d, yyyy');
}

/** "Sun, Nov 29, 10:00 PM", with the year where it is another one. */
export const momentText = (at: number, timeZone: string): string =>
  `${dayText(at, timeZone)}, ${clockText(at, timeZone)}`;

/** When a window is on, as a sentence. */
export function scheduleSentence({ startsAt, minutes, timeZone, rrule }: WindowSchedule, isNow = false): string {
  const start = Date.parse(startsAt);
  const end = start + minutes * MINUTE_MS;
  const zone = texts.zoneName(timeZone);
  if (rrule === null) {
    const to = momentText(end, timeZone);
    if (isNow) return texts.fromNow(to);
    const isOneDay = shownAt(start, timeZone).date === shownAt(end, timeZone).date;
    return texts.once(momentText(start, timeZone), isOneDay ? clockText(end, timeZone) : to, zone);
  }
  const rule = texts.ruleSentence(rrule);
  const from = clockText(start, timeZone);
  const last = lastOf(rrule);
  const [startDay = 0, endDay = 0] = [start, end].map((at) => Date.parse(shownAt(at, timeZone).date));
  const days = (endDay - startDay) / DAY_MS;
  // The date may be on another day than the rule's.
  const [, day] = /BYDAY=([A-Z]{2})(?:;|$)/.exec(rrule) ?? [];
  if (minutes > 24 * 60 || (days > 0 && day === undefined))
    return texts.repeatingFor(rule, from, texts.lengthOf(minutes), last, zone);
  const to = clockText(end, timeZone);
  return texts.repeating(
    rule,
    from,
    day === undefined || days === 0 ? to : `${texts.dayAfter(day, days)} ${to}`,
    last,
    zone,
  );
}

function lastOf(rrule: string): string {
  const [, year, month, day] = /UNTIL=(\d{4})(\d{2})(\d{2})/.exec(rrule) ?? [];
  if (year !== undefined)
    return texts.untilDate(writePattern(new Date(`${year}-${month}-${day}T12:00`), 'MMM d, yyyy'));
  const [, count] = /COUNT=(\d+)/.exec(rrule) ?? [];
  return count === undefined ? '' : texts.times(count);
}
