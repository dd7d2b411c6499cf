import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { type View, type ViewList, type ViewNotify, viewListAnswerSchema } from '#backend/contract/view.ts';
import { namesTimes } from '#backend/contract/search.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { createPendingDeletions } from '#renderer/toasts/undoable-deletion.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

/** The number of each view that came last, and how many had come by then. */
const numbers = new Map<string, { alerts: number; at: number }>();
let numbersSeen = 0;

/** Puts numbers that come while views are asked for into the answer, which may be older. */
async function withLaterNumbers(ask: () => Promise<View[]>): Promise<View[]> {
  const began = numbersSeen;
  const views = await ask();
  return views.map((view) => {
    const known = numbers.get(view.id);
    return known && known.at > began ? Object.assign({}, view, { alerts: known.alerts }) : view;
  });
}

/** `GET /api/views`: my views and the shared ones, each with its number of alerts. Throws an ApiError. */
export const viewsQuery = queryOptions({
  queryKey: ['/api/views'] as const,
  queryFn: ({ signal }) =>
    withLaterNumbers(() =>
      apiGet(`/api/views?${new URLSearchParams({ timeZone: timeZoneHere() })}`, viewListAnswerSchema, { signal }),
    ),
});

const deletions = createPendingDeletions<View>();

/** Views that were deleted here but can still be brought back, by id. */
export const deletedViewsAtom = deletions.pendingAtom;

/** Marks views that were deleted here but can still be brought back. Write-only. */
export const markViewDeletionAtom = deletions.markAtom;

/** The views, without those that are being deleted here. */
export function useViews(): { views: readonly View[] | undefined; error: Error | null; retry: () => void } {
  const { data, error, refetch } = useQuery(viewsQuery);
  const deleted = useAtomValue(deletedViewsAtom);
  const views = useMemo(() => data?.filter(({ id }) => !deleted.has(id)), [data, deleted]);
  return { views, error, retry: () => void refetch() };
}

/** Keeps views current: their numbers come with the events, anything else is asked for again. */
export function followViews(client: QueryClient, events: readonly LiveEvent[]): void {
  const isKnown = client.getQueryData(viewsQuery.queryKey) !== undefined;
  for (const event of events) {
    const isOutdated = event.type === 'views_changed' || (event.type === 'hello' && isKnown);
    if (isOutdated) refetchWhenShown(client, viewsQuery.queryKey);
    if (event.type !== 'view_counted') continue;
    const { viewId, alerts, timeZone } = event;
    if (timeZone !== null && timeZone !== timeZoneHere()) continue;
    numbers.set(viewId, { alerts, at: (numbersSeen += 1) });
    client.setQueryData(viewsQuery.queryKey, (views) =>
      views?.map((view) => (view.id === viewId ? Object.assign({}, view, { alerts }) : view)),
    );
  }
}

/** Has views counted again when what was missed may have changed their numbers, which are not among what changed. */
export function recountViews(client: QueryClient, missed: readonly LiveEvent[]): void {
  const views = client.getQueryData(viewsQuery.queryKey);
  const isOther = missed.some((event) => 'alert' in event || 'alertId' in event || event.type === 'lists_changed');
  if (views?.some(({ search }) => isOther || namesTimes(search))) refetchWhenShown(client, viewsQuery.queryKey);
}

/** The path of a view. */
export const pathOfView = (id: string): string => `/view/${id}`;

/** What the lists of views are called. */
export const VIEW_LIST_LABELS: Record<ViewList, string> = {
  inbox: common.newAlerts,
  mine: common.myAlerts,
  all: common.systemWideAlerts,
};

/** How one is notified of the alerts in a view. */
export const NOTIFY_LABELS: Record<ViewNotify, string> = {
  settings: texts.asMySettings,
  always: texts.alwaysNotifyMe,
  high: texts.highAndAbove,
  critical: texts.critical,
  mine: texts.onlyWhatIsMine,
  never: texts.neverNotifyMe,
};

/** What each of these means. */
export const NOTIFY_HINTS: Record<ViewNotify, string> = {
  settings: texts.asOfAllOtherAlerts,
  always: texts.ofEachAlertInIt,
  high: texts.ofCriticalAndHighOnes,
  critical: texts.ofCriticalOnesInIt,
  mine: texts.onlyOfWhatIsMine,
  never: texts.noNotificationsUnlessCustomerType,
};
