import { Button } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { type ReactNode, useMemo, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { alertListQuery } from '#renderer/lib/alerts/alert-list.ts';
import { type AlertPages, alertsOf, totalOf } from '#renderer/lib/alerts/alert-pages.ts';
import { type AlertListView, pathOf } from '#renderer/lib/alerts/alert-view.ts';
import { pendingDeletionsAtom } from '#renderer/lib/alerts/pending-deletions.ts';
import { type ListFilter, useListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { ListFilters } from '#renderer/ui/list-filters/list-filters.tsx';
import { NothingFound } from '#renderer/ui/list-filters/nothing-found.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertList, type AlertListProps } from './alert-list.tsx';
import { ListSkeleton } from './list-skeleton.tsx';

interface AlertListPageProps extends Pick<AlertListProps, 'variant' | 'renderCard' | 'onPrimary'> {
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** Whose alerts these are, before the filter. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  isSortable?: boolean;
  /** What follows the count in the head. */
  countWords: (filter: ListFilter) => ReactNode;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
  /** More for the head, after the filters. */
  children?: ReactNode;
}

/** A page that is a list of alerts: its head with the filters, and the list in whatever state it is. */
export function AlertListPage(props: AlertListPageProps) {
  const { title, icon, list, isSortable = false, countWords, empty, children, ...feed } = props;
  const { filter, change } = useListFilter();
  const { customer, alertType, sort } = filter;
  const view: AlertListView = { ...list, customer, alertType, ...(isSortable && { sort }) };
  // The list before stays until the new one is there: a quick answer does not flash.
  const query = useInfiniteQuery({ ...alertListQuery(view), placeholderData: keepPreviousData });
  const { data, error, isFetchNextPageError, refetch } = query;
  const alerts = useShownAlerts(data);
  const total = data && totalOf(data);
  const more = useNextPage(query);
  const shown = useShownPath(pathOf(view), query.isPlaceholderData);

  const isFiltered = customer !== undefined || alertType !== undefined;
  const isSheet = alerts ? alerts.length > 0 : error === null;
  return (
    <div className="ad-page">
      <PageHead title={title} icon={icon} count={total} words={countWords(filter)} isOverSheet={isSheet}>
        <ListFilters list={list} filter={filter} onChange={change} isSortable={isSortable} />
        {children}
      </PageHead>
      {alerts && (!error || isFetchNextPageError || !query.isPlaceholderData) ? (
        <AlertList
          key={shown}
          {...feed}
          place={shown}
          label={title}
          alerts={alerts}
          total={total ?? alerts.length}
          more={more}
          empty={isFiltered ? <NothingFound filter={filter} onChange={change} /> : empty}
        />
      ) : error ? (
        <EmptyState
          isError
          icon={<ErrorIcon size={40} />}
          title={`${title} could not be loaded`}
          text={error.message}
          action={<Button text="Try again" onClick={() => void refetch()} />}
        />
      ) : (
        <ListSkeleton label={title} />
      )}
    </div>
  );
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
