import { type AnnouncedAlert, type AnnouncementSettings, verdictsAt } from '#backend/contract/announcement.ts';

/** What a member has decided about being told, as far as it matters for the alerts at hand. */
export interface MemberSettings extends AnnouncementSettings {
  isActive: boolean;
}

/**
 * The alerts that a member is notified of by web push now, by the one decision that all channels share
 * (docs/decisions/0017-notifications.md). Where a window is in front, the browser leaves it to that window.
 *
 * @param now milliseconds since the epoch.
 */
export function alertsToPush<T extends AnnouncedAlert>(settings: MemberSettings, alerts: T[], now: number): T[] {
  if (!settings.isActive) return [];
  const verdictOf = verdictsAt(settings, now);
  return alerts.filter((alert) => verdictOf(alert) === 'yes');
}

/** Whether a member is sent anything at all now: not in a pause, not in quiet hours. */
export const isReachable = (settings: MemberSettings, now: number): boolean =>
  alertsToPush(settings, [{ customer: null, alertType: null }], now).length > 0;
