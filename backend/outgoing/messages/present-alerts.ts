import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { type MakeDeps, readAlerts } from './make-messages.ts';
import { type StoredMessage, sentAgainAt } from './message-entity.ts';

/** An alert as messages say it. */
type SentAlert = OutgoingPayload['data']['alert'];

/**
 * The alerts of messages that were sent again, as they are now: what is changed in place, in a chat or a ticket system, is not
 * set back to what it was then. A change that comes later makes its own message.
 */
export async function readPresent(
  deps: Pick<MakeDeps, 'publicUrl'> & { database: Pick<MakeDeps['database'], 'reads' | 'dialect'> },
  messages: readonly Pick<StoredMessage, 'alertId' | 'createdAt' | 'giveUpAt'>[],
): Promise<ReadonlyMap<string, SentAlert>> {
  const ids = new Set(messages.filter((message) => sentAgainAt(message) !== undefined).map(({ alertId }) => alertId));
  const present = new Map<string, SentAlert>();
  for await (const { alert, ownerName, acceptedAt } of readAlerts(deps, [...ids])) {
    const event = { event: 'new', at: Date.now(), by: null } as const;
    present.set(alert.id, contentOf({ ...alert, ownerName, acceptedAt }, event, deps.publicUrl).data.alert);
  }
  return present;
}

/** What happened, of an alert as it is by now. */
export const withAlert = ({ data, ...rest }: OutgoingPayload, alert: SentAlert | undefined): OutgoingPayload => ({
  ...rest,
  data: alert ? { ...data, alert } : data,
});
