import type { QueryClient } from '@tanstack/react-query';
import type { AnnouncementSettings } from '#backend/contract/announcement.ts';
import { type AlertSound, DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { notificationSettingsQuery } from '#renderer/lib/notifications/get-notification-settings.ts';
import { alertTypeMutesQuery } from '#renderer/lib/mutes/get-alert-types.ts';
import { customerMutesQuery, mutedNamesQuery } from '#renderer/lib/mutes/get-customer-mutes.ts';
import { refetchSoon } from '#renderer/lib/refetch-soon.ts';

/** All that decides on how I am told. */
interface Settings extends AnnouncementSettings {
  sounds: readonly AlertSound[];
}

/** What counts while nothing can be read: rather told once too often than not at all. */
const UNKNOWN: Settings = {
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  mutedCustomers: new Set(),
  mutedAlertTypes: new Set(),
  sounds: [],
};

const KEYS = [notificationSettingsQuery, alertTypeMutesQuery, customerMutesQuery, mutedNamesQuery].map(
  ({ queryKey }) => queryKey,
);

/** My settings as they are cached; read when they are not, or have changed. */
export async function readSettings(client: QueryClient): Promise<Settings> {
  try {
    const [{ quietHours, pausedUntil, sounds }, types, customers] = await Promise.all([
      client.fetchQuery(notificationSettingsQuery),
      client.fetchQuery(alertTypeMutesQuery),
      client.fetchQuery(mutedNamesQuery),
    ]);
    return { quietHours, pausedUntil, sounds, mutedCustomers: new Set(customers), mutedAlertTypes: new Set(types) };
  } catch {
    return UNKNOWN;
  }
}

/** They are others now: read anew for the next alert, and in a moment where they are on screen. */
export function renewSettings(client: QueryClient): void {
  for (const queryKey of KEYS) {
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
    refetchSoon(client, queryKey);
  }
}
