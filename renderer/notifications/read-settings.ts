import type { QueryClient } from '@tanstack/react-query';
import type { AnnouncementSettings } from '#backend/contract/announcement.ts';
import { type AlertSound, DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import {
  MUTE_KEYS,
  alertTypeMutesQuery,
  mutableKey,
  muteEndsQuery,
  mutedNamesQuery,
  sourceMutesQuery,
} from '#renderer/mutes/mutes.ts';
import { notificationSettingsQuery } from './notification-settings.ts';

/** The settings that decide how I am notified. */
interface Settings extends AnnouncementSettings {
  sounds: readonly AlertSound[];
}

/** Used while nothing can be read: one notification too many is better than none. */
const UNKNOWN: Settings = {
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  mutedCustomers: new Set(),
  mutedAlertTypes: new Set(),
  mutedSources: new Set(),
  sounds: [],
};

const KEYS = [notificationSettingsQuery.queryKey, ...MUTE_KEYS];

/** My settings as they are cached; read when they are not, or have changed. */
export async function readSettings(client: QueryClient): Promise<Settings> {
  try {
    const [{ quietHours, pausedUntil, sounds }, types, customers, sources, ends] = await Promise.all([
      client.fetchQuery(notificationSettingsQuery),
      client.fetchQuery(alertTypeMutesQuery),
      client.fetchQuery(mutedNamesQuery),
      client.fetchQuery(sourceMutesQuery),
      client.fetchQuery(muteEndsQuery),
    ]);
    // A mute ends at its time, whenever it was read.
    const now = Date.now();
    const ended = new Set(
      ends
        .filter(({ until }) => Date.parse(until) <= now)
        .map(({ kind, id, name }) => mutableKey(kind, kind === 'customer' ? name : id)),
    );
    return {
      quietHours,
      pausedUntil,
      sounds,
      mutedCustomers: new Set(customers.filter((name) => !ended.has(mutableKey('customer', name)))),
      mutedAlertTypes: new Set(types.filter((type) => !ended.has(mutableKey('alert_type', type)))),
      mutedSources: new Set(
        sources.map(({ sourceId }) => sourceId).filter((id) => !ended.has(mutableKey('source', id))),
      ),
    };
  } catch {
    return UNKNOWN;
  }
}

/** The settings have changed: reads them again for the next alert, and in a moment where they are on screen. */
export function renewSettings(client: QueryClient): void {
  for (const queryKey of KEYS) {
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
    refetchSoon(client, queryKey);
  }
}
