import type { Config } from '#backend/config.ts';
import type { Database } from '#backend/database/database.ts';
import type { Endpoint } from '#backend/endpoint/endpoint.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import type { Logger } from '#backend/logger.ts';
import { type ObservePush, type PushOutcome, UNOBSERVED } from '#backend/metrics/observers.ts';
import type { SecretStore } from '#backend/secrets/secret-store.ts';
import { createDeliverMessage } from './deliver-message.ts';
import { type Resolve, createDnsResolve, createGuardedAgent, createGuardedLookup } from './guarded-agent.ts';
import { isPublicAddress } from './public-address.ts';
import type { AddressRule } from './push-endpoint.ts';
import { PUSH_LIMITS, type PushLimits } from './push-limits.ts';
import { createLoadRecipients } from './push-recipients.ts';
import { pushRoutes } from './push-routes.ts';
import { createPushSender } from './push-sender.ts';
import { createSendTestMessage } from './send-test-message.ts';
import { createPushSubscriptionStore } from './push-subscription-store.ts';
import { createPushTransport } from './push-transport.ts';
import { loadVapidKeys } from './vapid-keys.ts';

/** What web push is made of. */
export interface PushNeeds {
  database: Database;
  secrets: SecretStore;
  events: EventBus;
  logger: Logger;
  config: Pick<Config, 'vapidKeys' | 'vapidSubject'>;
  /** Hears what becomes of messages, to count them. */
  onOutcome?: ObservePush;
  /** Whether a session's pages are connected. */
  isListening: (sessionId: string) => boolean;
}

/** What tests put in the place of the internet, and of patience. */
export interface PushParts {
  /** Where pushes may go; default: the public internet only. */
  isAllowedAddress?: AddressRule;
  /** What host names stand for; default: what the name servers say. */
  resolve?: Resolve;
  /** Whom push services are vouched for by, in the place of the usual authorities. */
  ca?: string;
  limits?: Partial<PushLimits>;
  /** Hears what becomes of messages, too. */
  onOutcome?: ObservePush;
}

/** Web push at work. */
export interface Push {
  endpoints: Endpoint[];
  /** Alerts that not every device was told of yet, and messages that are on their way. */
  pending(): { alerts: number; messages: number };
  /** Ends what is under way and waits for it, at most a second or two. */
  stop(): Promise<void>;
}

/** Puts the room together: keys, calls, the way from an alert to devices, and the end of subscriptions with their sessions. */
export async function openPush(needs: PushNeeds, parts: PushParts = {}): Promise<Push> {
  const { database, events, logger, config } = needs;
  const { onOutcome: count = UNOBSERVED.push } = needs;
  const { isAllowedAddress = isPublicAddress, resolve = createDnsResolve() } = parts;
  const limits = { ...PUSH_LIMITS, ...parts.limits };
  const onOutcome = (outcome: PushOutcome) => {
    count(outcome);
    parts.onOutcome?.(outcome);
  };
  const keys = await loadVapidKeys(needs.secrets, config);
  const subscriptions = createPushSubscriptionStore(database);
  await subscriptions.removeOrphans();

  const agent = createGuardedAgent(createGuardedLookup(isAllowedAddress, resolve), limits.maxUnderWay, parts.ca);
  const subject = config.vapidSubject;
  const transport = createPushTransport({ keys, subject, agent, isAllowedAddress, limits });
  const sender = createPushSender({
    loadRecipients: createLoadRecipients(database),
    deliver: createDeliverMessage({ transport, subscriptions, rules: limits, logger, onOutcome }),
    limits,
    onOutcome,
    isListening: needs.isListening,
    onTrouble: (error) => logger.warn({ err: error }, 'the push subscriptions could not be read'),
  });

  const removals = new Set<Promise<void>>();
  const endSession = (sessionId: string) => {
    sender.forgetSession(sessionId);
    const removal: Promise<void> = subscriptions
      .removeOfSession(sessionId)
      // Nothing is sent to it all the same: a subscription counts only while its session lives.
      .catch((error: unknown) => logger.warn({ err: error }, 'the push subscriptions of a session were not removed'))
      .finally(() => removals.delete(removal));
    removals.add(removal);
  };
  const unsubscribe = events.subscribe((event) => {
    switch (event.type) {
      case 'new_alert':
        return sender.tell(event.alert);
      case 'alert_accepted':
        return sender.withdraw({ alertId: event.alertId, acceptedBy: event.ownerName });
      case 'alert_deleted':
        return sender.withdraw({ alertId: event.alertId, acceptedBy: null });
      case 'alert_unaccepted':
        return sender.restore(event.alert.id);
      case 'session_ended':
        return endSession(event.sessionId);
      default:
      // Of nothing else is anybody told by push.
    }
  });

  return {
    endpoints: pushRoutes({
      publicKey: keys.publicKey,
      subscriptions,
      isAllowedAddress,
      sendTest: createSendTestMessage({ transport, subscriptions, logger, onOutcome }),
    }),
    pending: sender.pending,
    async stop() {
      unsubscribe();
      await sender.stop();
      transport.close();
      await Promise.all(removals);
    },
  };
}
