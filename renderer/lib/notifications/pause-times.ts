import { addDays, addHours, format, isSameDay, set } from 'date-fns';

/** When "until tomorrow" ends: the hour at which a working day begins. */
const MORNING = 8;

/** An hour from now. */
export const inAnHour = (now: Date): Date => addHours(now, 1);

/** The next morning, by the clock on the wall. Who pauses after midnight means the morning that comes. */
export function tomorrowMorning(now: Date): Date {
  const morning = set(now, { hours: MORNING, minutes: 0, seconds: 0, milliseconds: 0 });
  return now.getHours() < 4 ? morning : addDays(morning, 1);
}

/** The end of a pause as people say it: the day only when it is another one. */
export const pauseWords = (until: Date, now: Date): string =>
  format(until, isSameDay(until, now) ? 'h:mm a' : 'MMM d, h:mm a');
