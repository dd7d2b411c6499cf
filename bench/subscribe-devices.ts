import { randomBytes } from 'node:crypto';
import { MAX_PUSH_SUBSCRIPTIONS } from '#backend/contract/push.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { createPushSubscriptionStore } from '#backend/outgoing/push/push-subscriptions.ts';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import type { Temper } from './push-service.ts';

/** What a server of the bench is asked to do: so many devices more. */
export interface DevicesWanted {
  /** Of the push service. */
  origin: string;
  devices: Record<Temper, number>;
}

/**
 * Subscribes devices as the product does, past the calls, ten for each member: one more would take the place of another.
 *
 * @param nextMember a signed-in member who has none.
 */
export async function subscribeDevices(
  database: Database,
  nextMember: () => Promise<Actor>,
  { origin, devices }: DevicesWanted,
): Promise<void> {
  const subscriptions = createPushSubscriptionStore(database, {
    sessionMaxMs: Number.POSITIVE_INFINITY,
    oidcProviders: [],
    passwordOnlyFor: undefined,
    breakGlass: undefined,
  });
  const tempers = (Object.entries(devices) as [Temper, number][]).flatMap(([temper, count]) =>
    Array.from({ length: count }, () => temper),
  );
  for (let at = 0; at < tempers.length; at += MAX_PUSH_SUBSCRIPTIONS) {
    const member = await nextMember();
    for (const temper of tempers.slice(at, at + MAX_PUSH_SUBSCRIPTIONS)) {
      const endpoint = `${origin}/${temper}/${randomBytes(16).toString('base64url')}`;
      await subscriptions.save(member, { endpoint, keys: makeBrowserKeys().keys }, 'bench');
    }
  }
}
