import { describe, expect, test } from 'vitest';
import { nextReportDue } from './awaited-reports.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const EVENT = { state: 'firing', sender: 'alertmanager', isTest: false } as const;

type Report = Partial<Parameters<typeof nextReportDue>[1]>;

const dueFixed = (report: Report) =>
  nextReportDue({ unreportedAfter: 2 * HOUR }, { ...EVENT, ...report }, NOW, undefined);

const due = (report: Report, seenBefore?: number) =>
  nextReportDue({ unreportedAfter: 'automatic' }, { ...EVENT, ...report }, NOW, seenBefore);

describe('with a fixed time', () => {
  test('a report of any sender is due after it', () => {
    expect(dueFixed({})).toBe(NOW + 2 * HOUR);
    expect(dueFixed({ sender: null, state: 'acknowledged' })).toBe(NOW + 2 * HOUR);
  });

  test('nothing is due of what is over, never began, or is a test', () => {
    expect([dueFixed({ state: 'resolved' }), dueFixed({ state: 'event' }), dueFixed({ isTest: true })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('automatically', () => {
  test.each([
    ['until it ends by its sender', 3 * HOUR, 3 * HOUR],
    ['not before five minutes', 1_000, 5 * 60_000],
    ['thirty days at most', 10_000 * HOUR, 720 * HOUR],
  ])('a report holds %s', (_, until, expected) => {
    expect(due({ until: NOW + until, sender: null })).toBe(NOW + expected);
  });

  test('an end in the past says nothing, and neither does the first report', () => {
    expect(due({ until: NOW - HOUR })).toBeUndefined();
    expect(due({})).toBeUndefined();
  });

  test('a repeat is due well after the repeat interval', () => {
    expect(due({}, NOW - 4 * HOUR)).toBe(NOW + 26 * HOUR);
    expect(due({}, NOW - 24 * HOUR)).toBe(NOW + 72 * HOUR);
    // A change in its group says nothing about the interval.
    expect(due({}, NOW - HOUR / 12)).toBe(NOW + 121 * HOUR);
  });

  test('a sender that does not repeat is left alone', () => {
    expect(due({ sender: 'generic' }, NOW - 4 * HOUR)).toBeUndefined();
    expect(due({ sender: null }, NOW - 4 * HOUR)).toBeUndefined();
  });
});

test('nothing is due of a source that does not ask for it', () => {
  expect(nextReportDue({}, EVENT, NOW, NOW - 4 * HOUR)).toBeUndefined();
});
