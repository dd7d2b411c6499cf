import { describe, expect, test } from 'vitest';
import { type HealthFacts, durationOf, healthOf, usualGapOf } from './source-health.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const facts = (changed: Partial<HealthFacts> = {}): HealthFacts => ({
  pausedAt: null,
  pausedBy: null,
  reportSilence: 'usual',
  recent: [],
  lastDeliveryAt: NOW - MINUTE,
  usualGapMs: 5 * MINUTE,
  now: NOW,
  ...changed,
});
const request = (outcome: HealthFacts['recent'][number]['outcome'], ago: number) => ({
  outcome,
  summary: 'Used the credential …m4Jd, which has expired',
  receivedAt: NOW - ago,
});

test('a source that nothing is wrong with is OK', () => {
  expect(healthOf(facts())).toEqual({ state: 'ok', reason: null, since: null });
});

describe('refusing', () => {
  const refused = [1, 2, 3].map((minutes) => request('refused', minutes * MINUTE));

  test('three requests in a row, with the reason of the last and the time of the first', () => {
    const since = new Date(NOW - 40 * MINUTE).toISOString();
    const recent = [...refused, request('refused', 40 * MINUTE), request('new', 50 * MINUTE)];
    const reason = 'Used the credential …m4Jd, which has expired';
    expect(healthOf(facts({ recent }))).toEqual({ state: 'refusing', reason, since });
  });

  test('until a request is accepted, however long ago they were refused', () => {
    const later = refused.map(({ receivedAt, ...one }) => ({ ...one, receivedAt: receivedAt - 5 * HOUR }));
    expect(healthOf(facts({ recent: later })).state).toBe('refusing');
    expect(healthOf(facts({ recent: [request('refused', MINUTE), ...later] })).state).toBe('refusing');
    expect(healthOf(facts({ recent: [request('new', MINUTE), ...later] })).state).toBe('ok');
  });

  test.each([
    ['two alone', refused.slice(0, 2)],
    ['one between them that was taken', [refused[0], request('repeated', 90_000), refused[1]]],
    ['three over more than an hour', [...refused.slice(0, 2), request('refused', HOUR + MINUTE)]],
  ])('not %s', (_, recent) => {
    expect(healthOf(facts({ recent: recent as HealthFacts['recent'] })).state).toBe('ok');
  });
});

describe('silent', () => {
  test.each<[string, Partial<HealthFacts>, string]>([
    ['an hour at least, however often it usually comes', { usualGapMs: 1_000, lastDeliveryAt: NOW - HOUR }, 'ok'],
    ['longer than that', { usualGapMs: 1_000, lastDeliveryAt: NOW - HOUR - 1 }, 'silent'],
    ['three times its usual gap', { usualGapMs: HOUR, lastDeliveryAt: NOW - 3 * HOUR }, 'ok'],
    ['longer than three usual gaps', { usualGapMs: HOUR, lastDeliveryAt: NOW - 3 * HOUR - 1 }, 'silent'],
    ['while its usual gap is not known', { usualGapMs: null, lastDeliveryAt: NOW - 900 * HOUR }, 'ok'],
    ['where nobody wants to know', { reportSilence: 'never', lastDeliveryAt: NOW - 900 * HOUR }, 'ok'],
    ['after a time of its own', { reportSilence: 5, lastDeliveryAt: NOW - 6 * MINUTE }, 'silent'],
    ['within a time of its own', { reportSilence: 5, lastDeliveryAt: NOW - 4 * MINUTE }, 'ok'],
  ])('%s', (_, changed, state) => {
    expect(healthOf(facts(changed)).state).toBe(state);
  });
});

test('paused comes before everything, never used before silent', () => {
  expect(healthOf(facts({ pausedAt: NOW, pausedBy: 'Maya' }))).toMatchObject({ state: 'paused', reason: 'By Maya.' });
  expect(healthOf(facts({ lastDeliveryAt: null })).state).toBe('never-used');
});

test('the usual gap is the 95th percentile of at least twenty deliveries', () => {
  const every = (gap: number, count: number) => Array.from({ length: count }, (_, index) => NOW - index * gap);
  expect(usualGapOf(every(MINUTE, 19))).toBeNull();
  expect(usualGapOf(every(MINUTE, 20))).toBe(MINUTE);
  // One night among many minutes changes nothing.
  expect(usualGapOf([...every(MINUTE, 50), NOW - 20 * HOUR])).toBe(MINUTE);
});

test('durations are given in their largest unit', () => {
  expect([500, 40_000, 5 * MINUTE, 3 * HOUR, 50 * HOUR].map(durationOf)).toEqual([
    '1 s',
    '40 s',
    '5 min',
    '3 h',
    '2 d',
  ]);
});
