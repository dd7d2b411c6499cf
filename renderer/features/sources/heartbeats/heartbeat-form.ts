import {
  type Heartbeat,
  type HeartbeatSchedule,
  type HeartbeatSeverity,
  MAX_GRACE_SECONDS,
  MAX_INTERVAL_SECONDS,
  MIN_GRACE_SECONDS,
  MIN_INTERVAL_SECONDS,
  type NewHeartbeat,
  UNIT_SECONDS,
  spanOf,
} from '#backend/contract/heartbeat.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import * as texts from './texts.tsx';

/** A span as it is written. */
export interface WrittenSpan {
  count: string;
  unit: texts.UnitName;
}

/** A heartbeat as it is written. */
export interface WrittenHeartbeat {
  name: string;
  customer: string;
  kind: HeartbeatSchedule['kind'];
  every: WrittenSpan;
  expression: string;
  timeZone: string;
  grace: WrittenSpan;
  severity: HeartbeatSeverity;
  sourceId: string;
}

const written = (seconds: number): WrittenSpan => {
  const [count, unit] = spanOf(seconds);
  return { count: String(count), unit };
};

/** What the form begins with. */
export function startOf(before: Heartbeat | undefined): WrittenHeartbeat {
  const schedule = before?.schedule;
  return {
    name: before?.name ?? '',
    customer: before?.customer ?? '',
    kind: schedule?.kind ?? 'interval',
    every: written(schedule?.kind === 'interval' ? schedule.everySeconds : 3_600),
    expression: schedule?.kind === 'cron' ? schedule.expression : '0 2 * * *',
    timeZone: schedule?.kind === 'cron' ? schedule.timeZone : timeZoneHere(),
    grace: written(before?.graceSeconds ?? 300),
    severity: before?.severity ?? 'high',
    sourceId: before?.sourceId ?? '',
  };
}

const secondsOf = ({ count, unit }: WrittenSpan): number => Number(count) * UNIT_SECONDS[unit];

const isWithin = (seconds: number, least: number, most: number): boolean =>
  Number.isInteger(seconds) && seconds >= least && seconds <= most;

/** The schedule as it is written; undefined while it is none. */
export function scheduleIn({ kind, every, expression, timeZone }: WrittenHeartbeat): HeartbeatSchedule | undefined {
  if (kind === 'cron') return expression.trim() === '' ? undefined : { kind, expression: expression.trim(), timeZone };
  const everySeconds = secondsOf(every);
  return isWithin(everySeconds, MIN_INTERVAL_SECONDS, MAX_INTERVAL_SECONDS) ? { kind, everySeconds } : undefined;
}

/** What is still missing, as a sentence. */
export function missingIn(form: WrittenHeartbeat): string | undefined {
  if (form.name.trim() === '') return texts.giveName;
  if (!scheduleIn(form)) return texts.giveTimes;
  return isWithin(secondsOf(form.grace), MIN_GRACE_SECONDS, MAX_GRACE_SECONDS) ? undefined : texts.giveGrace;
}

/** What is sent of a form in which nothing is missing. */
export function fieldsIn(form: WrittenHeartbeat): NewHeartbeat {
  return {
    name: form.name.trim(),
    customer: form.customer.trim() === '' ? null : form.customer.trim(),
    schedule: scheduleIn(form) ?? { kind: 'interval', everySeconds: secondsOf(form.every) },
    graceSeconds: secondsOf(form.grace),
    severity: form.severity,
    sourceId: form.sourceId === '' ? null : form.sourceId,
  };
}
