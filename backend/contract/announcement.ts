import type { AlertSound, NotificationSettings, SoundName } from './notification-settings.ts';
import { isQuietAt } from './quiet-hours.ts';

/**
 * Who is notified of a new alert, and over which channel. This is the one place that decides it, for the server's
 * pushes, the pages, the service worker and the desktop app (docs/decisions/0017-notifications.md).
 */

/** What a member has decided about being notified. */
export interface AnnouncementSettings extends Pick<NotificationSettings, 'quietHours' | 'pausedUntil'> {
  /** Names of muted customers. */
  mutedCustomers: ReadonlySet<string>;
  mutedAlertTypes: ReadonlySet<string>;
  /** Ids of muted sources. */
  mutedSources: ReadonlySet<string>;
}

/** What of an alert matters. */
export interface AnnouncedAlert {
  customer: string | null;
  alertType: string | null;
  /** Absent in alerts of older versions and in test alerts. */
  sourceId?: string | null | undefined;
  /** What the member decided for a view that the alert is in; absent where their settings alone decide. */
  choice?: ViewNotice | undefined;
}

/**
 * What a member decided for the alerts of a view: `always`, whatever is muted, or `never`. Of an alert in several views one
 * `always` is enough. A pause and quiet hours are stronger than both.
 */
export type ViewNotice = 'always' | 'never';

/** Whether a member wants to be notified, and if not, why. Of several reasons the one that leaves least. */
export type Verdict = 'yes' | 'muted' | 'quiet' | 'paused';

/** Whether a member wants to be notified of an alert now. @param now milliseconds since the epoch. */
export const verdictOn = (settings: AnnouncementSettings, alert: AnnouncedAlert, now: number): Verdict =>
  verdictsAt(settings, now)(alert);

/** The same for many alerts at one moment: the clock is read once. */
export function verdictsAt(settings: AnnouncementSettings, now: number): (alert: AnnouncedAlert) => Verdict {
  if (isPausedAt(settings.pausedUntil, now)) return () => 'paused';
  if (isQuietAt(settings.quietHours, now)) return () => 'quiet';
  return (alert) => {
    if (alert.choice !== undefined) return alert.choice === 'always' ? 'yes' : 'muted';
    return isMuted(settings, alert) ? 'muted' : 'yes';
  };
}

/** Whether a pause lasts. @param now milliseconds since the epoch. */
export const isPausedAt = (pausedUntil: string | null, now: number): boolean =>
  pausedUntil !== null && Date.parse(pausedUntil) > now;

/** A mute of the customer, of the type or of the source is enough. */
const isMuted = (
  { mutedCustomers, mutedAlertTypes, mutedSources }: AnnouncementSettings,
  { customer, alertType, sourceId }: AnnouncedAlert,
): boolean =>
  (customer !== null && mutedCustomers.has(customer)) ||
  (alertType !== null && mutedAlertTypes.has(alertType)) ||
  mutedSources.has(sourceId ?? '');

/** A browser, or the desktop app, with all its windows. */
export interface DeviceState {
  /** A window of the app is in front: its page is visible and has the focus. */
  hasAttendedWindow: boolean;
  /** Notifications are switched on there (`notifications-enabled`) and permitted. */
  notificationsOn: boolean;
  /** The server sends pushes there. The desktop app has none. */
  hasPush: boolean;
}

/** Through which channels a device notifies of an alert. */
export interface Channels {
  /** A toast in the app. In a window that is behind others it waits there. */
  toast: boolean;
  /** Who shows the system's notification, if anybody: the page, or the push by the service worker. */
  notification: 'none' | 'page' | 'push';
  /** The sound that was chosen for the alert's type, if one was ({@link soundOf}). One window plays it. */
  sound: boolean;
}

/**
 * Through which channels a device notifies of an alert: once on each device, because nobody knows at which of them the person is.
 *
 * - In front of the person a toast is enough. Else it is one notification: the push's where pushes arrive, because it comes
 *   without a window too; the page shows one itself only where none do. Where notifications are off, a toast waits.
 * - Mutes silence desktop notifications and pushes only: the toast stays, without a sound.
 * - Quiet hours and a pause leave a silent toast to who sits in front of the app, and nothing that waits for who does not.
 */
export function channelsOf({ verdict, device }: { verdict: Verdict; device: DeviceState }): Channels {
  const { hasAttendedWindow, notificationsOn, hasPush } = device;
  if (verdict === 'paused' || verdict === 'quiet') {
    return { toast: hasAttendedWindow, notification: 'none', sound: false };
  }
  if (verdict === 'muted') return { toast: true, notification: 'none', sound: false };
  if (hasAttendedWindow) return { toast: true, notification: 'none', sound: true };
  if (!notificationsOn) return { toast: true, notification: 'none', sound: false };
  return { toast: false, notification: hasPush ? 'push' : 'page', sound: true };
}

/** The sound that a member chose for alerts of this type, if any. */
export const soundOf = (sounds: readonly AlertSound[], { alertType }: AnnouncedAlert): SoundName | undefined =>
  sounds.find((one) => one.alertType === alertType)?.sound;

/**
 * The tag of an alert's notification, and the topic of its pushes: whoever shows it later replaces what stands, silently. A
 * UUID without its dashes, because a topic may be 32 characters long (RFC 8030 section 5.4).
 */
export const tagOfAlert = (alertId: string): string => alertId.replaceAll('-', '');
