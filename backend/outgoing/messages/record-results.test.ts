import { expect, test } from 'vitest';
import type { ClaimedMessage } from './claim-messages.ts';
import { type Health, healthAfter } from './record-results.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 27, 12);
const HEALTHY: Health = {
  failures: 0,
  failingSince: null,
  retryAt: null,
  reason: null,
  lastSentAt: null,
  alarmedAt: null,
};
const asked = (waitMs: number) => ({
  message: {} as ClaimedMessage,
  verdict: { outcome: 'retry', answer: '429', waitMs, durationMs: 1 } as const,
  at: NOW,
});

test.each([
  ['none', null, NOW + 60_000],
  ['a longer one', NOW + HOUR_MS, NOW + HOUR_MS],
  ['one by a clock that was set back since', NOW + 24 * HOUR_MS, NOW + 60_000],
])('a service that asks to wait is sent nothing for so long; before that: %s', (_, retryAt, expected) => {
  expect(healthAfter({ ...HEALTHY, retryAt }, [asked(60_000)]).retryAt).toBe(expected);
});
