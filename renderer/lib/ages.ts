import { differenceInMilliseconds } from 'date-fns';
import * as texts from './page-texts.ts';
import { formatAgo } from './times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long ago `time` was, within a day: `just now`, `26 min ago`, `3 h ago`; undefined when it is longer. */
export function formatAgoInHours(time: Date, now: Date): string | undefined {
  const ago = formatAgo(time, now);
  const age = differenceInMilliseconds(now, time);
  if (ago !== undefined || age < HOUR_MS || age >= DAY_MS) return ago;
  return texts.hoursAgo(Math.floor(age / HOUR_MS));
}
