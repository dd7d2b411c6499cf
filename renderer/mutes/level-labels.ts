import type { ExceptionKind, NotificationException } from '#backend/contract/notification-exception.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { formatMoment } from '#renderer/lib/times.ts';

/** What the levels are called. */
export const LEVEL_LABELS: Record<NoticeLevel, string> = {
  always: 'Everything',
  high: 'High and above',
  critical: 'Critical',
  mine: 'Only what is mine',
  never: 'Nothing',
};

/** What an exception may be of. */
export const KIND_LABELS: Record<ExceptionKind, string> = {
  view: 'View',
  source: 'Source',
  customer: 'Customer',
  alert_type: 'Alert type',
};

/** The level of an exception: that of a customer, type or source without notifications is a mute, which may end. */
export function exceptionLabel({
  kind,
  level,
  until,
}: Pick<NotificationException, 'kind' | 'level' | 'until'>): string {
  if (kind === 'view' || level !== 'never') return LEVEL_LABELS[level];
  return until === undefined ? 'Muted' : `Muted until ${formatMoment(new Date(until), new Date())}`;
}
