/** What a push service said, as far as it matters. */
export interface PushAnswer {
  status: number;
  retryAfter: string | undefined;
}

/** What follows from one attempt. */
export type Verdict = { kind: 'sent' | 'gone' | 'failed' } | { kind: 'retry'; afterMs: number };

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
export function judgeAnswer(
  answer: PushAnswer | undefined,
  attempt: number,
  rules: RetryRules,
  { now, random }: { now: number; random: number },
): Verdict {
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
