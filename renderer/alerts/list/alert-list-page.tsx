import { Button } from '@blueprintjs/core';
import { FilterIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import type { AlertListView } from '#renderer/alerts/data/list-model.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertListBody, type AlertListProps } from './alert-list.tsx';
import { type ListFilter, ListFilters, useListFilter } from './list-filters.tsx';
import { useAlertList } from '#renderer/alerts/data/alert-queries.ts';

interface AlertListPageProps extends Pick<AlertListProps, 'variant' | 'renderCard' | 'onPrimary'> {
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** Whose alerts these are, before the filter. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  isSortable?: boolean;
  /** What follows the count in the head. */
  countLabel: (filter: ListFilter) => ReactNode;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
  /** More for the head, after the filters. */
  children?: ReactNode;
}

/** A page that is a list of alerts: its head with the filters, and the list in whatever state it is. */
export function AlertListPage(props: AlertListPageProps) {
  const { title, icon, list, isSortable = false, countLabel, empty, children, ...feed } = props;
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
        countLabel={countLabel(filter)}
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

interface NothingFoundProps {
  filter: ListFilter;
  onChange: (changed: Partial<ListFilter>) => void;
}

/** What a list shows when no alert matches its filter. */
function NothingFound({ filter: { customer, alertType }, onChange }: NothingFoundProps) {
  const isBoth = customer !== undefined && alertType !== undefined;
  return (
    <EmptyState
      icon={<FilterIcon size={40} />}
      title={customer === undefined ? 'No alerts of this type.' : 'No alerts for this customer.'}
      text="Nothing in this list matches the filter."
      action={
        <Button
          text={isBoth ? 'Clear filters' : 'Clear filter'}
          onClick={() => onChange({ customer: undefined, alertType: undefined })}
        />
      }
    />
  );
}
