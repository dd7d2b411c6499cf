import {
  type Beat,
  type BeatKind,
  type Heartbeat,
  type HeartbeatSchedule,
  type HeartbeatState,
  spanText,
} from '#backend/contract/heartbeat.ts';
import { formatSpan } from '#renderer/features/sources/shown/ages.ts';
import { writeTime } from '#renderer/lib/times.ts';
import * as common from '#renderer/lib/texts.ts';

export const STATE_LABELS: Record<HeartbeatState, string> = {
  missing: 'Missing',
  late: 'Late',
  failed: 'Failed',
  running: 'Running',
  ok: 'OK',
  paused: 'Paused',
  new: 'Never called',
};

export const SEVERITY_LABELS = {
  critical: 'Critical',
  high: 'High',
  warning: 'Warning',
  low: 'Low',
  info: 'Info',
} as const;

export const BEAT_LABELS: Record<BeatKind, string> = {
  ok: 'In time',
  late: 'Late',
  failed: 'Failed',
  missing: 'Missing',
  overrun: 'Did not finish',
  unjudged: 'Not judged, Alertdesk was off',
};

/** A heartbeat's state with how long it has been in it, where that matters. */
export function stateLabel({ state, since }: Pick<Heartbeat, 'state' | 'since'>, now: Date): string {
  if (since === null) return STATE_LABELS[state];
  const span = formatSpan(Math.max(0, now.getTime() - Date.parse(since)));
  if (state === 'missing') return `Missing for ${span}`;
  if (state === 'failed') return `Failed ${span} ago`;
  return state === 'late' ? `Late by ${span}` : STATE_LABELS[state];
}

/** A time of day as the reader writes times, whatever the time zone: cron expressions have their own. */
function timeOfDay(hour: number, minute: number): string {
  const sample = new Date(Date.UTC(2026, 0, 1, hour, minute));
  const is24 = !/[ap]m/i.test(writeTime(sample, 'h:mm a'));
  const two = String(minute).padStart(2, '0');
  if (is24) return `${String(hour).padStart(2, '0')}:${two}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}:${two} ${hour < 12 ? 'AM' : 'PM'}`;
}

const DAYS: Record<string, string> = {
  '*': 'Daily',
  '1-5': 'Weekdays',
  'mon-fri': 'Weekdays',
  '0,6': 'Weekends',
  '6,0': 'Weekends',
  '6,7': 'Weekends',
};
const SHORT_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function daysText(field: string): string | undefined {
  const known = DAYS[field.toLowerCase()];
  if (known !== undefined) return known;
  const at = /^[0-7]$/.test(field) ? Number(field) % 7 : SHORT_DAYS.indexOf(field.toLowerCase());
  const name = common.weekdays.split(' ')[at];
  return name === undefined ? undefined : `${name}s`;
}

/** Intervals that have a name of their own, in seconds. */
const EVERY_MINUTE = 'Every minute';
const RHYTHMS: Readonly<Record<number, string>> = { 60: EVERY_MINUTE, 3_600: 'Hourly', 86_400: 'Daily' };

/** When a heartbeat is expected: plain English for usual schedules, the expression itself for others. */
export function scheduleText(schedule: HeartbeatSchedule): string {
  if (schedule.kind === 'interval') {
    const { everySeconds } = schedule;
    return RHYTHMS[everySeconds] ?? `Every ${spanText(everySeconds)}`;
  }
  const [minute = '', hour = '', day, month, weekday = '', ...more] = schedule.expression.trim().split(/\s+/);
  const isSimple = day === '*' && month === '*' && more.length === 0;
  if (isSimple && hour === '*' && weekday === '*') {
    if (minute === '*') return EVERY_MINUTE;
    const step = /^\*\/(\d+)$/.exec(minute)?.[1];
    if (step !== undefined) return `Every ${step} min`;
    if (/^\d+$/.test(minute)) return Number(minute) === 0 ? 'Hourly' : `Hourly at :${minute.padStart(2, '0')}`;
  }
  const days = daysText(weekday);
  if (isSimple && /^\d+$/.test(minute) && /^\d+$/.test(hour) && days !== undefined) {
    return `${days} at ${timeOfDay(Number(hour), Number(minute))}`;
  }
  return schedule.expression;
}

/** The grace, and the place that names the time zone. */
export function graceText({ graceSeconds, schedule }: Pick<Heartbeat, 'graceSeconds' | 'schedule'>): string {
  const grace = `grace ${spanText(graceSeconds)}`;
  if (schedule.kind === 'interval') return grace;
  return `${grace}, ${schedule.timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''}`;
}

/** What the strip of a heartbeat shows, in one line: "98 of 100 in time, 1 late, 1 missing". */
export function stripLabel(beats: readonly Beat[]): string {
  const count = (...kinds: BeatKind[]): number => beats.filter(({ kind }) => kinds.includes(kind)).length;
  const parts = [
    `${count('ok')} of ${beats.length} in time`,
    ...[
      [count('late'), 'late'],
      [count('missing'), 'missing'],
      [count('failed'), 'failed'],
      [count('overrun'), 'not finished'],
      [count('unjudged'), 'not judged'],
    ].flatMap(([number, label]) => (number === 0 ? [] : [`${number} ${label}`])),
  ];
  return parts.join(', ');
}

/** One beat in one line: time, what it was, duration, exit code, last line. */
export function beatLabel({ at, kind, durationMs, exitCode, line }: Beat): string {
  const parts = [writeTime(new Date(at), 'MMM d, h:mm:ss a'), BEAT_LABELS[kind]];
  if (durationMs !== undefined) parts.push(`ran ${formatSpan(durationMs)}`);
  if (exitCode !== undefined) parts.push(`exit code ${exitCode}`);
  if (line !== undefined) parts.push(line);
  return parts.join(' · ');
}
