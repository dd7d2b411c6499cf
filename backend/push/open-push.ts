import type { Config } from '#backend/config.ts';
import type { Database } from '#backend/database/database.ts';
import type { Endpoint } from '#backend/endpoint/endpoint.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import type { Logger } from '#backend/logger.ts';
import type { SecretStore } from '#backend/secrets/secret-store.ts';
import { isPublicAddress } from './public-address.ts';
import type { AddressRule } from './push-endpoint.ts';
import { pushRoutes } from './push-routes.ts';
import { createPushSubscriptionStore } from './push-subscription-store.ts';
import { loadVapidKeys } from './vapid-keys.ts';

/** What web push is made of. */
export interface PushNeeds {
  database: Database;
  secrets: SecretStore;
  events: EventBus;
  logger: Logger;
  config: Pick<Config, 'vapidKeys' | 'vapidSubject'>;
}

/** What tests put in the place of the internet. */
export interface PushParts {
  /** Where pushes may go; default: the public internet only. */
  isAllowedAddress?: AddressRule;
}

/** Web push at work. */
export interface Push {
  endpoints: Endpoint[];
  /** Ends what is under way and waits for it. */
  stop(): Promise<void>;
}

/** Puts the room together: keys, calls, and the end of subscriptions with their sessions. */
export async function openPush(needs: PushNeeds, parts: PushParts = {}): Promise<Push> {
  const { database, events, logger } = needs;
  const { isAllowedAddress = isPublicAddress } = parts;
  const keys = await loadVapidKeys(needs.secrets, needs.config);
  const subscriptions = createPushSubscriptionStore(database);
  await subscriptions.removeOrphans();

  const removals = new Set<Promise<void>>();
  const unsubscribe = events.subscribe((event) => {
    if (event.type !== 'session_ended') return;
    const removal: Promise<void> = subscriptions
      .removeOfSession(event.sessionId)
      // Nothing is sent to it all the same: a subscription counts only while its session lives.
      .catch((error: unknown) => logger.warn({ err: error }, 'the push subscriptions of a session were not removed'))
      .finally(() => removals.delete(removal));
    removals.add(removal);
  });

  return {
    endpoints: pushRoutes({ publicKey: keys.publicKey, subscriptions, isAllowedAddress }),
    async stop() {
      unsubscribe();
      await Promise.all(removals);
    },
  };
}
