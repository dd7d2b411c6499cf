import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeartbeatSchedule } from '#backend/contract/heartbeat.ts';
import {
  type Expected,
  type Standing,
  type Step,
  judge,
  mayHaveMissed,
  passOver,
  pause,
  reschedule,
  resume,
  setBack,
  takeSignal,
} from './rules.ts';
import { lateAfterMs, nextCron } from './schedule.ts';

const START = Date.UTC(2026, 0, 1);
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

const FRESH: Standing = {
  status: 'new',
  downReason: null,
  downSince: null,
  dueAt: null,
  lateAt: null,
  judgeAt: null,
  startedAt: null,
  runId: null,
  pausedAt: null,
  lastBeatAt: null,
};

const HOURLY: Expected = { schedule: { kind: 'interval', everySeconds: 3600 }, graceMs: 10 * MINUTE_MS };
const success = { kind: 'success' } as const;
const started = { kind: 'start' } as const;

const schedule: fc.Arbitrary<HeartbeatSchedule> = fc.oneof(
  fc.record({
    kind: fc.constant('interval' as const),
    everySeconds: fc.integer({ min: 30 * 60, max: 40 * 24 * 3600 }),
  }),
  fc.record({
    kind: fc.constant('cron' as const),
    expression: fc.constantFrom('0 2 * * *', '30 2 * * 1-5', '0 3 * * 0', '15 1 1 * *', '0 */6 * * *'),
    timeZone: fc.constantFrom('Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC'),
  }),
);

/** Fails a property where a claim about one of its steps does not hold. */
function holds(claim: boolean, what: string): void {
  if (!claim) throw new Error(what);
}

/** What a job does with each of its times: it calls so much of the grace later, or not at all. */
const habit = fc.oneof({ weight: 6, arbitrary: fc.double({ min: 0, max: 0.99, noNaN: true }) }, fc.constant(undefined));

test('over a year each time without a call is one alert, at the end of its grace; what comes within it is none', () => {
  fc.assert(
    fc.property(
      schedule,
      fc.integer({ min: 10, max: 20 * 60 }),
      fc.array(habit, { minLength: 40, maxLength: 120 }),
      (of, graceSeconds, habits) => {
        const expected: Expected = { schedule: of, graceMs: graceSeconds * 1000 };
        let now = START;
        let standing = takeSignal(expected, FRESH, success, now).standing;
        for (const delay of habits) {
          const { dueAt } = standing;
          const due =
            of.kind === 'interval' ? now + of.everySeconds * 1000 : (nextCron(of.expression, of.timeZone, now) ?? 0);
          expect(dueAt).toBe(due);
          expect(standing.judgeAt).toBe(due + expected.graceMs);
          if (due > START + YEAR_MS) return;
          expect(judge(standing, due + expected.graceMs - 1)).toBeUndefined();
          if (delay === undefined) {
            const missed = judge(standing, due + expected.graceMs);
            const { report, bar } = missed ?? {};
            const isRight = report === 'missing' && bar?.kind === 'missing' && bar.at === due + expected.graceMs;
            holds(isRight, 'it is missing at the end of its grace');
            standing = missed?.standing ?? standing;
            // However long nothing comes, it is one miss.
            holds(judge(standing, due + 10 * YEAR_MS) === undefined, 'a miss is one miss');
            now = due + expected.graceMs + 5 * MINUTE_MS;
          } else now = due + Math.floor(delay * expected.graceMs);
          const step = takeSignal(expected, standing, success, now);
          expect(step.report).toBe(delay === undefined ? 'resolved' : undefined);
          const isLate = delay !== undefined && now - due > lateAfterMs(expected.graceMs);
          expect(step.bar?.kind).toBe(isLate ? 'late' : 'ok');
          standing = step.standing;
        }
      },
    ),
    { numRuns: 25 },
  );
});

/** Whatever happens in whatever order, in milliseconds after what was before. */
const happening = fc.record({
  after: fc.integer({ min: 0, max: 2 * 3600 * 1000 }),
  what: fc.constantFrom('success', 'fail', 'start', 'log', 'judge', 'pause', 'resume', 'outage'),
  runId: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
});

test('whatever happens, an alert is open exactly while it is missing or failed, and a miss is reported once', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      let now = START;
      let standing = FRESH;
      let isOpen = false;
      let isMissed = false;
      for (const { after, what, runId } of happenings) {
        const before = now;
        now += after;
        const step: Step | undefined =
          what === 'judge'
            ? judge(standing, now)
            : what === 'pause'
              ? pause(standing, now)
              : what === 'resume'
                ? { standing: standing.pausedAt === null ? standing : resume(HOURLY, standing, now) }
                : what === 'outage'
                  ? mayHaveMissed(HOURLY, standing, before, now)
                    ? passOver(HOURLY, standing, now)
                    : undefined
                  : takeSignal(HOURLY, standing, { kind: what, runId }, now);
        if (!step) continue;
        const { report } = step;
        if (report === 'missing' || report === 'overrun') holds(!isMissed, 'a miss is reported once');
        if (report === 'resolved') holds(isOpen, 'what ends was open');
        if (report !== undefined) {
          isOpen = report !== 'resolved';
          isMissed = isOpen && report !== 'failed';
        }
        standing = step.standing;
        expect(standing.status === 'down').toBe(isOpen);
        if (standing.pausedAt !== null || isMissed) holds(standing.judgeAt === null, 'nothing is judged');
        const { judgeAt } = standing;
        holds(judgeAt === null || judge(standing, judgeAt) !== undefined, 'it is judged when its time is over');
        // A grace after the start of servers at the earliest.
        const isLater = (judgeAt ?? Infinity) >= now + HOURLY.graceMs;
        holds(what !== 'outage' || isLater, 'it is judged a grace after the start');
      }
    }),
    { numRuns: 300 },
  );
});

describe('runs', () => {
  const up = takeSignal(HOURLY, FRESH, success, START).standing;
  const at = (minutes: number): number => START + minutes * MINUTE_MS;

  test('one that began in time is in time, and its duration is measured', () => {
    const running = takeSignal(HOURLY, up, started, at(60)).standing;
    const step = takeSignal(HOURLY, running, success, at(68));
    expect(step.bar).toEqual({ kind: 'ok', at: at(68), durationMs: 8 * MINUTE_MS, exitCode: null });
    expect(step.standing).toMatchObject({ startedAt: null, dueAt: at(128) });
  });

  test('one that does not end is missing a grace after its start', () => {
    const running = takeSignal(HOURLY, up, started, at(20)).standing;
    expect(running.judgeAt).toBe(at(30));
    expect(judge(running, at(30))).toMatchObject({ report: 'overrun', bar: { kind: 'overrun' } });
  });

  test('a job that starts again and again and never ends is missing at the time that it was due', () => {
    let standing = up;
    for (let minute = 55; minute < 70; minute += 1)
      standing = takeSignal(HOURLY, standing, started, at(minute)).standing;
    expect(standing.judgeAt).toBe(at(70));
    expect(judge(standing, at(70))?.report).toBe('overrun');
  });

  test('another run’s end leaves the one that started last; a failure ends any', () => {
    const running = takeSignal(HOURLY, up, { ...started, runId: 'b' }, at(60)).standing;
    const other = takeSignal(HOURLY, running, { ...success, runId: 'a' }, at(61));
    expect(other.standing).toMatchObject({ startedAt: at(60), runId: 'b', judgeAt: at(70) });
    expect(other.bar?.durationMs).toBeNull();
    const failed = takeSignal(HOURLY, running, { kind: 'fail', runId: 'a' }, at(61));
    expect(failed.standing).toMatchObject({ startedAt: null, status: 'down' });
  });
});

const nightly = (graceMs: number): Expected => ({
  schedule: { kind: 'cron', expression: '0 2 * * *', timeZone: 'UTC' },
  graceMs,
});

test('another grace leaves what is due, also where it is over; another schedule does not', () => {
  const two = START + 120 * MINUTE_MS;
  const { standing } = takeSignal(nightly(10 * MINUTE_MS), FRESH, success, START);
  const late = two + 5 * MINUTE_MS;
  expect(reschedule(nightly(60 * MINUTE_MS), standing, START, true)).toMatchObject({
    dueAt: two,
    judgeAt: two + 60 * MINUTE_MS,
  });
  expect(reschedule(nightly(60 * MINUTE_MS), standing, late, true)).toMatchObject({
    dueAt: late,
    judgeAt: late + 60 * MINUTE_MS,
  });
  expect(reschedule(nightly(60 * MINUTE_MS), standing, late, false).dueAt).toBe(two + 24 * 60 * MINUTE_MS);
});

describe('a time without a server', () => {
  const up = takeSignal(HOURLY, FRESH, success, START).standing;
  const at = (minutes: number): number => START + minutes * MINUTE_MS;

  test('in which it was due is not judged where it is due again soon; it is judged by the next time', () => {
    expect(mayHaveMissed(HOURLY, up, at(55), at(125))).toBe(true);
    const { standing, bar, report } = passOver(HOURLY, up, at(125));
    expect(report).toBeUndefined();
    expect(bar).toMatchObject({ kind: 'unjudged', at: at(60) });
    expect(standing).toMatchObject({ status: 'up', dueAt: at(180), judgeAt: at(190) });
  });

  test('is judged a grace after the start where it is due again only a day later', () => {
    const daily: Expected = { schedule: { kind: 'interval', everySeconds: 24 * 3600 }, graceMs: 10 * MINUTE_MS };
    const standing = takeSignal(daily, FRESH, success, START).standing;
    const step = passOver(daily, standing, at(24 * 60 + 5));
    expect(step).toEqual({ standing: { ...standing, lateAt: at(24 * 60 + 15), judgeAt: at(24 * 60 + 15) } });
    expect(judge(step.standing, at(24 * 60 + 15))?.report).toBe('missing');
    const called = takeSignal(daily, step.standing, success, at(24 * 60 + 12));
    expect(called).toMatchObject({ bar: { kind: 'ok' }, standing: { dueAt: at(48 * 60 + 12) } });
  });

  test('that ended before it was due, or began after its grace, changes nothing', () => {
    expect(mayHaveMissed(HOURLY, up, at(5), at(50))).toBe(false);
    expect(mayHaveMissed(HOURLY, up, at(71), at(90))).toBe(false);
  });

  test('in which a run may have ended leaves the time that it is due at', () => {
    const running = takeSignal(HOURLY, up, started, at(5)).standing;
    expect(mayHaveMissed(HOURLY, running, at(6), at(12))).toBe(true);
    expect(passOver(HOURLY, running, at(12)).standing).toMatchObject({
      startedAt: null,
      dueAt: at(60),
      judgeAt: at(70),
    });
  });
});

describe('a clock that is set back', () => {
  const HOUR_MS = 60 * MINUTE_MS;
  const daily: Expected = { schedule: { kind: 'cron', expression: '0 2 * * *', timeZone: 'UTC' }, graceMs: HOUR_MS };
  const back = (expected: Expected, standing: Standing, byMs = HOUR_MS) => setBack(expected, standing, byMs);

  test('moves what is due with it, and a run that has not ended', () => {
    const called = takeSignal(HOURLY, FRESH, success, START).standing;
    expect(back(HOURLY, called)).toEqual(takeSignal(HOURLY, FRESH, success, START - HOUR_MS).standing);
    const running = takeSignal(HOURLY, called, started, START + 30 * MINUTE_MS).standing;
    const moved = back(HOURLY, running);
    expect([moved.startedAt, moved.judgeAt]).toEqual([START - 30 * MINUTE_MS, START - 20 * MINUTE_MS]);
  });

  test('leaves what a cron expression names at its time; of several times the first that comes is due', () => {
    const called = takeSignal(daily, FRESH, success, START + 5 * HOUR_MS).standing;
    const at = START + 26 * HOUR_MS;
    expect(called.dueAt).toBe(at);
    expect(back(daily, called)).toMatchObject({ dueAt: at, judgeAt: at + HOUR_MS, lastBeatAt: START + 4 * HOUR_MS });
    const hourly: Expected = { ...daily, schedule: { kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' } };
    const due = takeSignal(hourly, FRESH, success, START + 5 * MINUTE_MS).standing;
    expect([due.dueAt, back(hourly, due, 3 * HOUR_MS).dueAt]).toEqual([START + HOUR_MS, START - 2 * HOUR_MS]);
  });

  test('leaves the rest of its grace to what was passed over, and expects nothing of what is missing or paused', () => {
    const called = takeSignal(daily, FRESH, success, START).standing;
    const passed = passOver(daily, called, START + 3 * HOUR_MS).standing;
    expect(passed.judgeAt).toBe(START + 4 * HOUR_MS);
    expect(back(daily, passed, 30 * MINUTE_MS).judgeAt).toBe(START + 3.5 * HOUR_MS);
    const missing = judge(called, START + 27 * HOUR_MS)?.standing ?? called;
    for (const standing of [missing, pause(called, START + MINUTE_MS).standing])
      expect(back(HOURLY, standing)).toMatchObject({ dueAt: null, lateAt: null, judgeAt: null });
  });
});
