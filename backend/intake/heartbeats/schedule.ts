import { Cron } from 'croner';
import type { HeartbeatSchedule } from '#backend/contract/heartbeat.ts';

/** A call that comes so little before its time counts for it: clocks of machines differ. In milliseconds. */
const EARLY_MS = 60_000;

/** A call is late by more than a quarter of the grace, and by this at most, in milliseconds. */
const LATE_MS = 60_000;

/** Expressions that were read, the newest last; taking one apart costs more than asking it. */
const KNOWN = new Map<string, Cron>();
const MAX_KNOWN = 1_000;

function readCron(expression: string, timeZone: string): Cron {
  const key = `${timeZone} ${expression}`;
  const known = KNOWN.get(key);
  if (known) return known;
  // Without a function nothing is ever started. An expression of six fields would be one of seconds.
  const cron = new Cron(expression, { timezone: timeZone, paused: true, mode: '5-part' });
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(key, cron);
  return cron;
}

/** Five fields, or a nickname such as `@daily`; croner would take dates as well. */
const CRON_TEXT = /^(?:@[a-z]+|\S+(?:\s+\S+){4})$/i;

/** What is wrong with a cron expression, as a sentence; undefined where it names times to come. */
export function faultOfCron(expression: string, timeZone: string, now: number): string | undefined {
  const form = 'Write five fields: minute, hour, day of the month, month, day of the week.';
  if (!CRON_TEXT.test(expression.trim())) return form;
  try {
    if (readCron(expression, timeZone).nextRun(new Date(now)) === null) return 'This never comes.';
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^Cron\w*: /, '') : '';
    return said === '' ? form : `${said.charAt(0).toUpperCase()}${said.slice(1).replace(/\.$/, '')}.`;
  }
}

/**
 * The first time of a cron expression after a moment, in milliseconds; `undefined` where none comes. Where clocks are put
 * forward, a time that is skipped is the first moment after the gap; where they are put back, a time that comes twice counts once,
 * and one of every hour or every few minutes counts in both. So does cron itself
 * (https://github.com/cronie-crond/cronie/blob/master/man/cron.8).
 */
export const nextCron = (expression: string, timeZone: string, after: number): number | undefined =>
  readCron(expression, timeZone).nextRun(new Date(after))?.getTime();

/** When the next call is due after one at this moment. One that comes a little early counts for the time that it is early for. */
export function dueAfter(schedule: HeartbeatSchedule, at: number): number | undefined {
  if (schedule.kind === 'interval') return at + schedule.everySeconds * 1000;
  const { expression, timeZone } = schedule;
  const next = nextCron(expression, timeZone, at);
  if (next === undefined || next - at > EARLY_MS) return next;
  const second = nextCron(expression, timeZone, next);
  return second !== undefined && next - at <= (second - next) / 4 ? second : next;
}

/** The first time that is due at a moment or later, of a schedule that was due at another before that. */
export function dueFrom(schedule: HeartbeatSchedule, dueAt: number, from: number): number | undefined {
  if (schedule.kind === 'cron') return nextCron(schedule.expression, schedule.timeZone, from - 1);
  const everyMs = schedule.everySeconds * 1000;
  return dueAt + Math.max(1, Math.ceil((from - dueAt) / everyMs)) * everyMs;
}

/** The next times of a schedule, for people who write one. */
export function nextTimes(schedule: HeartbeatSchedule, from: number, count: number): number[] {
  const times: number[] = [];
  for (let at: number | undefined = from; times.length < count;) {
    at =
      schedule.kind === 'interval'
        ? at + schedule.everySeconds * 1000
        : nextCron(schedule.expression, schedule.timeZone, at);
    if (at === undefined) break;
    times.push(at);
  }
  return times;
}

/** By how much a call may come after its time and still be in time, in milliseconds: jobs start and lines are slow. */
export const lateAfterMs = (graceMs: number): number => Math.min(LATE_MS, graceMs / 4);
