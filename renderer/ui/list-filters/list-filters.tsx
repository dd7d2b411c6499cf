import { SegmentedControl } from '@blueprintjs/core';
import { alertSortSchema } from '#backend/contract/alert.ts';
import { useFacets } from '#renderer/lib/alerts/get-facets.ts';
import type { AlertListView } from '#renderer/lib/alerts/alert-view.ts';
import type { ListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
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

/** What narrows and sorts a list (spec.md section 2): each filter is there only when it has options, or is set. */
export function ListFilters({ list, filter, onChange, isSortable = false }: ListFiltersProps) {
  const { data } = useFacets(list);
  const { customers = [], alertTypes = [] } = data ?? {};
  const hasCustomers = customers.length > 0 || filter.customer !== undefined;
  const hasTypes = alertTypes.length > 0 || filter.alertType !== undefined;
  return (
    <div className="ad-filters">
      {hasCustomers && (
        <FilterButton
          name="Customer"
          filterLabel="Filter customers"
          options={customers}
          value={filter.customer}
          onSelect={(customer) => onChange({ customer })}
        />
      )}
      {hasTypes && (
        <FilterButton
          name="Type"
          filterLabel="Filter types"
          options={alertTypes}
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
