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

/** A level that an exception may have: a customer, type or source without notifications is muted. */
export const levelLabel = (kind: ExceptionKind, level: NoticeLevel): string =>
  kind === 'view' || level !== 'never' ? LEVEL_LABELS[level] : 'Muted';

/** The level of an exception, as of `now`: a mute may end. */
export function exceptionLabel(
  { kind, level, until }: Pick<NotificationException, 'kind' | 'level' | 'until'>,
  now: Date,
): string {
  const label = levelLabel(kind, level);
  return until === undefined ? label : `${label} until ${formatMoment(new Date(until), now)}`;
}
