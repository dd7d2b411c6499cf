import type { AlertStatus } from '#backend/contract/alert.ts';
import type {
  AlertsChanged,
  AlertsReturned,
  ChangedList,
  MemberNotice,
  UpdateReason,
} from '#backend/contract/live-event.ts';
import type { JsonText } from '#backend/endpoint/json-text.ts';

/** An alert as events carry it: what audiences and notifications ask for, and its JSON for the wire. */
export interface PublishedAlert {
  id: string;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  ownerId: string | null;
  status: AlertStatus;
  isSnoozed: boolean;
  readonly json: JsonText;
}

/** What happened, published after the commit: a subscriber must never see what is rolled back later. */
export type DomainEvent =
  | { type: 'new_alert'; alert: PublishedAlert; quiet?: boolean }
  | { type: 'alert_accepted'; alertId: string; ownerId: string; ownerName: string }
  | { type: 'alert_unaccepted'; alert: PublishedAlert }
  | { type: 'alert_updated'; alert: PublishedAlert; reason?: UpdateReason }
  | { type: 'alert_deleted'; alertId: string }
  | AlertsChanged
  | AlertsReturned
  | { type: 'lists_changed'; lists: ChangedList[]; ownerId: string | null }
  | { type: 'notes_changed'; alertId: string; ownerId: string | null }
  | { type: 'member_notified'; userId: string; notice: MemberNotice }
  | { type: 'notification_settings_changed'; userId: string }
  | { type: 'folders_changed'; userId: string }
  | { type: 'source_changed'; sourceId: string | null }
  | { type: 'member_disabled'; userId: string }
  | { type: 'session_ended'; sessionId: string };

/** Domain modules publish what happened; live events, push and the search index subscribe. */
export interface EventBus {
  /** Calls every subscriber, in order, before it returns. A subscriber that throws hurts nobody else. */
  publish(event: DomainEvent): void;
  /** Returns what ends the subscription. */
  subscribe(subscriber: (event: DomainEvent) => void): () => void;
}

/** The bus of one process. `onError` receives the error of a subscriber that threw. */
export function createEventBus(onError: (error: unknown) => void): EventBus {
  const subscribers = new Set<(event: DomainEvent) => void>();
  return {
    publish(event) {
      for (const subscriber of subscribers) {
        try {
          subscriber(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
  };
}
