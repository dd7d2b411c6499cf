import { PopupKind, SegmentedControl } from '@blueprintjs/core';
import { CaretDownIcon } from '@blueprintjs/icons';
import { useSetAtom } from 'jotai';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { type AlertSort, alertSortSchema } from '#backend/contract/alert.ts';
import { sortNames } from '#backend/contract/name.ts';
import type { AlertListView } from '#renderer/alerts/data/list-model.ts';
import { useFacets, useFoundFacets } from '#renderer/alerts/data/alert-queries.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { rememberSearchAtom } from '#renderer/lib/screen-memory.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import type { FilterMenuProps } from './filter-menu.tsx';
import './list-filters.css';

/** What a list is narrowed to, and its order. Absent filters mean All. */
export interface ListFilter {
  customer: string | undefined;
  alertType: string | undefined;
  sort: AlertSort;
}

/** The longest name that the server filters by. */
const LONGEST = 200;

/**
 * The filter and order of the list on screen. They are kept in the address, so that they survive going away and back, a
 * reload and being sent to somebody else.
 */
export function useListFilter(): { filter: ListFilter; change: (changed: Partial<ListFilter>) => void } {
  const [params, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const remember = useSetAtom(rememberSearchAtom);
  useEffect(() => remember(pathname, search), [remember, pathname, search]);

  const filter = useMemo((): ListFilter => {
    const sort = alertSortSchema.safeParse(params.get('sort'));
    return {
      customer: nameIn(params, 'customer'),
      alertType: nameIn(params, 'alertType'),
      sort: sort.success ? sort.data : 'newest',
    };
  }, [params]);

  const change = useCallback(
    (changed: Partial<ListFilter>) => setParams((now) => changedParams(now, changed), { replace: true }),
    [setParams],
  );
  return { filter, change };
}

function nameIn(params: URLSearchParams, name: 'customer' | 'alertType'): string | undefined {
  const value = params.get(name);
  return value === null || value === '' || value.length > LONGEST ? undefined : value;
}

function changedParams(params: URLSearchParams, changed: Partial<ListFilter>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === 'newest') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

const SORTS = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'status', label: 'By Status' },
];

interface ListFiltersProps {
  /** The list that is filtered, which has the options. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  filter: ListFilter;
  onChange: (changed: Partial<ListFilter>) => void;
  /** Whether the list can be sorted, too. */
  isSortable?: boolean;
}

/**
 * What narrows and sorts a list: each filter is there only when it has options, or is set. Their row is
 * kept while that is not known.
 */
export function ListFilters({ list, filter, onChange, isSortable = false }: ListFiltersProps) {
  const { data, isPending } = useFacets(list);
  const { customers = [], alertTypes = [], isComplete = true } = data ?? {};
  const [typed, setTyped] = useState('');
  const search = useSettled(isComplete ? '' : typed.trim());
  const found = useFoundFacets(list, search);
  const isSearching = !isComplete && typed.trim() !== '' && (search !== typed.trim() || found.isFetching);
  const hasCustomers = customers.length > 0 || filter.customer !== undefined;
  const hasTypes = alertTypes.length > 0 || filter.alertType !== undefined;
  return (
    <div className="ad-filters">
      {isPending && <span className="ad-filters-wait" />}
      {hasCustomers && (
        <FilterButton
          name="Customer"
          filterLabel="Filter customers"
          options={merge(customers, found.data?.customers)}
          onType={setTyped}
          isSearching={isSearching}
          value={filter.customer}
          onSelect={(customer) => onChange({ customer })}
        />
      )}
      {hasTypes && (
        <FilterButton
          name="Type"
          filterLabel="Filter types"
          options={merge(alertTypes, found.data?.alertTypes)}
          onType={setTyped}
          isSearching={isSearching}
          value={filter.alertType}
          onSelect={(alertType) => onChange({ alertType })}
        />
      )}
      {isSortable && (hasCustomers || hasTypes) && <span className="ad-filters-rule" aria-hidden />}
      {isSortable && (
        <SegmentedControl
          className="ad-filters-sort"
          aria-label="Sort"
          options={SORTS}
          value={filter.sort}
          onValueChange={(value) => onChange({ sort: alertSortSchema.parse(value) })}
        />
      )}
    </div>
  );
}

/** What is on offer anyway, and what the server found beside it, in the order for people. */
const merge = (names: readonly string[], found: readonly string[] = []): readonly string[] =>
  found.length === 0 ? names : sortNames([...new Set([...names, ...found])]);

const loadMenu = async () => (await import('./filter-menu.tsx')).FilterMenu;

/** A filter of a list as a button that reads "Customer All" and opens its options. */
function FilterButton(filter: FilterMenuProps) {
  const { name, value, onType } = filter;
  return (
    <PopupButton
      className="ad-filter-target"
      placement="bottom-end"
      popupKind={PopupKind.MENU}
      onOpening={focusMenu}
      onClosed={() => onType('')}
      load={loadMenu}
      content={filter}
      button={{
        className: `ad-filter${value === undefined ? '' : ' ad-filter--set'}`,
        endIcon: <CaretDownIcon />,
        children: (
          <>
            <span className="ad-filter-name">{name}</span>
            <span className="ad-filter-value">
              <bdi>{value === undefined ? 'All' : inertLine(value)}</bdi>
            </span>
          </>
        ),
      }}
    />
  );
}
