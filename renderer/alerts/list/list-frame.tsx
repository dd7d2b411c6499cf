import { type ReactNode, Suspense, useCallback, useMemo } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { AlertSort } from '#backend/contract/alert.ts';
import {
  type ShownAlertList,
  useAlertList,
  useInboxCount,
  useMyAlertsCount,
} from '#renderer/alerts/data/alert-queries.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { MarkedPattern, patternOf } from '#renderer/alerts/search/hits.tsx';
import { markedTexts } from '#renderer/alerts/search/search-text.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { lazyWithRetry, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { COARSE, MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { type CardFilterKey, FilterByCard } from '#renderer/alerts/card/card-parts.tsx';
import { AlertListBody } from './alert-list.tsx';
import type { AlertFeedProps } from './feed-props.ts';
import type { FilterBarProps } from './filter-bar.tsx';
import { choose } from './filter-values.ts';
import {
  type ListFilter,
  type ListFilterState,
  filteredView,
  filtersIn,
  useOrderedFilter,
  useRememberFilter,
} from './list-filter.ts';
import * as texts from './texts.tsx';
import * as barStyles from './filter-bar.module.css';
import * as styles from '#renderer/ui/page-head/page-head.module.css';

// Comes with the first search.
const SearchTabs = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "search" */ '#renderer/alerts/search/search-tabs.tsx')).SearchTabs,
  'omit',
);

// Its row is as high without it, and most of what is in it waits for the filters' options anyway.
const FilterBar = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './filter-bar.tsx')).FilterBar,
  'omit',
);

// It has a place in the head that is as high without it.
const SeverityCounts = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './severity-counts.tsx')).SeverityCounts,
  'omit',
);

// Comes with the first filter that nothing matches.
const NothingFound = lazyWithRetry(async () => (await import('./nothing-found.tsx')).NothingFound, 'omit');

type ListName = Pick<AlertListView, 'list' | 'folderId' | 'completion'>;

/** What a page says of its list. */
export interface ListDescription {
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** The page above this one, and the link back to it. */
  parent?: { to: string; title: string };
  /** What follows the count in the head. */
  countLabel: (filter: ListFilter) => ReactNode;
  /** The exact number, for a list that does not know its own; null where there is no number before a filter is set. */
  total?: number | null | undefined;
  /** Stands after the count. */
  beside?: ReactNode;
  /** Stands in the place of the tabs of a search, and after the count without one. */
  searchHead?: ReactNode;
  /** Whether the list is narrowed beyond what the page stands for; by default by any filter. */
  isNarrowed?: boolean;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
  /** What is shown when the filter finds none, where the page has words of its own. */
  nothingFound?: (state: ListFilterState) => ReactNode;
  /** Stands between the head and the list. */
  before?: ReactNode;
  /** What stands below the list. */
  after?: ReactNode;
  /** Stands in the bar before the filters. */
  lead?: (state: ListFilterState) => ReactNode;
  /** What a small screen has behind the filter button, below the filters. */
  switches?: ReactNode;
  /** More for the bar, after the filters. */
  children?: ReactNode;
}

/** A list as it is filtered. */
export interface FilteredList extends ListFilterState {
  list: ListName;
  sorts: readonly AlertSort[];
  view: AlertListView;
  shown: ShownAlertList;
}

/** The list of a page, narrowed and sorted as its filter says; without an order in the address as its member sorts it. */
export function useFilteredList(list: ListName, sorts: readonly AlertSort[]): FilteredList {
  const { filter, remember, change: changeAddress } = useOrderedFilter(list);
  const change = useCallback(
    (changed: Partial<ListFilter>) => {
      if (changed.sort !== undefined) remember(changed.sort);
      changeAddress(changed);
    },
    [remember, changeAddress],
  );
  useRememberFilter();
  const view = filteredView(list, filter, sorts);
  return { list, sorts, filter, change, view, shown: useAlertList(view) };
}

interface ListFrameProps extends ListDescription {
  filtered: FilteredList;
  feed: Pick<AlertFeedProps, 'card' | 'selection' | 'onSwipe' | 'cursor' | 'group' | 'fold'>;
}

/** The head of a list with its filters, and the list in whatever state it is. */
export function ListFrame({ filtered, feed, ...page }: ListFrameProps) {
  const { filter, change, list, sorts, view, shown } = filtered;
  const { title, icon, parent, total, beside, searchHead, isNarrowed, empty, before, lead } = page;
  const pattern = useMemo(() => patternOf(markedTexts(filter)), [filter]);
  const isSmall = useMediaQuery(MOBILE);
  const isCoarse = useMediaQuery(COARSE);
  const filterBy = useCallback(
    (key: CardFilterKey, value: string) => change(choose(filter, key, value)),
    [change, filter],
  );
  const isComfortable = useIsComfortable();
  const hasTabs = filter.search !== undefined && searchHead === undefined;
  const isFiltered = filtersIn(filter) > 0;
  const known = shown.isAtLeast ? total : (shown.total ?? total);
  const isAtLeast = shown.isAtLeast && typeof total !== 'number';
  const label = hasTabs && !parent ? <OfAll list={list} /> : page.countLabel(filter);
  const count = total === null && !isFiltered ? undefined : (known ?? shown.total);
  const { group } = feed;
  // A search finds in both, and so does an export.
  const ofGroup = group?.total ?? 0;
  const both = shown.total === undefined ? undefined : shown.total + ofGroup;
  const isSheet = shown.alerts ? shown.alerts.length > 0 || (isFiltered && ofGroup > 0) : shown.error === null;
  const found = hasTabs ? (
    <Suspense>
      <SearchTabs filter={filter} list={list} shown={{ ...shown, total: both }} />
    </Suspense>
  ) : (
    searchHead
  );
  const state = { filter, change };
  // Keeps their row while they are not known, where there will be some.
  const wait = shown.alerts?.some(({ severity }) => severity !== 'none') ? <span /> : null;
  const counts = <SeverityCounts {...state} list={list} wait={wait} place={wait} />;
  // A small screen has no space for it beside the title.
  const barLead = lead ? lead(state) : isSmall ? (found ?? counts) : undefined;
  const bar: FilterBarProps = {
    ...state,
    list,
    sorts,
    hasChips: searchHead !== undefined,
    exported: { view: { ...view, completion: undefined }, title, total: both },
    lead: barLead,
    switches: page.switches,
    children: page.children,
  };
  return (
    <>
      <PageHead
        title={title}
        icon={icon}
        {...(parent && { parent })}
        count={count}
        countLabel={isAtLeast ? texts.orMore(label) : label}
        beside={found && isSmall && !lead ? undefined : (found ?? beside)}
        end={isSmall ? undefined : counts}
        isCountComing={shown.error === null && (total !== null || isFiltered)}
        isOverSheet={isSheet && !isComfortable && before === undefined}
        bar={
          <FilterBar
            {...bar}
            place={
              <div className={barStyles.bar}>
                {barLead !== undefined && <div className={barStyles.lead}>{wait}</div>}
              </div>
            }
          />
        }
      />
      {before}
      <MarkedPattern value={pattern}>
        <FilterByCard value={isCoarse ? undefined : filterBy}>
          <AlertListBody
            {...feed}
            title={title}
            list={shown}
            empty={
              group && group.total === undefined
                ? null
                : (isNarrowed ?? isFiltered)
                  ? (page.nothingFound?.(state) ?? (
                      <Suspense>
                        <NothingFound filter={filter} onChange={change} hasTabs={hasTabs} />
                      </Suspense>
                    ))
                  : shown.isRead && empty
            }
          />
        </FilterByCard>
      </MarkedPattern>
      {page.after}
    </>
  );
}

/** The page around a list. */
export const ListPage = ({ children }: { children: ReactNode }) => <div className={styles.page}>{children}</div>;

/** "of 317 match", where it is known how many there are in all. */
function OfAll({ list: { list } }: { list: ListName }) {
  const [inbox, mine] = [useInboxCount(), useMyAlertsCount()];
  const all = list === 'inbox' ? inbox : list === 'mine' ? mine : undefined;
  return all === undefined ? 'match' : texts.ofAllMatch(countText(all));
}
