import type { AlertStatus, SnoozedUntil } from '#backend/contract/alert.ts';

/**
 * What the column of the status holds. A snoozed alert has a status of its own there, so that it is in no range of an
 * index, and in no counter, that the inbox or a queue reads. People see the status that it had ({@link visibleStatusOf}).
 */
export type StoredStatus = AlertStatus | SnoozedStatus;
export type SnoozedStatus = 'snoozed-pending' | 'snoozed-accepted' | 'snoozed-progress';

/** What is stored of an alert in the inbox. */
export const INBOX_STATUS = 'pending' satisfies StoredStatus;

/** Until when an alert is snoozed that wakes when its problem is reported again: later than every date. */
export const UNTIL_NEXT_FIRING = 8_640_000_000_000_000;

const SNOOZED: Readonly<Partial<Record<AlertStatus, SnoozedStatus>>> = {
  pending: 'snoozed-pending',
  accepted: 'snoozed-accepted',
  'in-progress': 'snoozed-progress',
};

const VISIBLE: Readonly<Record<StoredStatus, AlertStatus>> = {
  pending: 'pending',
  accepted: 'accepted',
  'in-progress': 'in-progress',
  completed: 'completed',
  'snoozed-pending': 'pending',
  'snoozed-accepted': 'accepted',
  'snoozed-progress': 'in-progress',
};

/** The status that people see. */
export const visibleStatusOf = (stored: StoredStatus): AlertStatus => VISIBLE[stored];

/** The status that is stored; a completed alert is never snoozed. */
export const storedStatusOf = ({
  status,
  snoozedUntil,
}: {
  status: AlertStatus;
  snoozedUntil: number | null;
}): StoredStatus => (snoozedUntil === null ? status : (SNOOZED[status] ?? status));

/** The stored statuses of alerts that somebody works on, or will once they wake. */
export const OPEN_STATUSES = [
  'accepted',
  'in-progress',
  'snoozed-accepted',
  'snoozed-progress',
] as const satisfies StoredStatus[];

/** The stored statuses of snoozed alerts with one of these statuses, in their order. */
export const snoozedStatusesOf = (statuses: readonly AlertStatus[]): SnoozedStatus[] =>
  statuses.flatMap((status) => SNOOZED[status] ?? []);

/** Until when an alert is snoozed, as it leaves the server. */
export const presentSnoozedUntil = (until: number | null): SnoozedUntil | null =>
  until === null ? null : until === UNTIL_NEXT_FIRING ? 'next-firing' : new Date(until).toISOString();

/** Whether a column that is read by itself says yes: both databases keep such columns as numbers. */
export const isSet = (stored: unknown): boolean => Number(stored) === 1;
