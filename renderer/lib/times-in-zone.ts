import { utcOffsetAt } from '#backend/contract/search-times.ts';
import { hoursOf } from './clock.ts';
import { writePattern } from './write-pattern.ts';

/** What clocks of a time zone show: day and time. */
export function shownAt(at: number, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Date(at + utcOffsetAt(at, timeZone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

/** A moment by the clocks of a time zone, by a pattern of date-fns. */
export function writeIn(at: number, timeZone: string, pattern: string): string {
  const { date, time } = shownAt(at, timeZone);
  return writePattern(new Date(`${date}T${time}`), hoursOf(pattern));
}
