import type { PushMessage } from '#backend/contract/push.ts';
import type { Logger } from '#backend/logger.ts';
import type { ObservePush, PushOutcome } from '#backend/metrics/observers.ts';
import { ForbiddenAddressError } from './guarded-agent.ts';
import { type PushAnswer, type RetryRules, type Verdict, judgeAnswer } from './judge-answer.ts';
import type { Recipient } from './push-recipients.ts';
import type { PushSubscriptionStore } from './push-subscription-store.ts';
import type { PushTransport } from './push-transport.ts';

/** One attempt; `attempt` is 1 for the first. Never rejects. `dropped` when `signal` cut it. */
export type DeliverMessage = (
  recipient: Recipient,
  message: PushMessage,
  attempt: number,
  signal: AbortSignal,
) => Promise<Verdict | { kind: 'dropped' }>;

/** What an attempt needs. */
export interface DeliverNeeds {
  transport: PushTransport;
  subscriptions: Pick<PushSubscriptionStore, 'removeGone' | 'noteSuccess' | 'noteFailure'>;
  rules: RetryRules;
  logger: Logger;
  onOutcome: ObservePush;
}

/** A success is written down at most this often for each device: each would cost a transaction. */
const NOTE_INTERVAL_MS = 60 * 60 * 1000;

/** Makes the step from a message to what became of it: send, judge, keep the subscription's record. */
export function createDeliverMessage(needs: DeliverNeeds): DeliverMessage {
  const { transport, subscriptions, rules, logger, onOutcome } = needs;

  const record = async (recipient: Recipient, verdict: Verdict, attempt: number, told: object) => {
    // The path of an endpoint is a secret; its host is not.
    const about = { host: new URL(recipient.endpoint).host, attempts: attempt, ...told };
    if (verdict.kind === 'gone') {
      await subscriptions.removeGone(recipient.id, recipient.p256dh);
      logger.info(about, 'a push subscription is gone');
    } else if (verdict.kind === 'failed') {
      const isHopeless = await subscriptions.noteFailure(recipient.id);
      logger.warn(about, isHopeless ? 'a push subscription failed for days and was removed' : 'a push was given up');
    } else if (verdict.kind === 'sent' && isWorthNoting(recipient)) {
      await subscriptions.noteSuccess(recipient.id);
      recipient.failures = 0;
      recipient.lastSuccessAt = Date.now();
    }
  };

  return async (recipient, message, attempt, signal) => {
    let answer: PushAnswer | undefined;
    let error: unknown;
    try {
      answer = await transport.send(recipient, message, signal);
    } catch (caught) {
      error = caught;
    }
    if (!answer && signal.aborted) {
      onOutcome('dropped');
      return { kind: 'dropped' };
    }
    const verdict: Verdict =
      error instanceof ForbiddenAddressError
        ? { kind: 'failed' }
        : judgeAnswer(answer, attempt, rules, { now: Date.now(), random: Math.random() });
    onOutcome(outcomeOf(verdict, message));
    const told = answer ? { status: answer.status } : { err: error };
    await record(recipient, verdict, attempt, told).catch((trouble: unknown) =>
      logger.warn({ err: trouble }, 'what became of a push could not be written'),
    );
    return verdict;
  };
}

const isWorthNoting = ({ failures, lastSuccessAt }: Recipient): boolean =>
  failures > 0 || lastSuccessAt === null || Date.now() - lastSuccessAt >= NOTE_INTERVAL_MS;

function outcomeOf({ kind }: Verdict, { type }: PushMessage): PushOutcome {
  if (kind === 'sent' && type === 'alert_withdrawn') return 'withdrawn';
  return kind === 'retry' ? 'retried' : kind;
}
