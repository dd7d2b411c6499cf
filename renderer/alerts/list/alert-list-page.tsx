import type { ReactNode } from 'react';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { AlertListView } from '#renderer/alerts/data/list-model.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertListBody, type AlertListProps } from './alert-list.tsx';
import { type ListFilter, filtersIn, useListFilter } from './list-filter.ts';
import { ListFilters } from './list-filters.tsx';
import { NothingFound } from './nothing-found.tsx';
import { useAlertList } from '#renderer/alerts/data/alert-queries.ts';

interface AlertListPageProps extends Pick<AlertListProps, 'variant' | 'renderCard' | 'onPrimary'> {
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** Whose alerts these are, before the filter. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  /** The orders that it is offered in, the usual one first. */
  sorts: readonly AlertSort[];
  /** What follows the count in the head. */
  countLabel: (filter: ListFilter) => ReactNode;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
  /** More for the head, after the filters. */
  children?: ReactNode;
}

/** A page that is a list of alerts: its head with the filters, and the list in whatever state it is. */
export function AlertListPage(props: AlertListPageProps) {
  const { title, icon, list, sorts, countLabel, empty, children, ...feed } = props;
  const { filter, change } = useListFilter();
  const { sort, ...narrowed } = filter;
  const view: AlertListView = { ...list, ...narrowed, ...(sorts.includes(sort) && { sort }) };
  const shown = useAlertList(view);

  const isFiltered = filtersIn(filter) > 0;
  const isSheet = shown.alerts ? shown.alerts.length > 0 : shown.error === null;
  const isComfortable = useIsComfortable();
  return (
    <div className="ad-page">
      <PageHead
        title={title}
        icon={icon}
        count={shown.total}
        countLabel={shown.isAtLeast ? <>or more {countLabel(filter)}</> : countLabel(filter)}
        isCountComing={shown.error === null}
        isOverSheet={isSheet && !isComfortable}
      >
        <ListFilters list={list} filter={filter} onChange={change} sorts={sorts} />
        {children}
      </PageHead>
      <AlertListBody
        {...feed}
        title={title}
        list={shown}
        empty={isFiltered ? <NothingFound filter={filter} onChange={change} /> : empty}
      />
    </div>
  );
}
