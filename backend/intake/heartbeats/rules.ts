import type { BeatKind, HeartbeatSchedule } from '#backend/contract/heartbeat.ts';
import { dueAfter, dueFrom, lateAfterMs } from './schedule.ts';

/** When a heartbeat is expected. */
export interface Expected {
  schedule: HeartbeatSchedule;
  graceMs: number;
}

/** How a heartbeat stands. Times are milliseconds since the epoch. */
export interface Standing {
  /** `new`: it was never called. `down`: it is missing, which expects nothing more, or has failed, and its alert was made. */
  status: 'new' | 'up' | 'down';
  downReason: 'missing' | 'overrun' | 'failed' | null;
  downSince: number | null;
  /** When the next call is due; null while none is expected. */
  dueAt: number | null;
  /** From when on it is late. */
  lateAt: number | null;
  /** When it is missing unless it is called; null while nothing is to be judged. */
  judgeAt: number | null;
  /** When the run began that has not ended, and which one that is by its caller; null without one. */
  startedAt: number | null;
  runId: string | null;
  pausedAt: number | null;
  lastBeatAt: number | null;
}

/** How a heartbeat stands, of whatever else is known of it. */
export const standingOf = ({
  status,
  downReason,
  downSince,
  dueAt,
  lateAt,
  judgeAt,
  startedAt,
  runId,
  pausedAt,
  lastBeatAt,
}: Standing): Standing => ({
  status,
  downReason,
  downSince,
  dueAt,
  lateAt,
  judgeAt,
  startedAt,
  runId,
  pausedAt,
  lastBeatAt,
});

/** What a call says. */
export interface Signal {
  kind: 'success' | 'start' | 'fail' | 'log';
  exitCode?: number | undefined;
  runId?: string | undefined;
}

/** A beat as it is kept. */
export interface Bar {
  kind: BeatKind;
  at: number;
  durationMs: number | null;
  exitCode: number | null;
}

/** What becomes of a heartbeat. */
export interface Step {
  standing: Standing;
  bar?: Bar;
  /** What its alert is reported as; absent where nothing is reported. */
  report?: 'missing' | 'overrun' | 'failed' | 'resolved';
}

const UP = { status: 'up', downReason: null, downSince: null } as const;

/** When it is due and judged, by the time that it is due at and the run that has not ended. */
function judging({ graceMs }: Expected, dueAt: number | undefined, startedAt: number | null) {
  const from = Math.min(dueAt ?? Infinity, startedAt ?? Infinity);
  return {
    dueAt: dueAt ?? null,
    lateAt: dueAt === undefined ? null : dueAt + lateAfterMs(graceMs),
    judgeAt: from === Infinity ? null : from + graceMs,
  };
}

/**
 * What a call does. Starts, ends and failures are those of Healthchecks (https://healthchecks.io/docs/http_api/): the run that
 * started last is the one that is watched, and being late and running share the grace, so that a job that starts again and again
 * and never ends is missing.
 */
export function takeSignal(expected: Expected, before: Standing, signal: Signal, now: number): Step {
  if (signal.kind === 'log') return { standing: before };
  if (signal.kind === 'start') return start(expected, before, signal.runId ?? null, now);
  const isRun = before.startedAt !== null && before.runId === (signal.runId ?? null);
  const endsRun = isRun || signal.kind === 'fail' || signal.runId === undefined;
  const startedAt = endsRun ? null : before.startedAt;
  const ended = { startedAt, runId: endsRun ? null : before.runId, lastBeatAt: now };
  const isPaused = before.pausedAt !== null;
  const failed = signal.kind === 'fail';
  const bar: Bar = {
    kind: failed ? 'failed' : isLate(before, isRun ? before.startedAt : null, now) ? 'late' : 'ok',
    at: now,
    durationMs: isRun && before.startedAt !== null ? Math.max(0, now - before.startedAt) : null,
    exitCode: signal.exitCode ?? null,
  };
  if (isPaused) return { standing: { ...before, ...ended, ...UP }, bar };
  const next = judging(expected, dueAfter(expected.schedule, now), startedAt);
  if (failed) {
    // The next call is expected all the same: its alert may be completed, and the job never run again.
    const down = { status: 'down', downReason: 'failed', downSince: now } as const;
    return { standing: { ...before, ...ended, ...down, ...next }, bar, report: 'failed' };
  }
  return {
    standing: { ...before, ...ended, ...UP, ...next },
    bar,
    ...(before.status === 'down' && { report: 'resolved' }),
  };
}

/** A run that began in time is in time, however long it takes within the grace. */
const isLate = ({ lateAt }: Standing, startedAt: number | null, now: number): boolean =>
  lateAt !== null && (startedAt ?? now) > lateAt;

/** What is missing stays so until it is called, however long that takes: it is one miss. */
const isMissing = ({ status, downReason }: Pick<Standing, 'status' | 'downReason'>): boolean =>
  status === 'down' && downReason !== 'failed';

function start(expected: Expected, before: Standing, runId: string | null, now: number): Step {
  const began = { ...before, startedAt: now, runId };
  if (before.pausedAt !== null || isMissing(before)) return { standing: began };
  return { standing: { ...began, ...judging(expected, before.dueAt ?? undefined, now) } };
}

/** What happens when the time of a heartbeat is over; undefined when it is not, or nothing is expected. */
export function judge(before: Standing, now: number): Step | undefined {
  const { judgeAt, startedAt } = before;
  if (judgeAt === null || judgeAt > now || before.pausedAt !== null || isMissing(before)) return undefined;
  const downReason = startedAt === null ? 'missing' : 'overrun';
  return {
    standing: { ...before, status: 'down', downReason, downSince: judgeAt, dueAt: null, lateAt: null, judgeAt: null },
    bar: { kind: downReason, at: judgeAt, durationMs: null, exitCode: null },
    report: downReason,
  };
}

/** A heartbeat that is paused expects nothing, and its alert ends. */
export function pause(before: Standing, now: number): Step {
  const quiet = { pausedAt: now, dueAt: null, lateAt: null, judgeAt: null, startedAt: null, runId: null };
  if (before.status !== 'down') return { standing: { ...before, ...quiet } };
  return { standing: { ...before, ...quiet, ...UP }, report: 'resolved' };
}

/** From now on it is expected as after a call. One that was never called waits for its first. */
export function resume(expected: Expected, before: Standing, now: number): Standing {
  const going = { ...before, pausedAt: null };
  if (before.status === 'new') return going;
  return { ...going, ...judging(expected, dueAfter(expected.schedule, now), null) };
}

/**
 * It is expected at other times from now on, or with another grace.
 *
 * @param isSame its schedule stays: what is due stays due, also where that is over
 */
export function reschedule(expected: Expected, before: Standing, now: number, isSame: boolean): Standing {
  if (before.pausedAt !== null || before.status === 'new' || isMissing(before)) {
    // A first run that has started is judged by the new grace.
    return before.status === 'new' && before.startedAt !== null && before.pausedAt === null
      ? { ...before, ...judging(expected, undefined, before.startedAt) }
      : before;
  }
  const { schedule } = expected;
  const from = schedule.kind === 'interval' ? (before.lastBeatAt ?? now) : now;
  const dueAt = isSame ? (before.dueAt ?? undefined) : dueAfter(schedule, from);
  return { ...before, ...judging(expected, dueAt === undefined ? undefined : Math.max(now, dueAt), before.startedAt) };
}

/** A call may come this much before the time that it is due at, of an interval, in milliseconds. */
const EARLY_MS = 60_000;

/** Whether the call that is due next may have come by a moment. */
function mayHaveCome({ schedule }: Expected, { dueAt }: Standing, by: number): boolean {
  const earlyMs = schedule.kind === 'interval' ? Math.min(EARLY_MS, schedule.everySeconds * 100) : EARLY_MS;
  return dueAt !== null && dueAt - earlyMs <= by;
}

/** Whether a call, or the end of a run, may have come while no server ran. */
export function mayHaveMissed(expected: Expected, standing: Standing, from: number, to: number): boolean {
  const { judgeAt, startedAt, pausedAt } = standing;
  if (judgeAt === null || pausedAt !== null || judgeAt < from) return false;
  return (startedAt !== null && startedAt <= to) || mayHaveCome(expected, standing, to);
}

/** Who is due again within this is judged by that time, in milliseconds. */
const SOON_MS = 60 * 60_000;

/**
 * What becomes of a heartbeat that may have been called while no server ran. One that is due again soon is judged by that
 * time: of ten thousand hourly jobs whose calls met a closed port most call again only then. One that is not, such as a
 * nightly backup, is judged a grace after the start by the time that it was due at: nobody is to learn a day later that it
 * failed. Either is a grace after the start at the earliest.
 */
export function passOver(expected: Expected, before: Standing, to: number): Step {
  const { dueAt } = before;
  const isPassed = mayHaveCome(expected, before, to);
  const next = dueAt !== null && isPassed ? dueFrom(expected.schedule, dueAt, to) : (dueAt ?? undefined);
  if (isPassed && (next ?? Infinity) - to > SOON_MS) {
    const judgeAt = to + expected.graceMs;
    return { standing: { ...before, startedAt: null, runId: null, lateAt: judgeAt, judgeAt } };
  }
  return {
    standing: { ...before, startedAt: null, runId: null, ...judging(expected, next, null) },
    bar: { kind: 'unjudged', at: Math.min(dueAt ?? to, to), durationMs: null, exitCode: null },
  };
}

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/**
 * What becomes of a heartbeat when the clock is set back: its times go back with it, so that it is missing as long after its last
 * call as before. A cron expression names times of the clock: it is due at the first of them from then on. What was passed over
 * keeps the rest of its grace.
 */
export function setBack<Known extends Standing>(expected: Expected, before: Known, byMs: number): Known {
  const moved = (at: number | null): number | null => (at === null ? null : at - byMs);
  const startedAt = moved(before.startedAt);
  const happened = { ...before, startedAt, lastBeatAt: moved(before.lastBeatAt) };
  if (before.judgeAt === null) return happened;
  const { schedule } = expected;
  const from = moved(before.dueAt) ?? undefined;
  const dueAt = from !== undefined && schedule.kind === 'cron' ? dueFrom(schedule, from, from) : from;
  const next = judging(expected, dueAt, startedAt);
  return {
    ...happened,
    dueAt: next.dueAt,
    lateAt: later(next.lateAt, moved(before.lateAt)),
    judgeAt: later(next.judgeAt, moved(before.judgeAt)),
  };
}
