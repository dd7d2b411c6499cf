import { clocksSetBetween, startOfDay, utcOffsetAt } from '#backend/contract/search-times.ts';
import { addDays, daysBetween } from '#backend/contract/insight.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Hours of the week. */
export const WEEK_HOURS = 7 * 24;

/** Days of a calendar, by the clocks of a time zone. */
export interface Calendar {
  dates: string[];
  /** When each day begins, and when the last one ends. Where clocks are changed, days have 23 or 25 hours. */
  starts: number[];
  /** When clocks are set, with how far ahead of UTC they are from then on. The first stands at the beginning. */
  offsets: { from: number; ahead: number }[];
}

export function calendarOf(from: string, to: string, timeZone: string): Calendar {
  const dates = Array.from({ length: daysBetween(from, to) }, (_, day) => addDays(from, day));
  const starts = [...dates, addDays(to, 1)].map((date) => startOfDay(date, timeZone));
  return { dates, starts, offsets: offsetsOf(starts, timeZone) };
}

function offsetsOf(starts: readonly number[], timeZone: string): Calendar['offsets'] {
  const [first = 0] = starts;
  const last = starts.at(-1) ?? first;
  let ahead = utcOffsetAt(first, timeZone);
  const offsets = [{ from: first, ahead }];
  // No time zone sets its clocks twice within a day.
  for (let from = first; from < last; from += DAY_MS) {
    const to = Math.min(from + DAY_MS, last);
    const later = utcOffsetAt(to, timeZone);
    if (later === ahead) continue;
    ahead = later;
    offsets.push({ from: clocksSetBetween(from, to, timeZone), ahead });
  }
  return offsets;
}

/** The hour of the week at a local time: 0 for Monday from 00:00 to 01:00. The epoch began on a Thursday. */
export const weekHourOf = (local: number): number => Math.floor(local / HOUR_MS + 3 * 24) % WEEK_HOURS;

/** How much time of a calendar each hour of the week has, up to a moment, in hours. An hour that clocks repeat counts twice. */
export function hoursOf({ starts, offsets }: Calendar, until: number): number[] {
  const hours = Array.from({ length: WEEK_HOURS }, () => 0);
  const end = Math.min(starts.at(-1) ?? 0, until);
  for (const [at, { from, ahead }] of offsets.entries()) {
    const stop = Math.min(offsets[at + 1]?.from ?? end, end);
    for (let moment = from; moment < stop;) {
      const local = moment + ahead;
      const next = Math.min((Math.floor(local / HOUR_MS) + 1) * HOUR_MS - ahead, stop);
      const hour = weekHourOf(local);
      hours[hour] = (hours[hour] ?? 0) + (next - moment) / HOUR_MS;
      moment = next;
    }
  }
  return hours;
}

/** Finds the place of a moment among ascending beginnings: the last that is not after it. Moments mostly come in order. */
export function createFinder(beginnings: readonly number[]): (moment: number) => number {
  let place = 0;
  return (moment) => {
    while (place > 0 && moment < (beginnings[place] ?? 0)) place -= 1;
    while (place + 1 < beginnings.length && moment >= (beginnings[place + 1] ?? 0)) place += 1;
    return place;
  };
}
