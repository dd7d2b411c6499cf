import { onTheWall } from '#renderer/lib/clock.ts';
import { differenceInMilliseconds, isSameDay } from 'date-fns';
import { writeTime } from '#renderer/lib/times.ts';
import * as texts from './texts.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A length of time in its largest unit: `40 s`, `5 min`, `3 h`, `2 d`. */
export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < 60) return `${Math.max(1, seconds)} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(ms / HOUR_MS);
  if (hours < 48) return `${hours} h`;
  return `${Math.round(ms / DAY_MS)} d`;
}

const SINGLE: Readonly<Record<string, string>> = { '1 s': 'second', '1 min': 'minute', '1 h': 'hour' };

/** A length of time after "every": `minute`, `5 min`. */
export function formatInterval(ms: number): string {
  const span = formatSpan(ms);
  return SINGLE[span] ?? span;
}

/** The time left until `time`: `23 h`, `12 min`; undefined when it is over. */
export function formatLeft(time: Date, now: Date): string | undefined {
  const left = differenceInMilliseconds(time, now);
  if (left <= 0) return undefined;
  if (left < MINUTE_MS) return texts.lessThan1Min;
  return left < HOUR_MS ? `${Math.floor(left / MINUTE_MS)} min` : `${Math.floor(left / HOUR_MS)} h`;
}

/** A moment of the log to the second; the date only when it is not today's. */
export const formatLogTime = (time: Date, now: Date): string =>
  writeTime(time, isSameDay(onTheWall(time), onTheWall(now)) ? 'h:mm:ss a' : 'MMM d, h:mm:ss a');

/** A delivery's moment where it is the page's title. */
export const formatMoment = (time: Date): string => writeTime(time, 'MMM d, h:mm:ss a');
