/** What is kept of an alert until everybody was told: not its payload. */
export interface WaitingAlert {
  /** Its place in the order of arrival, from 1. */
  seq: number;
  id: string;
  customer: string | null;
  alertType: string | null;
}

interface Slot {
  alert: WaitingAlert;
  isWithdrawn: boolean;
}

/** The newest alerts, so many at most: every device remembers up to which of them it was told. */
export interface AlertBacklog {
  /** Number of the newest alert; 0 before the first. */
  readonly head: number;
  /** Takes an alert in. When it is full the oldest is let go. Returns the number up to which alerts were let go. */
  add(alert: Omit<WaitingAlert, 'seq'>): number;
  /** The alerts after `cursor` up to `head`, oldest first; `isCut` when some of them were let go. */
  between(cursor: number, head: number): { alerts: WaitingAlert[]; isCut: boolean };
  /** From now on the alert is none of those between, or is one of them again. */
  withdraw(id: string): void;
  restore(id: string): void;
  /** Everybody was told up to here. */
  forget(upTo: number): void;
}

/** @param capacity how many alerts are kept. */
export function createAlertBacklog(capacity: number): AlertBacklog {
  // A ring: alerts arrive on the ingest's way, where moving a thousand of them for each would be felt.
  const slots: (Slot | undefined)[] = Array.from({ length: capacity });
  let head = 0;
  let forgotten = 0;
  /** Looks through what waits: this comes by hand, and mostly nothing waits. */
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
      const alerts: WaitingAlert[] = [];
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
