import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { PushOutcome } from '#backend/metrics/observers.ts';
import { createDeliverMessage } from '#backend/push/deliver-message.ts';
import { ForbiddenAddressError } from '#backend/push/guarded-agent.ts';
import type { PushAnswer } from '#backend/push/judge-answer.ts';
import { PUSH_LIMITS } from '#backend/push/push-limits.ts';
import { newAlertMessage } from '#backend/push/push-message.ts';
import type { Recipient } from '#backend/push/push-recipients.ts';
import { memberSettings } from '#tests/support/member-settings.ts';

const SECRETS = ['the-secret-path', 'the-public-key', 'the-auth-secret'];
const recipient = (more: Partial<Recipient> = {}): Recipient => ({
  id: 'one',
  sessionId: 'session',
  endpoint: `https://push.example.com/${SECRETS[0]}`,
  p256dh: 'the-public-key',
  auth: 'the-auth-secret',
  lastSuccessAt: null,
  failures: 0,
  settings: memberSettings(),
  ...more,
});
const message = newAlertMessage({ seq: 1, id: 'a', customer: 'Nordwind', alertType: null });

/** Delivers one message that ends so, and tells what was noted, counted and logged. */
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
  ['a refusal', answer(403), 'failed', 403],
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

test('what was cut is dropped and judged no further', async () => {
  const cut = fail(new Error('aborted'));
  expect(await deliver(cut, recipient(), 4, AbortSignal.abort())).toMatchObject({
    verdict: { kind: 'dropped' },
    notes: [],
    outcomes: ['dropped'],
    lines: [],
  });
});
