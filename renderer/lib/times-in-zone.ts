import { instantOf, utcOffsetAt } from '#backend/contract/search-times.ts';
import { hoursOf, timeZoneHere } from './clock.ts';
import { writePattern } from './write-pattern.ts';

/** What clocks of a time zone show: day and time. */
export function shownAt(at: number, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Date(at + utcOffsetAt(at, timeZone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

/** What clocks of another time zone show. The reader's own zone may leave that time out, so its parts are those of UTC. */
class ShownTime extends Date {
  override getFullYear = (): number => this.getUTCFullYear();
  override getMonth = (): number => this.getUTCMonth();
  override getDate = (): number => this.getUTCDate();
  override getDay = (): number => this.getUTCDay();
  override getHours = (): number => this.getUTCHours();
  override getMinutes = (): number => this.getUTCMinutes();
}

/** A moment by the clocks of a time zone, by a pattern of date-fns without seconds and offset. */
export const writeIn = (at: number, timeZone: string, pattern: string): string =>
  writePattern(new ShownTime(at + utcOffsetAt(at, timeZone)), hoursOf(pattern));

/**
 * The moment that a field for date and time (`2026-11-21T09:30`) means by the clock of the member's wall: where clocks leave
 * the time out, when they do; where they show it twice, the first that is to come. No valid date when the field has none.
 */
export function typedMoment(value: string, now: Date): Date {
  const local = Date.parse(`${value}Z`);
  return new Date(Number.isNaN(local) ? local : instantOf(local, timeZoneHere(), now.getTime()));
}
