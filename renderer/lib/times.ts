import { isSameYear, startOfDay } from 'date-fns';
import { hoursOf, onTheWall } from './clock.ts';
import { writePattern } from './write-pattern.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A moment by a pattern of date-fns with 12 hours, as the member reads times: by their clock, in their time zone.
 */
export const writeTime = (time: Date, pattern: string): string => writePattern(onTheWall(time), hoursOf(pattern));

/** Arrival time on an alert's card, in the reader's time zone. */
export const formatCardTime = (time: Date): string => writeTime(time, 'MMM d, h:mm a');

/** Time of an entry in an alert's history. */
export const formatHistoryTime = (time: Date): string => writeTime(time, 'MMM d, yyyy h:mm a');

/** Date of an account's creation. */
export const formatDate = (time: Date): string => writeTime(time, 'MMM d, yyyy');

/** When a customer was last named by an alert. */
export const formatLastSeen = (time: Date): string => writeTime(time, "MMM d, yyyy 'at' h:mm a");

/** The long date of API keys. */
export const formatLongDate = (time: Date): string => writeTime(time, 'MMMM do, yyyy');

/** A moment to the second with its time zone, for tooltips. */
export const formatExactTime = (time: Date): string => writeTime(time, "EEEE, MMM d, yyyy 'at' h:mm:ss a (O)");

/** A moment found in a payload: as on cards, with the year when it is another one than `now`'s. */
export const formatFieldTime = (time: Date, now: Date): string =>
  writeTime(time, isSameYear(onTheWall(time), onTheWall(now)) ? 'MMM d, h:mm a' : 'MMM d, yyyy, h:mm a');

/**
 * How long ago `time` was, within the hour; undefined when it is longer. A clock that is ahead of this
 * one by less than a minute still reads "just now".
 */
export function formatAgo(time: Date, now: Date): string | undefined {
  const age = now.getTime() - time.getTime();
  if (age <= -MINUTE_MS || age >= HOUR_MS) return undefined;
  return age < MINUTE_MS ? 'just now' : `${Math.floor(age / MINUTE_MS)} min ago`;
}

const two = (part: number): string => String(part).padStart(2, '0');

/** The day of a moment where the person is: "2026-11-21". */
export function dateOf(time: Date): string {
  const wall = onTheWall(time);
  return `${wall.getFullYear()}-${two(wall.getMonth() + 1)}-${two(wall.getDate())}`;
}

/** A moment that is over: "8:41 PM" today, else "Nov 9", with the year when it is another one. */
export function formatPast(time: Date, now: Date): string {
  if (dateOf(time) === dateOf(now)) return writeTime(time, 'h:mm a');
  return formatDay(time, now);
}

/** A day: "Nov 9", with the year when it is another one than `now`'s. */
export const formatDay = (time: Date, now: Date): string =>
  writeTime(time, isSameYear(onTheWall(time), onTheWall(now)) ? 'MMM d' : 'MMM d, yyyy');

/** The beginning of a day where the person is. */
const dayOf = (time: Date): number => startOfDay(onTheWall(time)).getTime();

/** A moment: "2:00 PM" today, "tomorrow 9:00 AM", "Mon 9:00 AM" within the week to come, else "Dec 24, 9:00 AM". */
export function formatMoment(time: Date, now: Date): string {
  // Days are 23 to 25 hours long where the clocks change.
  const days = Math.round((dayOf(time) - dayOf(now)) / DAY_MS);
  if (days === 0) return writeTime(time, 'h:mm a');
  if (days === 1) return writeTime(time, "'tomorrow' h:mm a");
  if (days > 1 && days < 7) return writeTime(time, 'EEE h:mm a');
  return writeTime(time, isSameYear(onTheWall(time), onTheWall(now)) ? 'MMM d, h:mm a' : 'MMM d, yyyy, h:mm a');
}
