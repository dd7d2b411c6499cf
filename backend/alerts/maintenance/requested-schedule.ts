import { MAX_WINDOW_MINUTES, type NewWindow } from '#backend/contract/maintenance.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { RepeatRuleError } from './repeat-rule.ts';
import { type Schedule, nextSpans, overlapsItself } from './schedule.ts';

const MINUTE_MS = 60_000;

/** 422 at a field. */
export const refuse = (path: string, message: string) => unacceptable(message, [{ path, message }]);

/** A schedule as requests write it. */
type RequestedSchedule = Pick<NewWindow, 'startsAt' | 'minutes' | 'endsAt' | 'timeZone' | 'rrule'>;

/** A schedule that was requested. @throws {ProblemError} 422 for one that can never be on */
export function scheduleOf(requested: RequestedSchedule, now: number): Schedule {
  const schedule = timesOf(requested, now);
  const { rrule } = schedule;
  try {
    if (nextSpans(schedule, now, 1).length === 0) {
      if (rrule === null) throw refuse('startsAt', 'This time has passed. Choose a later one.');
      throw refuse('rrule', 'By this rule it is never on again.');
    }
    if (overlapsItself(schedule)) throw refuse('minutes', 'It would begin again before it has ended.');
  } catch (error) {
    if (error instanceof RepeatRuleError) throw refuse('rrule', error.message);
    throw error;
  }
  return schedule;
}

function timesOf({ startsAt, minutes, endsAt, timeZone, rrule }: RequestedSchedule, now: number): Schedule {
  const isNow = startsAt === 'now';
  if (endsAt === undefined) {
    if (minutes === undefined) throw refuse('minutes', 'Say for how many minutes it is on.');
    return { startsAt: isNow ? now : Date.parse(startsAt), minutes, timeZone, rrule };
  }
  if (!isNow || minutes !== undefined) {
    throw refuse('endsAt', 'Only a window that starts now can have its end in place of its minutes.');
  }
  const end = Date.parse(endsAt);
  const length = Math.ceil((end - now) / MINUTE_MS);
  if (length < 1 || length > MAX_WINDOW_MINUTES)
    throw refuse('endsAt', 'Choose an end that is to come, 31 days from now at most.');
  // Whole minutes before its end, it starts up to a minute before now.
  return { startsAt: end - length * MINUTE_MS, minutes: length, timeZone, rrule };
}
