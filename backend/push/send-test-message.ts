import type { PushTestOutcome, PushTestResult } from '#backend/contract/push.ts';
import type { Logger } from '#backend/logger.ts';
import type { ObservePush, PushOutcome } from '#backend/metrics/observers.ts';
import { testMessage } from './push-message.ts';
import type { PushSubscriptionStore } from './push-subscription-store.ts';
import type { StoredPushSubscription } from './push-subscription-entity.ts';
import type { PushTransport } from './push-transport.ts';
import { type Attempted, testResultOf } from './test-result.ts';

/** Sends a test message to a device now, once, whatever its member decided about being told. Never rejects. */
export type SendTestMessage = (subscription: StoredPushSubscription) => Promise<PushTestResult>;

/** What it takes. */
export interface SendTestMessageNeeds {
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

/** Makes the way of a test message: the same that alerts go, without their second attempts. */
export function createSendTestMessage(needs: SendTestMessageNeeds): SendTestMessage {
  const { transport, subscriptions, logger, onOutcome } = needs;

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
