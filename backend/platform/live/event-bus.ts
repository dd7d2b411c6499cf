import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { AlertSeverity, AlertStatus } from '#backend/contract/alert.ts';
import type {
  AlertsChanged,
  AlertsReturned,
  ChangedList,
  Looker,
  MemberNotice,
  UpdateReason,
} from '#backend/contract/live-event.ts';
import type { WindowEnd } from '#backend/contract/maintenance.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { SourceCounts } from '#backend/contract/source-standing.ts';
import type { ViewList } from '#backend/contract/view.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';

/** An alert as events carry it: what audiences and notifications ask for, and its JSON for the wire. */
export interface PublishedAlert {
  id: string;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  ownerId: string | null;
  status: AlertStatus;
  isSnoozed: boolean;
  /** A maintenance window keeps it quiet: nobody is notified of it. */
  isQuiet: boolean;
  /** What else decides which lists it is in. */
  content: PublishedContent;
  readonly json: JsonText;
}

export interface PublishedContent {
  folderId: string | null;
  label: string | null;
  isTest: boolean;
  isFlapping: boolean;
  severity: AlertSeverity;
  title: string | null;
  url: string;
  payload: string;
}

/** What a colleague did with alerts that a member is to know of. */
export interface GivenNotice extends Pick<MemberNotice, 'id' | 'alertTitle' | 'byName' | 'text'> {
  kind: Exclude<MemberNotice['kind'], 'mentioned'>;
  userId: string;
  byId: string;
  /** The newest first. */
  alertIds: string[];
  toName?: string | undefined;
}

/** A view has another number of alerts: for one member, or for everybody who sees its list. */
interface ViewCounted {
  type: 'view_counted';
  viewId: string;
  alerts: number;
  timeZone: string | null;
  userId: string | null;
  list: ViewList;
}

/** Of an alert, what decides who may see it. */
export interface AlertAccess {
  status: AlertStatus;
  ownerId: string | null;
}

/** One person who has an alert open on a page of a server. */
export type Look = readonly [alertId: string, userId: string, displayName: string, role: Actor['role']];

/** What happened. A subscriber must never see what is rolled back later: what a transaction changes it announces ({@link announce}). */
export type DomainEvent =
  /**
   * `quiet`: members are not notified; `isGiven`: because a rule assigns it, so that it is sent elsewhere all the same. `readAt`:
   * when the webhook that brought it was read, a moment of this process's `performance.now()`.
   */
  | { type: 'new_alert'; alert: PublishedAlert; quiet?: boolean; isGiven?: boolean; readAt?: number }
  | { type: 'alert_accepted'; alertId: string; ownerId: string; ownerName: string; version?: number | undefined }
  | { type: 'alert_unaccepted'; alert: PublishedAlert }
  /** `byName`: who did it, where neither its sender nor its owner did. */
  | { type: 'alert_updated'; alert: PublishedAlert; reason?: UpdateReason; byName?: string }
  | { type: 'alert_deleted'; alertId: string }
  | AlertsChanged
  | AlertsReturned
  | { type: 'lists_changed'; lists: ChangedList[]; ownerId: string | null }
  | { type: 'notes_changed'; alertId: string; ownerId: string | null }
  | { type: 'ladder_changed'; alertId: string; ownerId: string | null }
  /** Alerts that had no title have one: for searches. Pages are asked to read their lists again at times. */
  | { type: 'alerts_retitled'; alertIds: string[] }
  | { type: 'member_notified'; userId: string; notice: MemberNotice }
  /** A colleague gave alerts to somebody, who is notified once of all that comes within a moment. */
  | { type: 'alerts_given'; notice: GivenNotice }
  | { type: 'notices_changed'; userId: string; noticeIds: string[]; isRead: boolean }
  | { type: 'notification_settings_changed'; userId: string }
  | { type: 'folders_changed'; userId: string }
  | { type: 'profile_changed'; userId: string }
  | { type: 'views_changed'; userId: string | null }
  | ViewCounted
  | { type: 'notice_chosen'; userId: string; alertId: string; choice: NoticeLevel }
  /** `isEdited`: it was made, changed or deleted; otherwise its delivery log alone has news. */
  | { type: 'source_changed'; sourceId: string | null; isEdited?: boolean }
  /** What is known of a source by now, for the pages of this server. */
  | { type: 'source_counted'; sourceId: string; counts: SourceCounts }
  | { type: 'members_changed' }
  | { type: 'outgoing_changed' }
  | { type: 'rules_changed' }
  | { type: 'maintenance_changed'; ended?: WindowEnd | undefined }
  | { type: 'heartbeats_changed' }
  | { type: 'member_disabled'; userId: string }
  /**
   * `isRenewed`: the browser has another token of it already, with which it connects again. `isByAdministrator`: somebody
   * else than its member has ended it.
   */
  | { type: 'session_ended'; sessionId: string; isRenewed?: boolean; isByAdministrator?: boolean }
  | SessionListening
  /** Who has an alert open now, on pages of all servers; to those who may see it. */
  | { type: 'looking_changed'; alertId: string; access: AlertAccess; people: readonly Looker[] }
  /** All that is looked at on pages of one server. Sent again while it is not empty, and true for a moment only. */
  | { type: 'server_looking'; serverId: string; looks: readonly Look[] }
  /** Events of other servers may be missing: whatever follows events reads what is stored again. */
  | { type: 'resync' }
  /** Events of other servers come later than usual, or at once again. */
  | { type: 'live_delayed'; isDelayed: boolean };

/** The first page of a session connected, or the last one left. */
interface SessionListening {
  type: 'session_listening';
  sessionId: string;
  userId: string;
  isListening: boolean;
}

/** Events that bring an alert as it is. */
type AlertEvent = Extract<DomainEvent, { alert: PublishedAlert }>;

/** Such events of several alerts, by their ids: the alerts are read when it is published. */
export type AlertsFact = AlertEvent extends infer Event
  ? Event extends AlertEvent
    ? Omit<Event, 'alert' | 'readAt'> & { alertIds: string[] }
    : never
  : never;

/** Events that are written down with what changed, and so reach everybody, whatever ends in between. */
type RecordedEvent = Exclude<DomainEvent, { type: PassingType }>;

/** Events of which nothing is missed that is not known again soon. */
type PassingType =
  | 'notice_chosen'
  | 'source_counted'
  | 'view_counted'
  | 'session_listening'
  | 'looking_changed'
  | 'server_looking'
  | 'resync'
  | 'live_delayed';

/** What a transaction announces. */
export type Change = RecordedEvent | AlertsFact;

/**
 * Writes down what this transaction changes. Once it is committed it is published: on this server at once, on the others, and
 * wherever somebody missed it, from the feed ([0081](../../../docs/decisions/0081-the-feed.md)).
 */
export const announce = (tx: { readonly changes: object[] }, ...changes: readonly Change[]): void =>
  void tx.changes.push(...changes);

/** Announces what a change brought about that took more than one transaction, or is known only after it. */
export const announceAlone = (database: Pick<Database, 'transaction'>, ...changes: readonly Change[]): Promise<void> =>
  database.transaction(async (tx) => announce(tx, ...changes), { waitsForDisk: false });

/** Where an event happened: in this process, or in another server on the same database. */
export type EventOrigin = 'here' | 'elsewhere';

/**
 * What happens on this server, and on the others; live events, push and the search index subscribe. What may happen once only, whichever
 * servers there are, follows events from here alone ([0044](../../../docs/decisions/0044-several-servers.md)).
 */
export interface EventBus {
  /** Calls every subscriber, in order, before it returns. A subscriber that throws hurts nobody else. */
  publish(event: DomainEvent, origin?: EventOrigin): void;
  /** Returns what ends the subscription. */
  subscribe(subscriber: (event: DomainEvent, origin: EventOrigin) => void): () => void;
}

/** The bus of one process. `onError` receives the error of a subscriber that threw. */
export function createEventBus(onError: (error: unknown) => void): EventBus {
  const subscribers = new Set<(event: DomainEvent, origin: EventOrigin) => void>();
  return {
    publish(event, origin = 'here') {
      for (const subscriber of subscribers) {
        try {
          subscriber(event, origin);
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

/** Who receives which event. */
export interface Audience {
  /** Whether a member receives an event: what everybody may see, or what concerns them. */
  receives(actor: Actor, event: DomainEvent): boolean;
  /** True when everybody receives events of this type, so that one frame serves all. */
  isForEverybody(event: DomainEvent): boolean;
}
