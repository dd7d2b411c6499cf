import type { AlertsChanged } from '#backend/contract/live-event.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { Audience, DomainEvent } from '#backend/platform/live/event-bus.ts';
import { canSee, seesEverything } from './alert.ts';

/** Who receives an event: everybody what happens in the shared inbox, the rest only whom it concerns. */
function receives(actor: Actor, event: DomainEvent): boolean {
  switch (event.type) {
    case 'alert_updated':
      return concerns(actor, event.alert.ownerId);
    case 'lists_changed':
    case 'notes_changed':
    case 'ladder_changed':
      return concerns(actor, event.ownerId);
    case 'alerts_changed':
      return FOR_EVERYBODY.has(event.change) || concerns(actor, event.ownerId);
    case 'looking_changed':
      return canSee(actor, event.access);
    case 'new_alert':
    case 'alert_accepted':
    case 'alert_unaccepted':
    case 'alert_deleted':
    case 'alerts_returned':
    case 'maintenance_changed':
    case 'heartbeats_changed':
      return true;
    case 'member_notified':
    case 'notices_changed':
    case 'notification_settings_changed':
    case 'folders_changed':
    case 'profile_changed':
    case 'notice_chosen':
      return event.userId === actor.id;
    case 'views_changed':
      return event.userId === null || event.userId === actor.id;
    case 'view_counted':
      return event.userId === null ? event.list !== 'all' || seesEverything(actor) : event.userId === actor.id;
    case 'source_changed':
    case 'source_counted':
    case 'members_changed':
    case 'outgoing_changed':
    case 'rules_changed':
      return actor.role === 'admin';
    case 'alerts_given':
    case 'alerts_retitled':
    case 'member_disabled':
    case 'session_ended':
    case 'session_listening':
    case 'server_looking':
    case 'resync':
    case 'live_delayed':
      return false;
  }
}

/** Changes of many alerts that bring them into the inbox or out of it, for good, or to another owner. */
const FOR_EVERYBODY: ReadonlySet<AlertsChanged['change']> = new Set(['accepted', 'unaccepted', 'assigned', 'deleted']);

/** Whether a member receives what becomes of an alert with this owner. What has no owner is everybody's. */
export const concerns = (actor: Actor, ownerId: string | null): boolean =>
  ownerId === null || ownerId === actor.id || seesEverything(actor);

/** Events that not everybody receives. */
const RESTRICTED: ReadonlySet<DomainEvent['type']> = new Set([
  'alert_updated',
  'alerts_changed',
  'lists_changed',
  'notes_changed',
  'ladder_changed',
  'member_notified',
  'notices_changed',
  'notification_settings_changed',
  'folders_changed',
  'profile_changed',
  'views_changed',
  'view_counted',
  'notice_chosen',
  'source_changed',
  'source_counted',
  'members_changed',
  'outgoing_changed',
  'rules_changed',
  'alerts_given',
  'alerts_retitled',
  'member_disabled',
  'session_listening',
  'looking_changed',
  'server_looking',
  'resync',
  'live_delayed',
]);

/** True when everybody receives events of this type, so that one frame serves all. */
const isForEverybody = ({ type }: DomainEvent): boolean => !RESTRICTED.has(type);

/** Who receives which event, by the same rules as who may see an alert. */
export const AUDIENCE: Audience = { receives, isForEverybody };
