import {
  DEFAULT_QUIET_HOURS,
  type NotificationSettings,
  type QuietHours,
  type Weekday,
} from '#backend/contract/notification-settings.ts';
import type { StoredAlertSound } from './alert-sound-entity.ts';
import type { StoredNotificationSettings } from './notification-settings-entity.ts';

/** Quiet hours as they are stored; those of who never set any are off. */
export const presentQuietHours = (
  stored: Omit<StoredNotificationSettings, 'userId' | 'pausedUntil'> | null,
): QuietHours =>
  stored
    ? {
        isOn: stored.quietIsOn,
        days: stored.quietDays.split(',').filter((day) => day !== '') as Weekday[],
        from: stored.quietFrom,
        to: stored.quietTo,
        timeZone: stored.timeZone,
      }
    : DEFAULT_QUIET_HOURS;

/** The same the other way. */
export const storedQuietHours = ({ isOn, days, from, to, timeZone }: QuietHours) => ({
  quietIsOn: isOn,
  quietDays: days.join(','),
  quietFrom: from,
  quietTo: to,
  timeZone,
});

/** A member's settings as they leave the server. @param now a pause that is over by then is none. */
export const presentNotificationSettings = (
  stored: StoredNotificationSettings | null,
  sounds: StoredAlertSound[],
  now: number,
): NotificationSettings => ({
  quietHours: presentQuietHours(stored),
  pausedUntil: presentPause(stored?.pausedUntil ?? null, now),
  sounds: sounds.map(({ alertType, sound }) => ({ alertType, sound })),
});

/** When a pause ends, unless it is over. */
export const presentPause = (pausedUntil: number | null, now: number): string | null =>
  pausedUntil !== null && pausedUntil > now ? new Date(pausedUntil).toISOString() : null;
