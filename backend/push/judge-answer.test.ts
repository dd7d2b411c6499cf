import { describe, expect, test } from 'vitest';
import { judgeAnswer } from '#backend/push/judge-answer.ts';

const rules = { tries: 4, backoffMs: 2_000, maxRetryAfterMs: 3_600_000 };
const now = Date.parse('2026-11-21T09:42:00Z');
const judge = (status: number | undefined, attempt = 1, retryAfter?: string, random = 1) =>
  judgeAnswer(status === undefined ? undefined : { status, retryAfter }, attempt, rules, { now, random });

test.each([
  [200, 'sent'],
  [201, 'sent'],
  [204, 'sent'],
  [404, 'gone'],
  [410, 'gone'],
  [301, 'failed'],
  [307, 'failed'],
  [400, 'failed'],
  [401, 'failed'],
  [403, 'failed'],
  [413, 'failed'],
] as const)('%i: %s', (status, kind) => {
  expect(judge(status)).toEqual({ kind });
});

describe('what passes is tried again', () => {
  test.each([429, 500, 502, 503, 599, undefined])('%s, later each time and four times at most', (status) => {
    const waits = [1, 2, 3, 4].map((attempt) => judge(status, attempt));
    expect(waits).toEqual([
      { kind: 'retry', afterMs: 2_000 },
      { kind: 'retry', afterMs: 10_000 },
      { kind: 'retry', afterMs: 50_000 },
      { kind: 'failed' },
    ]);
  });

  test('with a jitter of half the time', () => {
    expect(judge(500, 1, undefined, 0)).toEqual({ kind: 'retry', afterMs: 1_000 });
    expect(judge(500, 2, undefined, 0.5)).toEqual({ kind: 'retry', afterMs: 7_500 });
  });

  test.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sat, 21 Nov 2026 09:45:00 GMT', 180_000],
    ['99999999', 3_600_000],
    ['Sun, 21 Nov 2027 09:45:00 GMT', 3_600_000],
  ])('after what Retry-After: %s asks for, an hour at most', (retryAfter, afterMs) => {
    expect(judge(429, 1, retryAfter)).toEqual({ kind: 'retry', afterMs });
    expect(judge(503, 3, retryAfter)).toEqual({ kind: 'retry', afterMs });
    expect(judge(429, 4, retryAfter)).toEqual({ kind: 'failed' });
  });

  test.each(['0', '-5', 'soon', '', 'Sat, 21 Nov 2026 09:41:00 GMT', '1e9'])(
    'Retry-After: %s says nothing of the future',
    (retryAfter) => {
      expect(judge(429, 1, retryAfter)).toMatchObject({ kind: 'retry' });
      expect(judge(429, 1, retryAfter)).not.toMatchObject({ afterMs: 0 });
    },
  );
});
