import { Button } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { type ReactNode, useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { type AlertPages, alertsOf, totalOf } from '#renderer/lib/alerts/alert-pages.ts';
import { pendingDeletionsAtom } from '#renderer/lib/alerts/pending-deletions.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertList, type AlertListProps } from './alert-list.tsx';
import { ListSkeleton } from './list-skeleton.tsx';

interface AlertListPageProps extends Pick<AlertListProps, 'variant' | 'renderCard' | 'onPrimary'> {
  title: string;
  /** What follows the count in the head. */
  countWords: string;
  query: UseInfiniteQueryResult<AlertPages>;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
}

/** A page that is a list of alerts: its head, and the list in whatever state it is. */
export function AlertListPage({ title, countWords, query, empty, ...list }: AlertListPageProps) {
  const { data, error, hasNextPage, fetchNextPage, isFetchNextPageError, isFetching, refetch } = query;
  const alerts = useShownAlerts(data);
  const total = data && totalOf(data);

  const isSheet = alerts ? alerts.length > 0 : error === null;
  const more = useMemo(
    () =>
      hasNextPage
        ? {
            // Joins a fetch that is under way instead of breaking it off.
            load: () => void fetchNextPage({ cancelRefetch: false }),
            error: isFetchNextPageError ? error : null,
            isBusy: isFetching,
          }
        : undefined,
    [hasNextPage, fetchNextPage, isFetchNextPageError, isFetching, error],
  );

  return (
    <div className="ad-page">
      <PageHead title={title} count={total} words={countWords} isOverSheet={isSheet} />
      {alerts ? (
        <AlertList {...list} label={title} alerts={alerts} total={total ?? alerts.length} more={more} empty={empty} />
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
