import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import type { Tracing } from '#backend/platform/tracing/tracing.ts';
import webPush from 'web-push';
import type { SessionRules } from '#backend/identity/sessions/session-rules.ts';
import type { VapidKeys } from './vapid-keys.ts';
import type { SecretStore } from '#backend/platform/secrets/secret-store.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import type { SharedCounts } from '#backend/platform/cluster/limiter.ts';
import { isNewsOf } from '#backend/contract/live-event.ts';
import { noticeOfMember, noticeOfReturn, noticeOfWindowEnd } from '#backend/contract/notices.ts';
import type { FeedConsumers } from '#backend/platform/feed/feed-consumers.ts';
import type { DomainEvent, PublishedAlert, EventBus } from '#backend/platform/live/event-bus.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import type { ObservePush, PushOutcome } from '#backend/platform/metrics/observers.ts';
import { createDeliverMessage } from './deliver-message.ts';
import {
  type Resolve,
  createDnsResolve,
  createGuardedAgent,
  createGuardedLookup,
  isPublicAddress,
  type AddressRule,
} from '#backend/platform/requests/guarded-request.ts';
import { PUSH_LIMITS, type PushLimits } from './device-queue.ts';
import { createLoadRecipients } from './push-recipients.ts';
import { personalMessage } from './push-message.ts';
import { pushRoutes } from './push-routes.ts';
import { createPushSender } from './push-sender.ts';
import { createSendTestMessage } from './test-message.ts';
import { createPushSubscriptionStore, removeOrphans } from './push-subscriptions.ts';
import { createPushTransport } from './push-transport.ts';

/** Both keys are kept as one value: two servers that start at once must not each store half of a pair. */
const SECRET_NAME = 'VAPID_KEYS';

/**
 * The pair that the environment names, else the one that was generated at the first start.
 *
 * @throws {StartError} when what is kept is not a pair.
 */
export async function loadVapidKeys(secrets: SecretStore, config: Pick<PushConfig, 'vapidKeys'>): Promise<VapidKeys> {
  if (config.vapidKeys) return config.vapidKeys;
  const kept = await secrets.getOrCreate(SECRET_NAME, () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    return `${publicKey}.${privateKey}`;
  });
  const [, publicKey, privateKey] = /^(B[\w-]{86})\.([\w-]{43})$/.exec(kept) ?? [];
  if (publicKey === undefined || privateKey === undefined) {
    throw new StartError(`The secret ${SECRET_NAME} is damaged. Restore it, or remove it to make a new pair.`);
  }
  return { publicKey, privateKey };
}

/** What the configuration says about web push. */
export interface PushConfig extends SessionRules {
  /** False for a copy of an installation, whose devices are those of the one that runs. */
  isSending: boolean;
  /** Whom a push service may write to about this server's pushes: a `mailto:` or `https:` address. */
  vapidSubject: string;
  /** Undefined when they are generated once and kept. */
  vapidKeys: VapidKeys | undefined;
}

/** What web push is made of. */
export interface PushDeps {
  config: PushConfig;
  database: Database;
  events: EventBus;
  /** By which nobody is left without a push whose server ends between a change and its push. */
  consumers: Pick<FeedConsumers, 'add'>;
  logger: Logger;
  metrics: Metrics;
  secrets: SecretStore;
  tracing: Tracing;

  /** Whether pages of a session are connected, to whichever server. */
  isListening: (sessionId: string) => boolean;
  /** Where servers count together; undefined for one server. */
  counts?: SharedCounts | undefined;
  /** What members chose for views that an alert is in, by the member's id. */
  choicesFor: (alert: PublishedAlert) => () => ReadonlyMap<string, NoticeLevel>;
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
  /** Receives what becomes of messages, too. */
  onOutcome?: ObservePush;
}

/** Web push at work. */
export interface Push {
  endpoints: Endpoint[];
  /** Alerts that not every device was notified of yet, and messages that are on their way. */
  pending(): { alerts: number; messages: number };
  /** Ends what is in flight and waits for it, at most a second or two. */
  stop(): Promise<void>;
}

/** Puts web push together: keys, calls, delivery from an alert to devices, and the end of subscriptions with their sessions. */
export async function openPush(deps: PushDeps, parts: PushParts = {}): Promise<Push> {
  const { database, events, logger, config, metrics } = deps;
  const { isAllowedAddress = isPublicAddress, resolve = createDnsResolve() } = parts;
  const limits = { ...PUSH_LIMITS, ...parts.limits };
  const onOutcome = (outcome: PushOutcome) => {
    metrics.push(outcome);
    parts.onOutcome?.(outcome);
  };
  const keys = await loadVapidKeys(deps.secrets, config);
  const subscriptions = createPushSubscriptionStore(database, config);
  await removeOrphans(database);

  const { isSending, vapidSubject: subject } = config;
  const mayReach: AddressRule = isSending ? isAllowedAddress : () => false;
  const agent = createGuardedAgent(createGuardedLookup(mayReach, resolve), limits.maxInFlight, parts.ca);
  const transport = createPushTransport({ keys, subject, agent, isAllowedAddress: mayReach, limits });
  const sender = createPushSender({
    loadRecipients: createLoadRecipients(database, config),
    deliver: createDeliverMessage({
      transport,
      subscriptions,
      rules: limits,
      logger,
      onOutcome,
      tracing: deps.tracing,
    }),
    limits,
    onOutcome,
    isListening: deps.isListening,
    onError: (error) => logger.warn({ err: error }, 'the push subscriptions could not be read'),
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
  /** Notifies of what happened, on the server where it did, so that a device is notified once. Returns whether there is news. */
  const notify = (event: DomainEvent): boolean => {
    if (!isSending) return false;
    switch (event.type) {
      case 'new_alert':
        if (event.quiet) return false;
        sender.notify(event.alert, false, deps.choicesFor(event.alert));
        return true;
      case 'alert_updated': {
        const { alert, reason } = event;
        // Worse than before, again after a quiet time, or back from a snooze: as news as a new alert.
        if (alert.isSnoozed || alert.isQuiet || !isNewsOf(reason, alert.ownerId)) return false;
        sender.notify(alert, reason === 'woken', deps.choicesFor(alert));
        return true;
      }
      case 'member_notified': {
        const notice = noticeOfMember(event.notice);
        sender.report({
          userId: event.userId,
          isAbout: () => true,
          ...(event.notice.isUrgent && { isUrgent: true }),
          untakenAlertId: notice.untakenAlertId,
          messageFor: () => personalMessage(event.notice.id, notice, event.notice.isUrgent),
        });
        return true;
      }
      case 'alerts_returned':
        sender.report({
          userId: null,
          isAbout: (userId) => userId === event.ownerId,
          messageFor: (userId) => personalMessage(event.id, noticeOfReturn(event, userId)),
        });
        return true;
      case 'maintenance_changed': {
        const { ended } = event;
        if (!ended) return false;
        sender.report({
          userId: null,
          isAbout: (userId) => ended.ownerIds.includes(userId),
          severity: ended.severity,
          messageFor: () => personalMessage(ended.id, noticeOfWindowEnd(ended)),
        });
        return true;
      }
      default:
        return false;
    }
  };
  deps.consumers.add('push', (happened) => (happened.filter(notify).length > 0 ? sender.handled() : undefined));
  // Each server takes back what it has sent, wherever something happened.
  const unsubscribe = events.subscribe((event) => {
    switch (event.type) {
      case 'alert_updated':
        if (event.alert.status === 'completed') {
          const isResolved = event.reason === 'resolved' || event.reason === 'calmed';
          return sender.withdraw({ alertId: event.alert.id, acceptedBy: null, isCompleted: true, isResolved });
        }
        if (event.alert.isSnoozed) {
          return sender.withdraw({ alertId: event.alert.id, acceptedBy: null, isSnoozed: true });
        }
        if (event.reason === 'woken' || (event.reason === undefined && isEverybodys(event.alert))) {
          sender.restore(event.alert.id);
        }
        return;
      case 'alert_accepted':
        return sender.withdraw({ alertId: event.alertId, acceptedBy: event.ownerName });
      case 'alert_deleted':
        return sender.withdraw({ alertId: event.alertId, acceptedBy: null });
      case 'alert_unaccepted':
        return sender.restore(event.alert.id);
      case 'alerts_changed':
        return event.alertIds.forEach((alertId) => {
          if (event.change === 'unaccepted' || event.change === 'woken') sender.restore(alertId);
          else if (event.change === 'snoozed') sender.withdraw({ alertId, acceptedBy: null, isSnoozed: true });
          else if (event.status === 'completed') sender.withdraw({ alertId, acceptedBy: null, isCompleted: true });
          else if (event.change !== 'updated') sender.withdraw({ alertId, acceptedBy: event.ownerName });
        });
      case 'session_ended':
        return endSession(event.sessionId);
      default:
      // Push reports nothing else.
    }
  });

  return {
    endpoints: pushRoutes({
      counts: deps.counts,
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
