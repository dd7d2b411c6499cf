import type { WindowSchedule } from '#backend/contract/maintenance.ts';
import { shownAt, writeIn } from '#renderer/lib/times-in-zone.ts';
import { writePattern } from '#renderer/lib/write-pattern.ts';
import * as texts from './schedule-texts.ts';

const MINUTE_MS = 60_000;

const CLOCK = 'h:mm a';
const DAY = 'EEE, MMM d';

/** "10:00 PM – 1:00 AM", with the day of the end where it is further away than the next. */
export function spanText(startsAt: number, endsAt: number, timeZone: string): string {
  const isLong = endsAt - startsAt >= 24 * 60 * MINUTE_MS;
  return `${writeIn(startsAt, timeZone, CLOCK)} – ${writeIn(endsAt, timeZone, isLong ? `${DAY}, ${CLOCK}` : CLOCK)}`;
}

export const dayText = (at: number, timeZone: string): string => writeIn(at, timeZone, DAY);

/** When a window is on, as a sentence. */
export function scheduleSentence({ startsAt, minutes, timeZone, rrule }: WindowSchedule, isNow = false): string {
  const start = Date.parse(startsAt);
  const end = start + minutes * MINUTE_MS;
  const zone = texts.zoneName(timeZone);
  const whole = `${DAY}, ${CLOCK}`;
  if (rrule === null) {
    const to = writeIn(end, timeZone, whole);
    return isNow ? texts.fromNow(to) : texts.once(writeIn(start, timeZone, whole), to, zone);
  }
  const rule = texts.ruleSentence(rrule);
  const from = writeIn(start, timeZone, CLOCK);
  const last = lastOf(rrule);
  const isSameDay = shownAt(start, timeZone).date === shownAt(end, timeZone).date;
  const hasOneDay = /BYDAY=[A-Z]{2}(?:;|$)/.test(rrule);
  if (!isSameDay && !hasOneDay) return texts.repeatingFor(rule, from, texts.lengthOf(minutes), last, zone);
  const to = writeIn(end, timeZone, isSameDay ? CLOCK : `EEEE ${CLOCK}`);
  return minutes > 24 * 60
    ? texts.repeatingFor(rule, from, texts.lengthOf(minutes), last, zone)
    : texts.repeating(rule, from, to, last, zone);
}

function lastOf(rrule: string): string {
  const [, year, month, day] = /UNTIL=(\d{4})(\d{2})(\d{2})/.exec(rrule) ?? [];
  if (year !== undefined)
    return texts.untilDate(writePattern(new Date(`${year}-${month}-${day}T12:00`), 'MMM d, yyyy'));
  const [, count] = /COUNT=(\d+)/.exec(rrule) ?? [];
  return count === undefined ? '' : texts.times(count);
}
