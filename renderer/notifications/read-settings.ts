import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import { type AnnouncementSettings } from '#backend/contract/announcement.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import { type AlertSound, DEFAULT_QUIET_HOURS, type NoticeLevel } from '#backend/contract/notification-settings.ts';
import { readAgain, refetchSoon } from '#renderer/lib/query-freshness.ts';
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

/** What is cached; read when it is not, or has changed. */
async function fetchCurrent<Data, Key extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const query = client.getQueryCache().find({ queryKey: options.queryKey, exact: true });
  // An answer that was asked for before the last change is outdated when it comes, and then asked for again.
  if (query?.state.fetchStatus === 'fetching') await client.fetchQuery(options);
  return client.fetchQuery(options);
}

/** My settings as they are cached; read when they are not, or have changed. */
export async function readSettings(client: QueryClient): Promise<Settings> {
  try {
    const [{ level, quietHours, pausedUntil, sounds }, types, customers, sources, ends, { rows }] = await Promise.all([
      fetchCurrent(client, notificationSettingsQuery),
      fetchCurrent(client, alertTypeMutesQuery),
      fetchCurrent(client, mutedNamesQuery),
      fetchCurrent(client, sourceMutesQuery),
      fetchCurrent(client, muteEndsQuery),
      fetchCurrent(client, exceptionsQuery),
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
    readAgain(client, { queryKey, exact: true, refetchType: 'none' });
    refetchSoon(client, queryKey);
  }
}
