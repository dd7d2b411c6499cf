import type { ReactNode } from 'react';
import type { AlertListView } from '#renderer/lib/alerts/alert-view.ts';
import { type ListFilter, useListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
import { useIsComfortable } from '#renderer/lib/density.ts';
import { ListFilters } from '#renderer/ui/list-filters/list-filters.tsx';
import { NothingFound } from '#renderer/ui/list-filters/nothing-found.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertListBody } from './alert-list-body.tsx';
import type { AlertListProps } from './alert-list.tsx';
import { useAlertList } from './use-alert-list.ts';

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
  const shown = useAlertList(view);

  const isFiltered = customer !== undefined || alertType !== undefined;
  const isSheet = shown.alerts ? shown.alerts.length > 0 : shown.error === null;
  const isComfortable = useIsComfortable();
  return (
    <div className="ad-page">
      <PageHead
        title={title}
        icon={icon}
        count={shown.total}
        words={countWords(filter)}
        isCountComing={shown.error === null}
        isOverSheet={isSheet && !isComfortable}
      >
        <ListFilters list={list} filter={filter} onChange={change} isSortable={isSortable} />
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
