import { marksOf } from '#backend/platform/database/conditions.ts';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import type { AlertStatus } from '#backend/contract/alert.ts';
import { mayHear } from '#backend/outgoing/destinations/destination-entity.ts';
import { contentOf } from '#backend/outgoing/destinations/message-content.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type MakeDeps, type OutgoingPlan, readAlerts } from './make-messages.ts';
import { type NewMessage, type StoredMessage, newMessage } from './message-entity.ts';

/** Alerts that are read in one statement. */
const ALERTS_AT_ONCE = 100;

/** What an update says happened: the message shows what the alert is. */
const EVENT_OF: Record<AlertStatus, OutgoingEvent> = {
  pending: 'new',
  accepted: 'accepted',
  'in-progress': 'accepted',
  completed: 'completed',
};

const nameOf = ({ alertId, destinationId }: Pick<StoredMessage, 'alertId' | 'destinationId'>) =>
  `${alertId} ${destinationId}`;

/**
 * What changes the live messages of alerts, one for each, beside the messages that rules make of the same changes: these show
 * the alert as it is, too. Rules decide what is posted; what is there is kept true whatever they say by now.
 */
export async function makeUpdates(
  deps: MakeDeps,
  { destinations }: OutgoingPlan,
  changed: readonly string[],
  made: readonly NewMessage[],
): Promise<NewMessage[]> {
  if (changed.length === 0 || ![...destinations.values()].some(({ isLive }) => isLive)) return [];
  const said = new Set(made.filter(({ event }) => event !== 'note').map(nameOf));
  const ids = [...new Set(changed)];
  const updates: NewMessage[] = [];
  for (let at = 0; at < ids.length; at += ALERTS_AT_ONCE) {
    const places = (await findLive(deps.database, ids.slice(at, at + ALERTS_AT_ONCE))).filter(
      (place) => !said.has(nameOf(place)),
    );
    const byAlert = Map.groupBy(places, ({ alertId }) => alertId);
    for await (const { alert, ownerName, acceptedAt } of readAlerts(deps, [...byAlert.keys()])) {
      const now = Date.now();
      const event = EVENT_OF[alert.status];
      // Who changed it is not read: of what is completed, that need not be its owner.
      const content = JSON.stringify(
        contentOf({ ...alert, ownerName, acceptedAt }, { event, at: now, by: null }, deps.publicUrl),
      );
      for (const { destinationId } of byAlert.get(alert.id) ?? []) {
        const destination = destinations.get(destinationId);
        if (!destination?.isLive || destination.isPaused || !mayHear(destination, alert.customer)) continue;
        updates.push(
          newMessage(alert.id, destination, { event: 'update', key: `update:${alert.version}-${now}` }, content),
        );
      }
    }
  }
  return updates;
}

/** Where alerts have a live message, or will have one. One statement: what is sent meanwhile is in one half of it. */
async function findLive(
  { reads }: Pick<Database, 'reads'>,
  ids: readonly string[],
): Promise<Pick<StoredMessage, 'alertId' | 'destinationId'>[]> {
  const places = marksOf(ids);
  return reads.query(
    `SELECT alert_id AS alertId, destination_id AS destinationId FROM outgoing_live WHERE alert_id IN (${places}) ` +
      'UNION SELECT alert_id AS alertId, destination_id AS destinationId FROM outgoing_messages ' +
      `WHERE alert_id IN (${places}) AND state = 'waiting' AND event <> 'note'`,
    [...ids, ...ids],
  );
}
