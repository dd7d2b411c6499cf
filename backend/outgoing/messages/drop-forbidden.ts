import { type StoredDestination, mayHear, readSettings } from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { readContent } from './message-entity.ts';
import { recordForbidden } from './record-results.ts';

/**
 * Messages were made while their destination could be sent alerts of every customer, and it is limited by now: those about other
 * customers are not delivered, whether they waited or somebody sends them again.
 *
 * @returns those that may be sent
 */
export async function dropForbidden(
  database: Database,
  stored: StoredDestination,
  claimed: readonly ClaimedMessage[],
): Promise<readonly ClaimedMessage[]> {
  const settings = readSettings(stored);
  const mayBeSent = (message: ClaimedMessage): boolean => mayHear(settings, readContent(message).data.alert.customer);
  // Contents are read for nothing where there is no limit.
  if (settings.customers.length === 0 || claimed.every(mayBeSent)) return claimed;
  const forbidden = claimed.filter((message) => !mayBeSent(message));
  await database.transaction(async (tx) => {
    await recordForbidden(tx, { id: stored.id, isForPeople: KINDS[stored.kind].isForPeople }, forbidden);
    announce(tx, { type: 'outgoing_changed' });
  });
  return claimed.filter((message) => !forbidden.includes(message));
}
