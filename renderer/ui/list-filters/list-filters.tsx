import { SegmentedControl } from '@blueprintjs/core';
import { useState } from 'react';
import { alertSortSchema } from '#backend/contract/alert.ts';
import { sortNames } from '#backend/contract/name-order.ts';
import { useFacets, useFoundFacets } from '#renderer/lib/alerts/get-facets.ts';
import type { AlertListView } from '#renderer/lib/alerts/alert-view.ts';
import type { ListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { FilterButton } from './filter-button.tsx';
import './list-filters.css';

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
