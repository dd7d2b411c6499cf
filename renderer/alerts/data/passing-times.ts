import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { parseSearch } from '#backend/contract/search.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { SEVERITIES_KEY } from './facets.ts';
import { type AlertListPath, type AlertListView, pathOf } from './list-view.ts';

const MINUTE_MS = 60_000;

type TimedView = Pick<AlertListView, 'search' | 'timeZone'>;

/** What the times of a view's search mean at a moment, to the minute: `from:today` changes with the day, `from:4h` each minute. */
export function timesOf({ search, timeZone }: TimedView, now: Date): string {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const { from, to } = search ? parseSearch(search, { now: minute, timeZone: timeZone ?? timeZoneHere() }) : {};
  return `${from ?? ''} ${to ?? ''}`;
}

const readTimes = new WeakMap<QueryClient, Map<AlertListPath, string>>();

/** Remembers what the times of a list's search meant when the list was asked for. */
export function rememberTimes(client: QueryClient, path: AlertListPath, times: string): void {
  readTimes.set(client, (readTimes.get(client) ?? new Map<AlertListPath, string>()).set(path, times));
}

/** Reads a list on screen again, and its numbers, once the times of its search mean others than when it was asked for. */
export function useReadAsTimePasses(view: AlertListView, isWanted: boolean): void {
  const client = useQueryClient();
  const times = useNow((now) => timesOf(view, now));
  const path = pathOf(view);
  const { search } = view;
  useEffect(() => {
    const known = readTimes.get(client)?.get(path);
    if (!isWanted || known === undefined || known === times) return;
    refetchWhenShown(client, [path]);
    for (const { queryKey } of client.getQueryCache().findAll({ queryKey: SEVERITIES_KEY })) {
      if ((queryKey[1] as AlertListView | undefined)?.search === search) refetchWhenShown(client, queryKey);
    }
  }, [client, path, search, times, isWanted]);
}
