import { type Alert, type AlertStatus, alertUrgencySchema, urgencyOf } from '#backend/contract/alert.ts';
import type { AlertListSort } from '#backend/contract/alert-query.ts';

/** What decides on an alert's place in any order. Ids are UUIDv7, so id order is time order. */
export type AlertPosition = Pick<Alert, 'id' | 'status' | 'severity' | 'state' | 'completedAt'>;

/** Ranks of the order by status. */
const RANK: Record<AlertStatus, number> = { accepted: 1, 'in-progress': 2, completed: 3, pending: 999 };

const urgencyRank = (alert: AlertPosition): number => alertUrgencySchema.options.indexOf(urgencyOf(alert));

/** Less than 0 when `one` stands before `other` in this order, 0 when they are the same alert in the same place. */
export function compareAlerts(sort: AlertListSort | undefined, one: AlertPosition, other: AlertPosition): number {
  if (sort === 'completed')
    return -compareTexts(one.completedAt ?? '', other.completedAt ?? '') || -compareIds(one, other);
  if (sort === 'oldest') return compareIds(one, other);
  if (sort === 'status' && one.status !== other.status) return RANK[one.status] - RANK[other.status];
  const bySeverity = sort === 'severity' ? urgencyRank(one) - urgencyRank(other) : 0;
  return bySeverity || -compareIds(one, other);
}

const compareIds = (one: AlertPosition, other: AlertPosition): number => compareTexts(one.id, other.id);

const compareTexts = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
