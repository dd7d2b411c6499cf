import { describe, expect, test } from 'vitest';
import { type Expected, type Standing, judge, mayHaveMissed, passOver, reschedule, takeSignal } from './rules.ts';

const START = Date.UTC(2026, 0, 1);
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

describe('a failure', () => {
  const at = (minutes: number): number => START + minutes * MINUTE_MS;
  const failed = takeSignal(HOURLY, FRESH, { kind: 'fail' }, START).standing;

  test('is a call: the next one is missing when it does not come, once', () => {
    expect(failed).toMatchObject({ status: 'down', downReason: 'failed', downSince: START, judgeAt: at(70) });
    expect(judge(failed, at(70) - 1)).toBeUndefined();
    const missed = judge(failed, at(70));
    expect(missed).toMatchObject({ report: 'missing', bar: { kind: 'missing', at: at(70) } });
    expect(missed?.standing).toMatchObject({ downReason: 'missing', downSince: at(70), judgeAt: null });
    expect(missed && judge(missed.standing, at(7000))).toBeUndefined();
    expect(takeSignal(HOURLY, failed, success, at(65))).toMatchObject({ report: 'resolved', bar: { kind: 'late' } });
  });

  test('leaves the run that begins after it watched', () => {
    const running = takeSignal(HOURLY, failed, started, at(20)).standing;
    expect(running).toMatchObject({ downReason: 'failed', judgeAt: at(30) });
    expect(judge(running, at(30))?.report).toBe('overrun');
  });

  test('is followed by another schedule, and by the time without a server', () => {
    const halfHourly: Expected = { ...HOURLY, schedule: { kind: 'interval', everySeconds: 1800 } };
    expect(reschedule(halfHourly, failed, at(5), false).judgeAt).toBe(at(40));
    expect(mayHaveMissed(HOURLY, failed, at(55), at(125))).toBe(true);
    expect(passOver(HOURLY, failed, at(125)).standing).toMatchObject({ downReason: 'failed', judgeAt: at(190) });
  });
});
