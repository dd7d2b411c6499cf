import { useAtomValue } from 'jotai';
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import type { Alert, AlertSort } from '#backend/contract/alert.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { loadAllChoices } from '#renderer/alerts/actions/choices.tsx';
import { useActions } from '#renderer/alerts/actions/use-actions.ts';
import type { CardDescription } from '#renderer/alerts/card/alert-card.tsx';
import { useListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import { bulkRunsAtom } from '#renderer/alerts/data/list-state.ts';
import { type ListCursor, useListKeys } from '#renderer/alerts/keys/use-list-keys.ts';
import { ExportButton } from '#renderer/alerts/export/export-button.tsx';
import { countText } from '#renderer/lib/badge-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { MarkedPattern, patternOf } from '#renderer/alerts/search/hits.tsx';
import { markedTexts } from '#renderer/alerts/search/search-text.ts';
import { AlertListBody } from './alert-list.tsx';
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
const BulkBar = lazyWithRetry(async () => {
  const [{ BulkBar: Bar }] = await Promise.all([import('#renderer/alerts/bulk/bulk-bar.tsx'), loadAllChoices()]);
  return Bar;
}, 'report');

export interface AlertListPageProps {
  /** How its cards are, and what can be done with them. */
  card: CardDescription;
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
  const { title, icon, list, sorts, countLabel, beside, empty, after, children, card, ...others } = props;
  const { total, searchHead, isNarrowed } = others;
  const { filter, change } = useListFilter();
  const { sort, ...narrowed } = filter;
  const view: AlertListView = { ...list, ...narrowed, ...inZone(filter), ...(sorts.includes(sort) && { sort }) };
  const pattern = useMemo(() => patternOf(markedTexts(filter.search)), [filter.search]);
  const shown = useAlertList(view);
  const selection = useListSelection(view, shown.alerts, shown.more === undefined);
  const cursor = useRef<ListCursor>(null);
  // Id of the action whose choices are open.
  const [menu, setMenu] = useState<string>();
  const actions = useActions();
  /** What is to be chosen first is chosen in the bar of the selection. */
  const act = (action: AlertAction, alert: Alert): void => {
    if (action.run || action.change) actions.run(action, alert);
    else if (actions.offers(action, alert)) {
      selection.toggle(alert);
      setMenu(action.id);
    }
  };
  const takeBar = useListKeys({ cursor, selection, kind: card.kind, offers: actions.offers, act });
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
          card={card}
          selection={selection}
          onSwipe={act}
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
            card={card}
            actions={actions}
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
