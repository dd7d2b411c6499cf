import { instantOf, utcOffsetAt } from '#backend/contract/search-times.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A digest that could not be sent in time is sent so much later at most, in milliseconds; then the day has none. */
export const LATE_MS = 3 * 60 * 60 * 1000;

/** A day's digest: the day (`2026-11-23`) where the member is, and when it is due there. */
export interface DueDigest {
  day: string;
  at: number;
}

const dayAt = (at: number, timeZone: string, later = 0): string =>
  new Date(at + utcOffsetAt(at, timeZone) + later * DAY_MS).toISOString().slice(0, 10);

/**
 * The digest that was due last by the clocks of a time zone. A time that they leave out is the moment at which they leave it
 * out; of one that they show twice, the first.
 *
 * @param clock `HH:MM`
 */
export function lastDigest(clock: string, timeZone: string, now: number): DueDigest {
  for (let back = 0; ; back += 1) {
    const day = dayAt(now, timeZone, -back);
    const at = instantOf(Date.parse(`${day}T${clock}Z`), timeZone);
    if (at <= now) return { day, at };
  }
}

/** What is to be done about the digest that was due last: send it, leave its day out, or nothing. */
export type DigestDecision = 'send' | 'skip' | 'done';

/**
 * @param doneDay the last day that was decided on; days are compared as texts, so no day comes twice, whatever becomes of
 * clocks and time zones. One that is more than a day ahead is of a clock that was set back since: it is forgotten, and the
 * next day has a digest again.
 * @param from when its time was chosen: what was due before is left out, without deciding on the day, for which a later time
 * may be chosen. Null, or after `now` where a clock was set back: it is not known.
 */
export function decideDigest(
  { doneDay, from }: { doneDay: string | null; from: number | null },
  due: DueDigest,
  timeZone: string,
  now: number,
): DigestDecision {
  if (doneDay !== null && doneDay > dayAt(now, timeZone, 1)) return 'skip';
  if (doneDay !== null && doneDay >= due.day) return 'done';
  if (from !== null && due.at < from && from <= now) return 'done';
  return now - due.at > LATE_MS ? 'skip' : 'send';
}

/** When the local day ends that a moment is in. */
export const endOfDay = (now: number, timeZone: string): number =>
  instantOf(Date.parse(dayAt(now, timeZone, 1)), timeZone);
