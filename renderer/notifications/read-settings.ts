import type { QueryClient } from '@tanstack/react-query';
import { type AnnouncementSettings } from '#backend/contract/announcement.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import { type AlertSound, DEFAULT_QUIET_HOURS, type NoticeLevel } from '#backend/contract/notification-settings.ts';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import {
  MUTE_KEYS,
  alertTypeMutesQuery,
  muteEndsQuery,
  mutedNamesQuery,
  sourceMutesQuery,
} from '#renderer/mutes/mutes.ts';
import { exceptionsQuery } from '#renderer/mutes/exceptions.ts';
import { notificationSettingsQuery } from './notification-settings.ts';

/** The settings that decide how I am notified. */
interface Settings extends AnnouncementSettings {
  sounds: readonly AlertSound[];
}

/** Used while nothing can be read: one notification too many is better than none. */
const UNKNOWN: Settings = {
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  level: 'always',
  exceptions: new Map(),
  sounds: [],
};

const KEYS = [notificationSettingsQuery.queryKey, ...MUTE_KEYS];

/** My settings as they are cached; read when they are not, or have changed. */
export async function readSettings(client: QueryClient): Promise<Settings> {
  try {
    const [{ level, quietHours, pausedUntil, sounds }, types, customers, sources, ends, { rows }] = await Promise.all([
      client.fetchQuery(notificationSettingsQuery),
      client.fetchQuery(alertTypeMutesQuery),
      client.fetchQuery(mutedNamesQuery),
      client.fetchQuery(sourceMutesQuery),
      client.fetchQuery(muteEndsQuery),
      client.fetchQuery(exceptionsQuery),
    ]);
    // Of mutes the first are among the exceptions; those that are not have no other level.
    const exceptions = new Map<string, NoticeLevel>([
      ...customers.map((name) => [exceptionKey('customer', name), 'never'] as const),
      ...types.map((type) => [exceptionKey('alert_type', type), 'never'] as const),
      ...sources.map(({ sourceId }) => [exceptionKey('source', sourceId), 'never'] as const),
    ]);
    for (const { kind, id, name, level: own } of rows) {
      if (kind !== 'view') exceptions.set(exceptionKey(kind, kind === 'customer' ? name : id), own);
    }
    // A mute ends at its time, whenever it was read.
    const now = Date.now();
    for (const { kind, id, name, until } of ends) {
      if (Date.parse(until) <= now) exceptions.delete(exceptionKey(kind, kind === 'customer' ? name : id));
    }
    return { level, quietHours, pausedUntil, sounds, exceptions };
  } catch {
    return UNKNOWN;
  }
}

/** The settings, or views with levels of their own, have changed: reads them again for the next alert, and in a moment where they are on screen. */
export function renewSettings(client: QueryClient): void {
  for (const queryKey of KEYS) {
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
    refetchSoon(client, queryKey);
  }
}
