import type { AlertsChanged, LiveEvent, MemberNotice } from '#backend/contract/live-event.ts';
import { noticeOfMember } from '#backend/contract/notices.ts';

/** After these changes nobody is to act on an alert any more. */
const OVER: ReadonlySet<AlertsChanged['change']> = new Set(['accepted', 'deleted', 'snoozed']);

/** Whether nobody is to act on these alerts any more, or somebody else is. */
const areOver = ({ change, status, ownerId }: AlertsChanged, me: string): boolean =>
  OVER.has(change) || status === 'completed' || (change === 'assigned' && ownerId !== me);

/** What is known of the member beside the events. */
interface Member {
  me: string;
  /** Whether an alert was nobody's when it was last announced. */
  wasUntaken: (alertId: string) => boolean;
}

/** The alerts that one event ends for the member: their notifications go. */
function overBy(event: LiveEvent, { me, wasUntaken }: Member): readonly string[] {
  switch (event.type) {
    case 'alert_accepted':
    case 'alert_deleted':
      return [event.alertId];
    case 'alerts_changed':
      return areOver(event, me) ? event.alertIds : [];
    case 'alert_updated': {
      const { id, status, ownerId, snoozedUntil } = event.alert;
      // Who was away is sent an alert that they see as it is now, without who accepted it meanwhile.
      const isTaken = event.reason === undefined && ownerId !== undefined && (ownerId !== me || wasUntaken(id));
      return status === 'completed' || snoozedUntil !== undefined || isTaken ? [id] : [];
    }
    default:
      return [];
  }
}

/** The alerts that one event puts back into the inbox. */
function backBy(event: LiveEvent): readonly string[] {
  switch (event.type) {
    case 'alert_unaccepted':
      return [event.alert.id];
    case 'alerts_changed':
      return event.change === 'unaccepted' || event.change === 'woken' ? event.alertIds : [];
    default:
      return [];
  }
}

/** The alerts that are over for the member after these events. */
export function findOver(events: readonly LiveEvent[], member: Member): ReadonlySet<string> {
  const over = new Set<string>();
  for (const event of events) {
    for (const id of overBy(event, member)) over.add(id);
    for (const id of backBy(event)) over.delete(id);
  }
  return over;
}

/** The notices that these events have, without those that were read elsewhere meanwhile, or that ask to take a taken alert. */
export function findNotices(events: readonly LiveEvent[], over: ReadonlySet<string>): readonly MemberNotice[] {
  const read = new Set<string>();
  for (const event of events) {
    if (event.type !== 'notices_changed') continue;
    for (const id of event.noticeIds) {
      if (event.isRead) read.add(id);
      else read.delete(id);
    }
  }
  return events.flatMap((event) => {
    if (event.type !== 'member_notified' || read.has(event.notice.id)) return [];
    return over.has(noticeOfMember(event.notice).untakenAlertId ?? '') ? [] : [event.notice];
  });
}
