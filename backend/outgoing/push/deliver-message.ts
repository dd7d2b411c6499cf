import type { PushMessage } from '#backend/contract/push.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { ObservePush, PushOutcome } from '#backend/platform/metrics/observers.ts';
import { NO_TRACING, type Tracing } from '#backend/platform/tracing/tracing.ts';
import { ForbiddenAddressError } from '#backend/platform/requests/guarded-request.ts';
import type { Recipient } from './push-recipients.ts';
import type { PushSubscriptionStore } from './push-subscriptions.ts';
import type { PushAnswer, PushTransport } from './push-transport.ts';

/** What follows from one attempt. */
export type AttemptResult = { kind: 'sent' | 'gone' | 'failed' } | { kind: 'retry'; afterMs: number };

/** How often and how long a message is tried. */
export interface RetryRules {
  /** Attempts for one message, the first included. */
  tries: number;
  /** Before the second attempt; five times as long before each one after it. */
  backoffMs: number;
  /** The longest that a push service may ask for. */
  maxRetryAfterMs: number;
}

const MAX_BACKOFF_MS = 60_000;

/**
 * Decides what follows from an attempt, since push services misbehave: a subscription that is gone is removed;
 * 429, 5xx and a broken connection (`undefined`) are tried again, after the time asked for or an exponential backoff with
 * jitter; whatever else is refused will be refused again.
 *
 * @param attempt 1 for the first.
 * @param random from 0 to 1.
 */
export function classifyAnswer(
  answer: PushAnswer | undefined,
  attempt: number,
  rules: RetryRules,
  { now, random }: { now: number; random: number },
): AttemptResult {
  const status = answer?.status ?? 0;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const isPassing = answer === undefined || status === 429 || status >= 500;
  if (!isPassing || attempt >= rules.tries) return { kind: 'failed' };
  const asked = readRetryAfter(answer?.retryAfter, now);
  if (asked !== undefined) return { kind: 'retry', afterMs: Math.min(asked, rules.maxRetryAfterMs) };
  const backoff = Math.min(rules.backoffMs * 5 ** (attempt - 1), MAX_BACKOFF_MS);
  return { kind: 'retry', afterMs: Math.round(backoff * (0.5 + random / 2)) };
}

/** Seconds or a date (RFC 9110 section 10.2.3), in milliseconds from now; undefined when it says nothing of the future. */
function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return wait > 0 ? wait : undefined;
}

/** One attempt; `attempt` is 1 for the first. Never rejects. `dropped` when `signal` cut it. */
export type DeliverMessage = (
  recipient: Recipient,
  message: PushMessage,
  attempt: number,
  signal: AbortSignal,
) => Promise<AttemptResult | { kind: 'dropped' }>;

/** What an attempt uses. */
export interface DeliverDeps {
  transport: PushTransport;
  subscriptions: Pick<PushSubscriptionStore, 'removeGone' | 'noteSuccess' | 'noteFailure'>;
  rules: RetryRules;
  logger: Logger;
  onOutcome: ObservePush;
  tracing?: Tracing;
}

/** What is sent later may belong to no request any more. */
const STEP = { isCall: true, mayBegin: true } as const;

/** A success is written down at most this often for each device: each would cost a transaction. */
const NOTE_INTERVAL_MS = 60 * 60 * 1000;

/** Makes the step from a message to what became of it: send, classify the answer, keep the subscription's record. */
export function createDeliverMessage(deps: DeliverDeps): DeliverMessage {
  const { transport, subscriptions, rules, logger, onOutcome, tracing = NO_TRACING } = deps;

  const record = async (recipient: Recipient, result: AttemptResult, attempt: number, details: object) => {
    // The path of an endpoint is a secret; its host is not.
    const about = { host: new URL(recipient.endpoint).host, attempts: attempt, ...details };
    if (result.kind === 'gone') {
      await subscriptions.removeGone(recipient.id, recipient.p256dh);
      logger.info(about, 'a push subscription is gone');
    } else if (result.kind === 'failed') {
      const isRemoved = await subscriptions.noteFailure(recipient.id);
      logger.warn(about, isRemoved ? 'a push subscription failed for days and was removed' : 'a push was given up');
    } else if (result.kind === 'sent' && isWorthNoting(recipient)) {
      await subscriptions.noteSuccess(recipient.id);
      recipient.failures = 0;
      recipient.lastSuccessAt = Date.now();
    }
  };

  return async (recipient, message, attempt, signal) => {
    let answer: PushAnswer | undefined;
    let error: unknown;
    try {
      const facts = { 'server.address': new URL(recipient.endpoint).host, 'alertdesk.attempt': attempt };
      answer = await tracing.step('push send', facts, () => transport.send(recipient, message, signal), STEP);
    } catch (caught) {
      error = caught;
    }
    if (!answer && signal.aborted) {
      onOutcome('dropped');
      return { kind: 'dropped' };
    }
    const result: AttemptResult =
      error instanceof ForbiddenAddressError
        ? { kind: 'failed' }
        : classifyAnswer(answer, attempt, rules, { now: Date.now(), random: Math.random() });
    onOutcome(outcomeOf(result, message));
    const details = answer ? { status: answer.status } : { err: error };
    await record(recipient, result, attempt, details).catch((failure: unknown) =>
      logger.warn({ err: failure }, 'what became of a push could not be written'),
    );
    return result;
  };
}

const isWorthNoting = ({ failures, lastSuccessAt }: Recipient): boolean =>
  failures > 0 || lastSuccessAt === null || Date.now() - lastSuccessAt >= NOTE_INTERVAL_MS;

function outcomeOf({ kind }: AttemptResult, { type }: PushMessage): PushOutcome {
  if (kind === 'sent' && type === 'alert_withdrawn') return 'withdrawn';
  return kind === 'retry' ? 'retried' : kind;
}
