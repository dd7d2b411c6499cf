import { QueryClient } from '@tanstack/react-query';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { DEFAULT_QUIET_HOURS, type QuietHours } from '#backend/contract/notification-settings.ts';
import { alertTypeMutesQuery, muteEndsQuery, mutedNamesQuery, sourceMutesQuery } from '#renderer/mutes/mutes.ts';
import { exceptionsQuery } from '#renderer/mutes/exceptions.ts';
import { createAnnouncer } from '#renderer/notifications/announcer.ts';
import type { NotificationChannel } from '#renderer/notifications/notification-channel.ts';
import { notificationSettingsQuery } from '#renderer/notifications/notification-settings.ts';
import type { Toasts } from '#renderer/toasts/toast.ts';
import { makeAlert } from '#tests/support/make-alert.ts';

/** A new alert comes. */
export const arrival = (id: string, severity: AlertSeverity): LiveEvent => ({
  type: 'new_alert',
  alert: makeAlert(id, { severity }),
});

/** An announcer of mine on `channel`, with settings that notify of critical alerts. */
export function announcerOn(
  channel: Partial<NotificationChannel>,
  toasts: Partial<Toasts> = {},
  quietHours: QuietHours = DEFAULT_QUIET_HOURS,
) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(notificationSettingsQuery.queryKey, {
    level: 'critical',
    quietHours,
    pausedUntil: null,
    sounds: [],
  } as never);
  for (const { queryKey } of [alertTypeMutesQuery, mutedNamesQuery, sourceMutesQuery, muteEndsQuery])
    client.setQueryData(queryKey as readonly unknown[], []);
  client.setQueryData(exceptionsQuery.queryKey, { rows: [] } as never);
  return createAnnouncer({
    client,
    channel: {
      state: () => ({ notificationsOn: true, hasPush: true }),
      flash: () => undefined,
      filterPushed: async () => [],
      close: async () => undefined,
      clear: async () => undefined,
      ...channel,
    } as NotificationChannel,
    toasts: {
      show: () => undefined,
      announce: () => undefined,
      change: () => undefined,
      ...toasts,
    } as unknown as Toasts,
    screen: { counted: () => new Set(), watchCounted: () => () => undefined },
    me: 'mara',
    open: () => undefined,
    complete: () => undefined,
  });
}
