import { describe, expect, test } from 'vitest';
import { classifyAnswer, createDeliverMessage } from './deliver-message.ts';
import type { PushAnswer } from './push-transport.ts';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import { ForbiddenAddressError } from '#backend/platform/requests/guarded-request.ts';
import { PUSH_LIMITS } from './device-queue.ts';
import { newAlertMessage } from './push-message.ts';
import type { Recipient } from './push-recipients.ts';
import { memberSettings } from '#tests/support/member-settings.ts';

const rules = { tries: 4, backoffMs: 2_000, maxRetryAfterMs: 3_600_000 };
const now = Date.parse('2026-11-21T09:42:00Z');
const classify = (status: number | undefined, attempt = 1, retryAfter?: string, random = 1) =>
  classifyAnswer(status === undefined ? undefined : { status, retryAfter }, attempt, rules, { now, random });

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
  expect(classify(status)).toEqual({ kind });
});

describe('what passes is tried again', () => {
  test.each([429, 500, 502, 503, 599, undefined])('%s, later each time and four times at most', (status) => {
    const waits = [1, 2, 3, 4].map((attempt) => classify(status, attempt));
    expect(waits).toEqual([
      { kind: 'retry', afterMs: 2_000 },
      { kind: 'retry', afterMs: 10_000 },
      { kind: 'retry', afterMs: 50_000 },
      { kind: 'failed' },
    ]);
  });

  test('with a jitter of half the time', () => {
    expect(classify(500, 1, undefined, 0)).toEqual({ kind: 'retry', afterMs: 1_000 });
    expect(classify(500, 2, undefined, 0.5)).toEqual({ kind: 'retry', afterMs: 7_500 });
  });

  test.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sat, 21 Nov 2026 09:45:00 GMT', 180_000],
    ['99999999', 3_600_000],
    ['Sun, 21 Nov 2027 09:45:00 GMT', 3_600_000],
  ])('after what Retry-After: %s asks for, an hour at most', (retryAfter, afterMs) => {
    expect(classify(429, 1, retryAfter)).toEqual({ kind: 'retry', afterMs });
    expect(classify(503, 3, retryAfter)).toEqual({ kind: 'retry', afterMs });
    expect(classify(429, 4, retryAfter)).toEqual({ kind: 'failed' });
  });

  test.each(['0', '-5', 'soon', '', 'Sat, 21 Nov 2026 09:41:00 GMT', '1e9'])(
    'Retry-After: %s says nothing of the future',
    (retryAfter) => {
      expect(classify(429, 1, retryAfter)).toMatchObject({ kind: 'retry' });
      expect(classify(429, 1, retryAfter)).not.toMatchObject({ afterMs: 0 });
    },
  );
});

const SECRETS = ['the-secret-path', 'the-public-key', 'the-auth-secret'];
const recipient = (more: Partial<Recipient> = {}): Recipient => ({
  id: 'one',
  userId: 'anna',
  sessionId: 'session',
  endpoint: `https://push.example.com/${SECRETS[0]}`,
  p256dh: 'the-public-key',
  auth: 'the-auth-secret',
  lastSuccessAt: null,
  failures: 0,
  settings: memberSettings(),
  ...more,
});
const message = newAlertMessage({
  seq: 1,
  id: 'a',
  customer: 'Nordwind',
  alertType: null,
  sourceId: null,
  severity: 'none',
  ownerId: null,
  isTest: false,
  isBack: false,
});

/** Delivers one message that ends so, and returns what was noted, counted and logged. */
async function deliver(
  end: () => Promise<PushAnswer>,
  to = recipient(),
  attempt = 1,
  signal = new AbortController().signal,
) {
  const [notes, outcomes, lines]: [string[], PushOutcome[], string[]] = [[], [], []];
  const note = (what: string) => async (id: string) => {
    notes.push(`${what} ${id}`);
    return false;
  };
  const log = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const verdict = await createDeliverMessage({
    transport: { send: end, close: () => undefined },
    subscriptions: {
      removeGone: async (id, p256dh) => void notes.push(`gone ${id} ${p256dh}`),
      noteSuccess: async (id) => void (await note('success')(id)),
      noteFailure: note('failure'),
    },
    rules: PUSH_LIMITS,
    logger: pino({ level: 'debug' }, log),
    onOutcome: (outcome) => outcomes.push(outcome),
  })(to, message, attempt, signal);
  return { verdict, notes, outcomes, lines };
}
const answer = (status: number) => async () => ({ status, retryAfter: undefined });
const fail = (error: Error) => async () => {
  throw error;
};

test.each([
  ['an answer of 403', answer(403), 'failed', 403],
  ['a failing service, for the last time', answer(503), 'failed', 503],
  ['a gone device', answer(410), 'gone', 410],
])('%s is logged with the host and without what is secret', async (_what, end, outcome, status) => {
  const { lines, outcomes } = await deliver(end, recipient(), PUSH_LIMITS.tries);
  expect(outcomes).toEqual([outcome]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ host: 'push.example.com', attempts: 4, status });
  for (const secret of [...SECRETS, 'Nordwind']) expect(lines.join('')).not.toContain(secret);
});

test('a forbidden address is given up at once, a broken connection is not', async () => {
  expect(await deliver(fail(new ForbiddenAddressError()))).toMatchObject({
    verdict: { kind: 'failed' },
    notes: ['failure one'],
    outcomes: ['failed'],
  });
  expect(await deliver(fail(new Error('ECONNRESET')))).toMatchObject({
    verdict: { kind: 'retry' },
    notes: [],
    outcomes: ['retried'],
    lines: [],
  });
});

test('a device that is gone is removed by its keys, so that one that came back stays', async () => {
  expect((await deliver(answer(404))).notes).toEqual(['gone one the-public-key']);
});

const notesFor = async (more: Partial<Recipient>) => (await deliver(answer(201), recipient(more))).notes;

test('success is noted once an hour, and when it ends a row of failures', async () => {
  const lately = Date.now() - 60_000;
  expect(await notesFor({ lastSuccessAt: null })).toEqual(['success one']);
  expect(await notesFor({ lastSuccessAt: lately })).toEqual([]);
  expect(await notesFor({ lastSuccessAt: lately, failures: 1 })).toEqual(['success one']);
  expect(await notesFor({ lastSuccessAt: Date.now() - 61 * 60_000 })).toEqual(['success one']);
});

test('what was cut is dropped and looked at no further', async () => {
  const cut = fail(new Error('aborted'));
  expect(await deliver(cut, recipient(), 4, AbortSignal.abort())).toMatchObject({
    verdict: { kind: 'dropped' },
    notes: [],
    outcomes: ['dropped'],
    lines: [],
  });
});
