import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useMemo, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { alertListQuery } from '#renderer/lib/alerts/alert-list.ts';
import { type AlertPages, alertsOf, totalOf } from '#renderer/lib/alerts/alert-pages.ts';
import { type AlertListView, pathOf } from '#renderer/lib/alerts/alert-view.ts';
import { pendingDeletionsAtom } from '#renderer/lib/alerts/pending-deletions.ts';
import type { NextPage } from './use-load-more.ts';

/** A list as far as it has come: its alerts, or why there are none, or neither while it is on its way. */
export interface ShownAlertList {
  alerts: readonly Alert[] | undefined;
  /** How many there are in all. */
  total: number | undefined;
  /** There may be even more. */
  isAtLeast: boolean;
  more: NextPage | undefined;
  /** The path of the list whose alerts are on screen: that of the one before while the new one is on its way. */
  place: string;
  error: Error | null;
  retry: () => void;
}

/** Reads the list of a view. The one before stays until it is there: a quick answer does not flash. */
export function useAlertList(view: AlertListView): ShownAlertList {
  const query = useInfiniteQuery({ ...alertListQuery(view), placeholderData: keepPreviousData });
  const { data, error, isPlaceholderData, isFetchNextPageError, refetch } = query;
  const alerts = useShownAlerts(data);
  const more = useNextPage(query);
  const place = useShownPath(pathOf(view), isPlaceholderData);
  const isOfAnother = error !== null && isPlaceholderData && !isFetchNextPageError;
  return {
    alerts: isOfAnother ? undefined : alerts,
    total: data && totalOf(data),
    isAtLeast: data?.pages[0]?.isAtLeast === true && data.pages.at(-1)?.next !== undefined,
    more,
    place,
    error,
    retry: () => void refetch(),
  };
}

/** The loaded alerts, without those that are being deleted. */
function useShownAlerts(data: AlertPages | undefined): readonly Alert[] | undefined {
  const deleted = useAtomValue(pendingDeletionsAtom);
  return useMemo(() => {
    const all = data && alertsOf(data);
    return deleted.size === 0 ? all : all?.filter(({ id }) => !deleted.has(id));
  }, [data, deleted]);
}

/** The path of the list whose alerts are on screen: that of the one before while the new one is on its way. */
function useShownPath(path: string, isPlaceholder: boolean): string {
  const [shown, setShown] = useState(path);
  if (!isPlaceholder && shown !== path) setShown(path);
  return isPlaceholder ? shown : path;
}

type ListQuery = Pick<
  ReturnType<typeof useInfiniteQuery<unknown>>,
  'hasNextPage' | 'fetchNextPage' | 'isFetchNextPageError' | 'isFetching' | 'isPlaceholderData' | 'error'
>;

function useNextPage(query: ListQuery) {
  const { hasNextPage, fetchNextPage, isFetchNextPageError, isFetching, isPlaceholderData, error } = query;
  return useMemo(
    () =>
      hasNextPage && !isPlaceholderData
        ? {
            // Joins a fetch that is under way instead of breaking it off.
            load: () => void fetchNextPage({ cancelRefetch: false }),
            error: isFetchNextPageError ? error : null,
            isBusy: isFetching,
          }
        : undefined,
    [hasNextPage, isPlaceholderData, fetchNextPage, isFetchNextPageError, isFetching, error],
  );
}
