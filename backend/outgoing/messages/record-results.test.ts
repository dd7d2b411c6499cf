import { expect, test } from 'vitest';
import { CIRCUIT_FAILURES, isTriedAlone } from '#backend/outgoing/destinations/backoff.ts';
import { judgeAnswer } from '#backend/outgoing/destinations/judge-answer.ts';
import { phoneKind } from '#backend/outgoing/destinations/kinds/phone.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { type Health, healthAfter, resultsAtGateway } from './record-results.ts';

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

test('what is refused for itself is counted for the alert to administrators, and no other message waits for it', () => {
  const refused = { ...asked(0), verdict: { outcome: 'refused', answer: '413', durationMs: 1 } as const };
  const health = healthAfter(
    HEALTHY,
    Array.from({ length: 9 }, () => refused),
  );
  expect(health).toEqual({ ...HEALTHY, failures: CIRCUIT_FAILURES, failingSince: NOW, reason: '413' });
  expect(isTriedAlone(health)).toBe(false);
  const lost = { ...asked(0), verdict: { outcome: 'retry', answer: 'no answer', durationMs: 1 } as const };
  const failing = healthAfter(health, [lost]);
  // The first pauses of a destination are short, however much it has refused.
  expect(failing.retryAt).toBeLessThan(NOW + 6_000);
  expect(isTriedAlone(failing)).toBe(true);
});

const atGateway = (status: number): string[] => {
  const answer = { status, body: 'not to +491705550401', retryAfter: undefined };
  const verdict = { ...judgeAnswer(phoneKind, answer, NOW), durationMs: 1 };
  return resultsAtGateway([{ ...asked(0), verdict }]).map((result) => result.verdict.answer);
};

test('what is about one number does not count at its gateway, and of the rest the words of the service are left out', () => {
  for (const status of [400, 404, 409, 410, 413, 422]) expect(atGateway(status)).toEqual([]);
  expect([200, 302, 401, 429, 500].flatMap(atGateway)).toEqual([
    '200',
    '302: the address leads elsewhere. Enter the new address.',
    '401: The gateway refused the secret. Enter it again.',
    '429: asked to wait for 30 s',
    '500',
  ]);
});
