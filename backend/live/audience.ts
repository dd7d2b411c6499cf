import { seesEverything } from '#backend/alerts/alert-policy.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import type { DomainEvent } from './event-bus.ts';

/** Who receives an event: everybody what happens in the shared inbox, the rest only whom it concerns. */
export function hears(actor: Actor, event: DomainEvent): boolean {
  switch (event.type) {
    case 'alert_updated':
      return event.alert.ownerId === actor.id || seesEverything(actor);
    case 'lists_changed':
      return event.ownerId === actor.id || seesEverything(actor);
    case 'new_alert':
    case 'alert_accepted':
    case 'alert_unaccepted':
    case 'alert_deleted':
      return true;
    case 'notification_settings_changed':
    case 'folders_changed':
      return event.userId === actor.id;
    case 'session_ended':
      return false;
  }
}

/** Events that not everybody hears. */
const RESTRICTED: ReadonlySet<DomainEvent['type']> = new Set([
  'alert_updated',
  'lists_changed',
  'notification_settings_changed',
  'folders_changed',
]);

/** True when everybody hears of events of this type, so that one frame serves all. */
export const isForEverybody = ({ type }: DomainEvent): boolean => !RESTRICTED.has(type);
