import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import type { Alert, AlertSort } from '#backend/contract/alert.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useAssignOne } from '#renderer/alerts/assign/use-assign-one.ts';
import type { BulkMenu } from '#renderer/alerts/bulk/bulk-bar.tsx';
import { useListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import { bulkRunsAtom } from '#renderer/alerts/data/list-state.ts';
import { type AlertKeys, type ListCursor, useListKeys } from '#renderer/alerts/keys/use-list-keys.ts';
import { ExportButton } from '#renderer/alerts/export/export-button.tsx';
import { foldersQuery } from '#renderer/folders/data/folders.ts';
import { useWriteNote } from '#renderer/alerts/panel/open-alert.tsx';
import { countText } from '#renderer/lib/badge-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { useAskToMute } from '#renderer/mutes/mute-ask.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { MarkedPattern, patternOf } from '#renderer/alerts/search/hits.tsx';
import { markedTexts } from '#renderer/alerts/search/search-text.ts';
import { AlertListBody, type AlertListProps } from './alert-list.tsx';
import { type ListFilter, filtersIn, inZone, useListFilter } from './list-filter.ts';
import { ListFilters } from './list-filters.tsx';
import { NothingFound } from './nothing-found.tsx';
import { useAlertList, useInboxCount, useMyAlertsCount } from '#renderer/alerts/data/alert-queries.ts';
import * as styles from '#renderer/ui/page-head/page-head.module.css';

// Comes with the first search.
const SearchTabs = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "search" */ '#renderer/alerts/search/search-tabs.tsx')).SearchTabs,
  'omit',
);

// Comes with the first selection.
const BulkBar = lazyWithRetry(async () => (await import('#renderer/alerts/bulk/bulk-bar.tsx')).BulkBar, 'report');

export interface AlertListPageProps extends Pick<AlertListProps, 'renderCard'> {
  variant: 'inbox' | 'queue';
  /** What keys do with one alert. */
  keys: AlertKeys;
  /** Whether the member may delete from this list. */
  canDelete: boolean;
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** Whose alerts these are, before the filter. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  /** The orders that it is offered in, the usual one first. */
  sorts: readonly AlertSort[];
  /** What follows the count in the head. */
  countLabel: (filter: ListFilter) => ReactNode;
  /** The exact number of alerts, where it is known from elsewhere. */
  total?: number | undefined;
  /** Stands after the count. */
  beside?: ReactNode;
  /** Stands in the place of the tabs of a search, and after the count without one. */
  searchHead?: ReactNode;
  /** Whether the list is narrowed beyond what the page stands for; by default by any filter. */
  isNarrowed?: boolean;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
  /** What stands below the list. */
  after?: ReactNode;
  /** More for the head, after the filters. */
  children?: ReactNode;
}

/** A page that is a list of alerts: its head with the filters, and the list in whatever state it is. */
export function AlertListPage(props: AlertListPageProps) {
  const { title, icon, list, sorts, countLabel, beside, empty, after, children, keys, canDelete, ...others } = props;
  const { total, searchHead, isNarrowed, ...feed } = others;
  const { filter, change } = useListFilter();
  const { sort, ...narrowed } = filter;
  const view: AlertListView = { ...list, ...narrowed, ...inZone(filter), ...(sorts.includes(sort) && { sort }) };
  const pattern = useMemo(() => patternOf(markedTexts(filter.search)), [filter.search]);
  const shown = useAlertList(view);
  const selection = useListSelection(view, shown.alerts, shown.more === undefined);
  const cursor = useRef<ListCursor>(null);
  const [menu, setMenu] = useState<BulkMenu>();
  const client = useQueryClient();
  const move = (alert: Alert): void => {
    // Looked up only now: a phone's first load does not ask for folders.
    if (client.getQueryData(foldersQuery.queryKey)?.length === 0) return;
    selection.toggle(alert);
    setMenu('move');
  };
  const assign = useAssignOne();
  const snooze = (alert: Alert): void => {
    if (alert.status === 'completed') return;
    selection.toggle(alert);
    setMenu('snooze');
  };
  const mute = useAskToMute();
  const note = useWriteNote();
  const isSnoozed = list.list === 'snoozed';
  const all = { ...keys, assign, snooze, mute, note, ...(!isSnoozed && { move }) };
  const takeBar = useListKeys({ cursor, selection, keys: all });
  const isRunning = useAtomValue(bulkRunsAtom).length > 0;

  const { search } = filter;
  const hasTabs = search !== undefined && searchHead === undefined;
  const label = hasTabs ? <OfAll list={list} /> : countLabel(filter);
  const isAtLeast = shown.isAtLeast && total === undefined;
  const isFiltered = isNarrowed ?? filtersIn(filter) > 0;
  const isSheet = shown.alerts ? shown.alerts.length > 0 : shown.error === null;
  const isComfortable = useIsComfortable();
  return (
    <div className={styles.page}>
      <PageHead
        title={title}
        icon={icon}
        count={isAtLeast ? shown.total : (total ?? shown.total)}
        countLabel={isAtLeast ? <>or more {label}</> : label}
        beside={
          hasTabs ? (
            <Suspense>
              <SearchTabs filter={filter} list={list} shown={shown} />
            </Suspense>
          ) : (
            (searchHead ?? beside)
          )
        }
        isCountComing={shown.error === null}
        isOverSheet={isSheet && !isComfortable}
      >
        <ListFilters list={list} filter={filter} onChange={change} sorts={sorts} />
        <ExportButton view={view} title={title} total={shown.total} />
        {children}
      </PageHead>
      <MarkedPattern value={pattern}>
        <AlertListBody
          {...feed}
          selection={selection}
          swipes={feed.variant === 'inbox' && !isSnoozed ? { ...keys, assign, snooze } : undefined}
          cursor={cursor}
          title={title}
          list={shown}
          empty={isFiltered ? <NothingFound filter={filter} onChange={change} hasTabs={hasTabs} /> : empty}
        />
      </MarkedPattern>
      {after}
      <Suspense>
        {(selection.count > 0 || isRunning) && (
          <BulkBar
            ref={takeBar}
            menu={menu}
            onMenu={setMenu}
            selection={selection}
            total={shown.total}
            variant={isSnoozed ? 'snoozed' : feed.variant}
            canDelete={canDelete}
            folderId={list.folderId}
          />
        )}
      </Suspense>
    </div>
  );
}

/** "of 317 match", where it is known how many there are in all. */
function OfAll({ list: { list } }: Pick<AlertListPageProps, 'list'>) {
  const [inbox, mine] = [useInboxCount(), useMyAlertsCount()];
  const all = list === 'inbox' ? inbox : list === 'mine' ? mine : undefined;
  return all === undefined ? 'match' : `of ${countText(all)} match`;
}
