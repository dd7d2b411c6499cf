import type { PresentableAlert } from '#backend/alerts/alert/alert.ts';
import type { MatchedAlert } from '#backend/alerts/alert/match-list.ts';
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
  /** The alert begins to flap. */
  beginsToFlap?: true;
  /** Its snooze has ended: it is new to whom it was not sent before. */
  wakes?: true;
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
    more: Pick<Happening, 'beginsToFlap' | 'wakes'> = {},
  ): void => {
    for (const alertId of alertIds) happened.happenings.push({ alertId, event, key, at: row.at, by, ...more });
  };
  for (const fact of facts) {
    if (fact.type !== 'notes_changed') happened.changed.push(...alertsOf(fact));
    switch (fact.type) {
      case 'new_alert':
        if (!fact.quiet || fact.isGiven) add(fact.alertIds, 'new', 'new');
        break;
      case 'alert_updated':
        if (fact.reason === 'escalated') add(fact.alertIds, 'escalated', `escalated:${name}`);
        else if (fact.reason === 'flapping') add(fact.alertIds, 'new', `new:${name}`, 'sender', { beginsToFlap: true });
        else if (fact.reason === 'woken') add(fact.alertIds, 'new', 'new', 'sender', { wakes: true });
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
        } else if (fact.change === 'woken') {
          add(fact.alertIds, 'new', 'new', 'sender', { wakes: true });
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

/** What of an alert begins. None of it happens to one that is completed. */
export const BEGINNINGS: ReadonlySet<OutgoingEvent> = new Set<OutgoingEvent>(['new', 'escalated']);

/** Whether something happened to a completed alert before it was completed. */
export const isBeforeEnd = ({ event, at }: Pick<Happening, 'event' | 'at'>, completedAt: number): boolean =>
  BEGINNINGS.has(event) || (event === 'accepted' && at <= completedAt);

/**
 * What happened to one alert, in its order. Servers number their changes apart, and their clocks differ, so the order in which
 * these are read is not certain. That an alert arrives is the first of all, and a beginning comes before its completion.
 */
export function inOrder(
  happenings: readonly Happening[],
  { status, completedAt }: Pick<PresentableAlert, 'status' | 'completedAt'>,
): Happening[] {
  const isArrival = ({ key, wakes }: Happening): boolean => key === 'new' && !wakes;
  const sorted = [...happenings.filter(isArrival), ...happenings.filter((one) => !isArrival(one))];
  const end = sorted.findIndex(({ event }) => event === 'completed');
  if (end === -1 || status !== 'completed' || completedAt === null) return sorted;
  const behind = sorted.slice(end);
  return [
    ...sorted.slice(0, end),
    ...behind.filter((one) => isBeforeEnd(one, completedAt)),
    ...behind.filter((one) => !isBeforeEnd(one, completedAt)),
  ];
}

/** A moment in the life of an alert. */
export interface Moment {
  /** In milliseconds since the epoch. */
  at: number;
  /** It begins to flap then, whatever clocks say. */
  beginsToFlap?: boolean | undefined;
}

/** An alert as rules judge what happened to it at a moment: before it began to flap, it did not, however late the feed is read. */
export function asItWas(
  { flappingSince, receivedAt }: Pick<PresentableAlert, 'flappingSince' | 'receivedAt'>,
  matched: MatchedAlert,
  { at, beginsToFlap }: Moment,
): MatchedAlert {
  const flapsThen = flappingSince === null || beginsToFlap || at >= flappingSince || receivedAt >= flappingSince;
  return flapsThen ? matched : { ...matched, content: { ...matched.content, isFlapping: false } };
}

/** What is completed does not flap any more. A rule about what flaps has it end where that is known. */
export const asItMayHaveBeen = (matched: MatchedAlert): MatchedAlert =>
  matched.status === 'completed' ? { ...matched, content: { ...matched.content, isFlapping: true } } : matched;
