import type { UpdateReason } from '#backend/contract/live-event.ts';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import type { Fact } from '#backend/platform/feed/feed-facts.ts';

/** Something that may be sent of an alert. */
export interface Happening {
  alertId: string;
  event: OutgoingEvent;
  /** Names it among what happens to the alert, so that the feed may be read twice; null where the alert itself says it. */
  key: string | null;
  /** In milliseconds since the epoch. */
  at: number;
  /** Who did it: somebody else than the alert's owner, its owner, or its sender. */
  by: { name: string } | 'owner' | 'sender';
}

/** What one transaction changed, as far as it is sent. */
export interface Happened {
  happenings: Happening[];
  /** Alerts that changed in whatever way, as far as a message about them shows it. */
  changed: string[];
  /** Alerts that are gone. */
  deleted: string[];
}

/** Reasons by which an alert is sent as a new one is. */
const AS_NEW: ReadonlySet<UpdateReason | undefined> = new Set<UpdateReason>([
  'reopened',
  'notify_again',
  'quiet_ended',
  'flapping',
]);

/**
 * Reads what facts of the feed mean. That an alert was completed is said by the alert, with the time of it: a change of its
 * status and a move to a folder are the same fact.
 *
 * @param row the numbers that name the row of the feed
 */
export function happeningsOf(facts: readonly Fact[], row: { writer: number; number: number; at: number }): Happened {
  const happened: Happened = { happenings: [], changed: [], deleted: [] };
  const name = `${row.writer}-${row.number}`;
  const add = (
    alertIds: readonly string[],
    event: OutgoingEvent,
    key: string | null,
    by: Happening['by'] = 'sender',
  ): void => {
    for (const alertId of alertIds) happened.happenings.push({ alertId, event, key, at: row.at, by });
  };
  for (const fact of facts) {
    if (fact.type !== 'notes_changed') happened.changed.push(...alertsOf(fact));
    switch (fact.type) {
      case 'new_alert':
        if (!fact.quiet) add(fact.alertIds, 'new', 'new');
        break;
      case 'alert_updated':
        if (fact.reason === 'escalated') add(fact.alertIds, 'escalated', `escalated:${name}`);
        else if (AS_NEW.has(fact.reason)) add(fact.alertIds, 'new', `new:${name}`);
        else if (fact.reason === 'resolved' || fact.reason === 'calmed') add(fact.alertIds, 'completed', null);
        else if (fact.reason === undefined)
          add(fact.alertIds, 'completed', null, fact.byName === undefined ? 'owner' : { name: fact.byName });
        break;
      case 'alert_accepted':
        add([fact.alertId], 'accepted', `accepted:${name}`, { name: fact.ownerName });
        break;
      case 'alerts_changed':
        if (fact.change === 'deleted') {
          happened.deleted.push(...fact.alertIds);
        } else if (fact.change === 'accepted' || fact.change === 'assigned') {
          const by = fact.assignment?.byName ?? fact.ownerName;
          add(fact.alertIds, 'accepted', `accepted:${name}`, by === null ? 'owner' : { name: by });
          if (fact.status === 'completed') add(fact.alertIds, 'completed', null, 'owner');
        } else if (fact.change === 'updated' && fact.status === 'completed') {
          add(fact.alertIds, 'completed', null, 'owner');
        }
        break;
      case 'alert_deleted':
        happened.deleted.push(fact.alertId);
        break;
      case 'notes_changed':
        add([fact.alertId], 'note', null);
        break;
      default:
      // Nothing that is sent.
    }
  }
  return happened;
}

/** The alerts that a fact is about. */
const alertsOf = (fact: Fact): readonly string[] => {
  if (fact.type === 'alerts_changed' || fact.type === 'alert_updated' || fact.type === 'alert_unaccepted') {
    return fact.alertIds;
  }
  return fact.type === 'alert_accepted' || fact.type === 'alerts_returned' ? [fact.alertId] : [];
};
