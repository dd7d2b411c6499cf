import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { LoadRecipients, Recipient } from './push-recipients.ts';

/** What is kept of an alert until everybody was notified: not its payload. */
export interface PendingAlert {
  /** Its place in the order of arrival, from 1. */
  seq: number;
  id: string;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  severity: AlertSeverity;
  /** Who alone is notified of it; null of an alert of the inbox. */
  ownerId: string | null;
  isTest: boolean;
  /** Its problem opens and closes again and again. */
  flapping?: true | undefined;
  /** Its snooze has ended. */
  isBack: boolean;
  /** What members chose for views that it is in, by the member's id. */
  choices?: (() => ReadonlyMap<string, NoticeLevel>) | undefined;
}

interface Slot {
  alert: PendingAlert;
  isWithdrawn: boolean;
}

/** The newest alerts, so many at most: every device remembers up to which of them it was notified. */
export interface AlertBacklog {
  /** Number of the newest alert; 0 before the first. */
  readonly head: number;
  /** Takes an alert in. When it is full the oldest is let go. Returns the number up to which alerts were let go. */
  add(alert: Omit<PendingAlert, 'seq'>): number;
  /** The alerts after `cursor` up to `head`, oldest first; `isCut` when some of them were let go. */
  between(cursor: number, head: number): { alerts: PendingAlert[]; isCut: boolean };
  /** From now on the alert is none of those between, or is one of them again. */
  withdraw(id: string): void;
  restore(id: string): void;
  /** Everybody was notified up to here. */
  forget(upTo: number): void;
}

/** @param capacity how many alerts are kept. */
export function createAlertBacklog(capacity: number): AlertBacklog {
  // A ring: alerts arrive on the ingest's path, where moving a thousand of them for each would be felt.
  const slots: (Slot | undefined)[] = Array.from({ length: capacity });
  let head = 0;
  let forgotten = 0;
  /** Looks through what is pending: this comes by hand, and mostly nothing is pending. */
  const mark = (id: string, isWithdrawn: boolean) => {
    for (let seq = Math.max(forgotten, head - capacity) + 1; seq <= head; seq += 1) {
      const slot = slots[seq % capacity];
      if (slot?.alert.id === id) slot.isWithdrawn = isWithdrawn;
    }
  };
  return {
    get head() {
      return head;
    },
    add(alert) {
      head += 1;
      slots[head % capacity] = { alert: { seq: head, ...alert }, isWithdrawn: false };
      return head - capacity;
    },
    between(cursor, end) {
      const first = Math.max(cursor, head - capacity) + 1;
      const alerts: PendingAlert[] = [];
      for (let seq = first; seq <= end; seq += 1) {
        const slot = slots[seq % capacity];
        if (slot && !slot.isWithdrawn) alerts.push(slot.alert);
      }
      return { alerts, isCut: first > cursor + 1 };
    },
    withdraw: (id) => mark(id, true),
    restore: (id) => mark(id, false),
    forget(upTo) {
      for (let seq = Math.max(forgotten, head - capacity) + 1; seq <= upTo; seq += 1) slots[seq % capacity] = undefined;
      forgotten = Math.max(forgotten, upTo);
    },
  };
}

/** The recipients, as they were read a moment ago. */
export interface PushAudience {
  /** The devices by their subscription's id. */
  readonly recipients: ReadonlyMap<string, Recipient>;
  /** What their members have decided is known for the alerts up to this one. */
  readonly head: number;
  /** False once it must be read again before anybody is notified. */
  isFresh(): boolean;
  /** The moment from which it may be read again. */
  readonly loadFrom: number;
  /** Reads it again, for the alerts after `cursor`. */
  load(cursor: number): Promise<void>;
  /** A device that is no more. */
  remove(id: string): void;
  /** The devices of a session that ended; returns their ids. Holds for a reading that is in flight, too. */
  removeSession(sessionId: string): string[];
}

/** When the database is away it is asked again after this. */
const AFTER_TROUBLE_MS = 2_000;

/** @param freshMs how long a reading holds. */
export function createPushAudience(
  loadRecipients: LoadRecipients,
  backlog: AlertBacklog,
  freshMs: number,
  now: () => number,
): PushAudience {
  let recipients = new Map<string, Recipient>();
  let head = 0;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let loadFrom = Number.NEGATIVE_INFINITY;
  const endedSessions = new Set<string>();

  return {
    get recipients() {
      return recipients;
    },
    get head() {
      return head;
    },
    get loadFrom() {
      return loadFrom;
    },
    isFresh: () => now() < freshUntil,
    async load(cursor) {
      const end = backlog.head;
      const { alerts } = backlog.between(cursor, end);
      endedSessions.clear();
      loadFrom = now() + AFTER_TROUBLE_MS;
      const loaded = await loadRecipients({
        customers: distinct(alerts.map(({ customer }) => customer)),
        alertTypes: distinct(alerts.map(({ alertType }) => alertType)),
        sources: distinct(alerts.map(({ sourceId }) => sourceId)),
      });
      for (const [id, { sessionId }] of loaded) if (endedSessions.has(sessionId)) loaded.delete(id);
      recipients = loaded;
      head = end;
      freshUntil = now() + freshMs;
      loadFrom = freshUntil;
    },
    remove(id) {
      recipients.delete(id);
    },
    removeSession(sessionId) {
      endedSessions.add(sessionId);
      const ids = [...recipients.values()].filter((one) => one.sessionId === sessionId).map(({ id }) => id);
      for (const id of ids) recipients.delete(id);
      return ids;
    },
  };
}

const distinct = (names: (string | null)[]): string[] => [...new Set(names.filter((name) => name !== null))];
