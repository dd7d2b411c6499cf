import type { AlertSeverity } from './alert.ts';
import {
  type AlertSound,
  NOTICE_LEVELS,
  type NoticeLevel,
  type NotificationSettings,
  type SoundName,
} from './notification-settings.ts';
import type { ExceptionKind } from './notification-exception.ts';
import { exceptionKey } from './mute.ts';
import { isQuietAt } from './quiet-hours.ts';

/**
 * Who is notified of an alert, and over which channel. This is the one place that decides it, for the server's pushes, the
 * pages, the service worker, the desktop app, and what Settings counts and shows (docs/decisions/0017-notifications.md,
 * docs/decisions/0094-notifications-by-worth.md).
 */

/** What a member has decided about being notified. */
export interface AnnouncementSettings extends Pick<NotificationSettings, 'level' | 'quietHours' | 'pausedUntil'> {
  /** Levels of customers and alert types by their names, and of sources by their ids: see {@link exceptionKey}. */
  exceptions: ReadonlyMap<string, NoticeLevel>;
}

/** What of an alert matters. */
export interface AnnouncedAlert {
  customer: string | null;
  alertType: string | null;
  /** Absent in alerts of older versions and in test alerts. */
  sourceId?: string | null | undefined;
  severity: AlertSeverity;
  /** Whether the member owns it, or a colleague did something for the member. */
  isMine: boolean;
  /** What the member decided for views that the alert is in, the loudest of it; absent where they decided nothing. */
  viewLevel?: NoticeLevel | undefined;
  /** A maintenance window keeps it quiet: nobody wants to be notified of it. */
  isQuiet?: boolean | undefined;
}

/**
 * What a member is notified of beside alerts: what a colleague did for them, alerts that came back to everybody, and windows
 * that have ended. It has no names, so that no exception is about it, and the severity of the worst that it is about.
 */
export const noticeAbout = (isMine: boolean, severity: AlertSeverity = 'none'): AnnouncedAlert => ({
  customer: null,
  alertType: null,
  severity,
  isMine,
});

/** Whether a member wants to be notified, and if not, why. Of several reasons the one that leaves least. */
export type Verdict = 'yes' | 'unwanted' | 'quiet' | 'paused';

/** What was decided about an alert, by which level, and where that was set: in the member's choice for all, or for what. */
export interface Judgment {
  verdict: Verdict;
  level: NoticeLevel;
  by: ExceptionKind | 'all';
}

/** The louder of two levels. */
export const louder = (one: NoticeLevel, other: NoticeLevel): NoticeLevel =>
  NOTICE_LEVELS.indexOf(one) <= NOTICE_LEVELS.indexOf(other) ? one : other;

/** Whether a level lets an alert through. */
function lets(level: NoticeLevel, { severity, isMine }: AnnouncedAlert): boolean {
  switch (level) {
    case 'always':
      return true;
    case 'high':
      return isMine || severity === 'high' || severity === 'critical';
    case 'critical':
      return isMine || severity === 'critical';
    case 'mine':
      return isMine;
    case 'never':
      return false;
  }
}

/** The level that counts for an alert: that of the most specific exception, else the member's choice for all. */
function levelOf({ level, exceptions }: AnnouncementSettings, alert: AnnouncedAlert): Omit<Judgment, 'verdict'> {
  const { customer, alertType, sourceId, viewLevel } = alert;
  const found: [ExceptionKind, NoticeLevel | undefined][] = [
    ['customer', customer === null ? undefined : exceptions.get(exceptionKey('customer', customer))],
    ['alert_type', alertType === null ? undefined : exceptions.get(exceptionKey('alert_type', alertType))],
    ['source', sourceId ? exceptions.get(exceptionKey('source', sourceId)) : undefined],
    ['view', viewLevel],
  ];
  for (const [by, one] of found) if (one !== undefined) return { level: one, by };
  return { level, by: 'all' };
}

/** Whether a member wants to be notified of an alert now. @param now milliseconds since the epoch. */
export const verdictOn = (settings: AnnouncementSettings, alert: AnnouncedAlert, now: number): Verdict =>
  judgeAt(settings, now)(alert).verdict;

/**
 * What is decided about alerts at one moment, for which the clock is read once. A pause and quiet hours silence what is
 * wanted; what is not wanted stays so.
 *
 * @param now milliseconds since the epoch
 */
export function judgeAt(settings: AnnouncementSettings, now: number): (alert: AnnouncedAlert) => Judgment {
  const wanted = whenWanted(settings, now);
  return (alert) => {
    const decided = levelOf(settings, alert);
    return { ...decided, verdict: !alert.isQuiet && lets(decided.level, alert) ? wanted : 'unwanted' };
  };
}

/** The verdict on what a member wants. @param now milliseconds since the epoch. */
export function whenWanted(
  { pausedUntil, quietHours }: Pick<AnnouncementSettings, 'pausedUntil' | 'quietHours'>,
  now: number,
): Exclude<Verdict, 'unwanted'> {
  if (isPausedAt(pausedUntil, now)) return 'paused';
  return isQuietAt(quietHours, now) ? 'quiet' : 'yes';
}

/** Whether a pause lasts. @param now milliseconds since the epoch. */
export const isPausedAt = (pausedUntil: string | null, now: number): boolean =>
  pausedUntil !== null && Date.parse(pausedUntil) > now;

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
 * - What a member does not want has no channel: it is in their lists.
 * - Quiet hours and a pause leave a silent toast to who sits in front of the app, and nothing that waits for who does not.
 */
export function channelsOf({ verdict, device }: { verdict: Verdict; device: DeviceState }): Channels {
  const { hasAttendedWindow, notificationsOn, hasPush } = device;
  if (verdict === 'unwanted') return { toast: false, notification: 'none', sound: false };
  if (verdict === 'paused' || verdict === 'quiet') {
    return { toast: hasAttendedWindow, notification: 'none', sound: false };
  }
  if (hasAttendedWindow) return { toast: true, notification: 'none', sound: true };
  if (!notificationsOn) return { toast: true, notification: 'none', sound: false };
  return { toast: false, notification: hasPush ? 'push' : 'page', sound: true };
}

/** The sound that a member chose for alerts of this type, if any. */
export const soundOf = (
  sounds: readonly AlertSound[],
  { alertType }: Pick<AnnouncedAlert, 'alertType'>,
): SoundName | undefined => sounds.find((one) => one.alertType === alertType)?.sound;

/**
 * The tag of an alert's notification, and the topic of its pushes: whoever shows it later replaces what stands, silently. A
 * UUID without its dashes, because a topic may be 32 characters long (RFC 8030 section 5.4).
 */
export const tagOfAlert = (alertId: string): string => alertId.replaceAll('-', '');

const TAG = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The id of the alert whose notification has the tag. */
export const alertIdOfTag = (tag: string): string => tag.replace(TAG, '$1-$2-$3-$4-$5');
