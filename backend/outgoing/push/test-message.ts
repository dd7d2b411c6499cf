import type { PushTestResult, PushTestOutcome } from '#backend/contract/push.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import { tooMany } from '#backend/platform/endpoint/errors.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { ObservePush, PushOutcome } from '#backend/platform/metrics/observers.ts';
import { isTimeout } from '#backend/platform/requests/guarded-request.ts';
import { testMessage } from './push-message.ts';
import type { PushSubscriptionStore, StoredPushSubscription } from './push-subscriptions.ts';
import type { PushAnswer, PushTransport } from './push-transport.ts';

/** What came of one attempt: what the push service said, or what went wrong before it said anything. */
export type Attempted = { answer: PushAnswer } | { error: unknown };

/** Says how far a test message came, for the person who asked for it. @param host whose push service it was. */
export function testResultOf(host: string, attempted: Attempted): PushTestResult {
  if ('error' in attempted) return whyNoAnswer(host, attempted.error);
  const { status } = attempted.answer;
  if (status >= 200 && status < 300) {
    return {
      outcome: 'sent',
      status,
      detail: `The push service ${host} took the message. If no notification appears, look at the notification settings of this browser and of the system.`,
    };
  }
  if (status === 404 || status === 410) {
    return {
      outcome: 'gone',
      status,
      detail: `The push service ${host} does not know this browser any more, so it was removed here. Switch notifications off and on again.`,
    };
  }
  return { outcome: 'refused', status, detail: `The push service ${host} refused the message with status ${status}.` };
}

function whyNoAnswer(host: string, error: unknown): PushTestResult {
  if (isTimeout(error)) return { outcome: 'timeout', detail: `The push service ${host} gave no answer in time.` };
  // The same for a forbidden address: members must not learn what the names of this network stand for.
  const detail = `The server has no connection to the push service ${host}. Check the server’s way to the internet.`;
  return { outcome: 'unreachable', detail };
}

/** Test messages of one member in a minute. */
export const TESTS_PER_MINUTE = 5;

/**
 * Counts a member's test messages.
 *
 * @param shared where servers count together
 * @returns what throws 429 with the time to wait when there were too many
 */
export function createTestThrottle(shared: SharedCounts | undefined): (userId: string) => Promise<void> {
  const members = createLimiter('push-test', TESTS_PER_MINUTE, 60, shared);
  return async (userId) => {
    try {
      await members.consume(userId);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw tooMany(`Too many test notifications. Try again in ${seconds} seconds.`, seconds);
    }
  };
}

/** Sends a test message to a device now, once, whatever its member decided about being notified. Never rejects. */
export type SendTestMessage = (subscription: StoredPushSubscription) => Promise<PushTestResult>;

/** What it takes. */
export interface SendTestMessageDeps {
  transport: PushTransport;
  subscriptions: Pick<PushSubscriptionStore, 'removeGone' | 'noteSuccess'>;
  logger: Logger;
  onOutcome: ObservePush;
}

const COUNTED_AS: Record<PushTestOutcome, PushOutcome> = {
  sent: 'sent',
  gone: 'gone',
  refused: 'failed',
  unreachable: 'failed',
  timeout: 'failed',
};

/** Makes the path of a test message: the same that alerts take, without their retries. */
export function createSendTestMessage(deps: SendTestMessageDeps): SendTestMessage {
  const { transport, subscriptions, logger, onOutcome } = deps;

  const attempt = async (subscription: StoredPushSubscription): Promise<Attempted> => {
    try {
      // The transport ends it in time; nothing else does.
      return { answer: await transport.send(subscription, testMessage(), new AbortController().signal) };
    } catch (error) {
      return { error };
    }
  };
  const record = async ({ id, p256dh }: StoredPushSubscription, outcome: PushTestOutcome) => {
    if (outcome === 'gone') await subscriptions.removeGone(id, p256dh);
    else if (outcome === 'sent') await subscriptions.noteSuccess(id);
  };

  return async (subscription) => {
    const attempted = await attempt(subscription);
    const { host } = new URL(subscription.endpoint);
    const result = testResultOf(host, attempted);
    onOutcome(COUNTED_AS[result.outcome]);
    const error = 'error' in attempted ? attempted.error : undefined;
    logger.info({ host, outcome: result.outcome, status: result.status, err: error }, 'a test push was sent');
    await record(subscription, result.outcome).catch((trouble: unknown) =>
      logger.warn({ err: trouble }, 'what became of a push could not be written'),
    );
    return result;
  };
}
