import type { Alert } from '#backend/contract/alert.ts';
import { type LiveEvent, isNewsOf } from '#backend/contract/live-event.ts';

/**
 * Whether it may notify: a new alert, or one that is worse, is reported again after a quiet time, or is back from a snooze,
 * or of mine is back by its sender. Of an accepted alert its owner alone.
 */
export function isNews(
  event: LiveEvent,
  me: string,
): event is Extract<LiveEvent, { type: 'new_alert' | 'alert_updated' }> {
  if (event.type === 'new_alert') return event.quiet !== true;
  if (event.type !== 'alert_updated' || !isNewsOf(event.reason, event.alert.ownerId)) return false;
  const { ownerId, snoozedUntil } = event.alert;
  if (event.reason === 'arrived' && snoozedUntil !== undefined) return false;
  return ownerId === undefined || ownerId === me;
}

/** What changes my settings: mine, and views, which may have levels of their own. */
export const CHANGING_SETTINGS: ReadonlySet<LiveEvent['type']> = new Set([
  'notification_settings_changed',
  'views_changed',
]);

/** Whether the problem of an alert of mine is over by its sender. */
export function isResolvedOf(event: LiveEvent, me: string): event is Extract<LiveEvent, { type: 'alert_updated' }> {
  return event.type === 'alert_updated' && event.reason === 'resolved' && event.alert.ownerId === me;
}

/** Whether it is about the member, and no alert's news. */
export const isNotice = (event: LiveEvent): boolean =>
  event.type === 'member_notified' ||
  event.type === 'alerts_returned' ||
  (event.type === 'maintenance_changed' && event.ended !== undefined);

/** What tabs report of an alert that they announced: its id, and which of its occurrences, as it may be announced again. */
export const announcementOf = ({ id, occurrences, wokenAt = '' }: Alert): string => `${id} ${occurrences} ${wokenAt}`;
