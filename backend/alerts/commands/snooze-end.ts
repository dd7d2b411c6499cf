import { MAX_SNOOZE_MINUTES, type SnoozedUntil } from '#backend/contract/alert.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';

const MINUTE_MS = 60_000;

/** How long a snooze lasts, as a request says it: one of the two. */
interface Wanted {
  until?: SnoozedUntil | undefined;
  minutes?: number | undefined;
}

/**
 * When a snooze ends, in milliseconds; minutes go by this server's clock.
 *
 * @throws {ProblemError} 422 when the time has passed, or is more than 366 days ahead.
 */
export function snoozeEndOf({ until, minutes = 0 }: Wanted, now = Date.now()): number {
  if (until === 'next-firing') return UNTIL_NEXT_FIRING;
  const end = until === undefined ? now + minutes * MINUTE_MS : Date.parse(until);
  if (end <= now) throw unacceptable('This time has passed. Choose a later one.');
  if (end > now + MAX_SNOOZE_MINUTES * MINUTE_MS) throw unacceptable('Choose a time within the next 366 days.');
  return end;
}
