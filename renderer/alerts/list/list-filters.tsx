import { Button, SegmentedControl } from '@blueprintjs/core';
import { FilterIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { type AlertSeverity, type AlertSort, alertSortSchema } from '#backend/contract/alert.ts';
import { sortNames } from '#backend/contract/name.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useFacets, useFoundFacets } from '#renderer/alerts/data/facets.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useIsBesidePanel } from '#renderer/alerts/panel/open-alert.tsx';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { FilterButton, FilterLabel } from '#renderer/ui/filter-button/filter-button.tsx';
import type { FilterMenuProps, FilterOption } from './filter-menu.tsx';
import type { ListFilter } from './list-filter.ts';
import classNames from 'classnames';
import * as styles from './list-filters.module.css';

const SORT_LABELS: Record<AlertSort, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  status: 'By Status',
  severity: 'Severity',
};

interface ListFiltersProps {
  /** The list that is filtered, which has the options. */
  list: Pick<AlertListView, 'list' | 'folderId'>;
  filter: ListFilter;
  onChange: (changed: Partial<ListFilter>) => void;
  /** The orders that the list is offered in. By severity is offered where there are severities. */
  sorts: readonly AlertSort[];
  /** Whether customers and types are offered, too. */
  hasNames?: boolean;
}

/**
 * What narrows and sorts a list: each filter is there only when it has options, or is set. Their row is
 * kept while that is not known. A small screen, and a list beside an open alert, show customers and types; the others, and
 * what follows the filters in the page's head, are behind a button.
 */
export function ListFilters({ list, filter, onChange, sorts, hasNames = true }: ListFiltersProps) {
  const { data, isPending, refetch } = useFacets(list);
  const { customers = [], alertTypes = [], severities = [], sources = [], isComplete = true } = data ?? {};
  const [typed, setTyped] = useState('');
  const search = useSettled(isComplete ? '' : typed.trim());
  const found = useFoundFacets(list, search);
  const isSearching = !isComplete && typed.trim() !== '' && (search !== typed.trim() || found.isFetching);
  const hasSeverities = severities.some(({ severity }) => severity !== 'none') || filter.severity !== undefined;
  const hasSources = sources.length > 1 || filter.source !== undefined;
  const hasCustomers = hasNames && (customers.length > 0 || filter.customer !== undefined);
  const hasTypes = hasNames && (alertTypes.length > 0 || filter.alertType !== undefined);
  const offered = sorts.filter((sort) => sort !== 'severity' || hasSeverities || filter.sort === sort);
  const shared = { onType: setTyped, isSearching };
  // Counts are not kept up to date by every event: they are read again when they are looked at.
  const refresh = (): void => void refetch();
  const isSmall = useMediaQuery(MOBILE);
  const isFolded = (useIsBesidePanel() || isSmall) && hasNames;
  const [isUnfolded, setUnfolded] = useState(false);
  const bySeverity = hasSeverities && (
    <FilterButton
      className={styles.filterTarget}
      isSet={filter.severity !== undefined}
      load={loadSeverities}
      onOpened={refresh}
      content={{ counts: severities, value: filter.severity, onSelect: (severity) => onChange({ severity }) }}
    >
      <FilterLabel name="Severity" value={filter.severity ? severityText(filter.severity) : 'All'} />
    </FilterButton>
  );
  return (
    <div className={styles.filters}>
      {isPending && <span className={styles.wait} />}
      {!isFolded && bySeverity}
      {hasCustomers && (
        <NameFilter
          {...shared}
          name="Customer"
          filterLabel="Filter customers"
          options={namesOf(customers, found.data?.customers, filter.customer)}
          value={filter.customer}
          onSelect={(customer) => onChange({ customer })}
        />
      )}
      {hasTypes && (
        <NameFilter
          {...shared}
          name="Type"
          filterLabel="Filter types"
          options={namesOf(alertTypes, found.data?.alertTypes, filter.alertType)}
          value={filter.alertType}
          onSelect={(alertType) => onChange({ alertType })}
        />
      )}
      {isFolded && (
        <Button
          className={classNames(styles.fold, isRestSet(filter, offered) && styles.fold_set)}
          icon={<FilterIcon />}
          aria-label="More filters"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        />
      )}
      {isFolded && isUnfolded && bySeverity}
      {(!isFolded || isUnfolded) && hasSources && (
        <NameFilter
          {...shared}
          name="Source"
          filterLabel="Filter sources"
          options={sourcesOf([...sources, ...(found.data?.sources ?? [])], filter.source)}
          value={filter.source}
          onSelect={(source) => onChange({ source })}
          onOpened={refresh}
        />
      )}
      {offered.length > 2 && (hasCustomers || hasTypes) && <span className={styles.rule} aria-hidden />}
      {(!isFolded || isUnfolded) && <Sort sorts={offered} sort={filter.sort} onChange={(sort) => onChange({ sort })} />}
    </div>
  );
}

/** Whether something is chosen that is behind the button. */
const isRestSet = ({ severity, source, sort }: ListFilter, [usual]: readonly AlertSort[]): boolean =>
  severity !== undefined || source !== undefined || sort !== usual;

interface SortProps {
  sorts: readonly AlertSort[];
  sort: AlertSort;
  onChange: (sort: AlertSort) => void;
}

/** Two orders are a menu like the filters beside it; more are buttons. */
function Sort({ sorts, sort, onChange }: SortProps) {
  const options = sorts.map((one) => ({ value: one, label: SORT_LABELS[one] }));
  const value = sorts.includes(sort) ? sort : 'newest';
  if (options.length < 2) return null;
  if (options.length > 2) {
    return (
      <SegmentedControl
        className={styles.sort}
        aria-label="Sort"
        options={options}
        value={value}
        onValueChange={(chosen) => onChange(alertSortSchema.parse(chosen))}
      />
    );
  }
  return (
    <NameFilter
      name="Sort"
      filterLabel=""
      options={options}
      value={value}
      isRequired
      onSelect={(chosen) => onChange(alertSortSchema.parse(chosen))}
      onType={() => undefined}
      isSearching={false}
    />
  );
}

/** "Critical", "Critical, High", or how many. */
function severityText(severities: readonly AlertSeverity[]): string {
  if (severities.length > 2) return `${severities.length} chosen`;
  return severities.map((one) => (one === 'none' ? 'None' : SEVERITY_LABELS[one])).join(', ');
}

/**
 * What is on offer anyway, and what the server found beside it, in the order for people. What is set stays on offer when
 * no alert of the list has it any more.
 */
function namesOf(names: readonly string[], found: readonly string[] = [], value?: string): FilterOption[] {
  const all = found.length === 0 ? names : sortNames([...new Set([...names, ...found])]);
  const offered = value === undefined || all.includes(value) ? all : [value, ...all];
  return offered.map((name) => ({ value: name, label: name }));
}

/** The same of sources, with their numbers. */
function sourcesOf(sources: readonly { id: string; name: string; alerts: number }[], value?: string): FilterOption[] {
  const byId = new Map(sources.map(({ id, name, alerts }) => [id, { value: id, label: name, alerts }]));
  if (value === undefined || byId.has(value)) return [...byId.values()];
  return [{ value, label: 'Another source', alerts: 0 }, ...byId.values()];
}

const loadMenu = async () => (await import('./filter-menu.tsx')).FilterMenu;
const loadSeverities = async () => (await import('./severity-menu.tsx')).SeverityMenu;

/** A filter of which one option is chosen. */
function NameFilter({ onOpened, ...filter }: FilterMenuProps & { onOpened?: () => void }) {
  const { name, options, value, isRequired = false, onType } = filter;
  const shown = value === undefined ? undefined : (options.find((option) => option.value === value)?.label ?? value);
  return (
    <FilterButton
      className={styles.filterTarget}
      isSet={isRequired ? value !== 'newest' : value !== undefined}
      load={loadMenu}
      content={filter}
      onClosed={() => onType('')}
      {...(onOpened && { onOpened })}
    >
      <FilterLabel name={name} value={shown === undefined ? 'All' : inertLine(shown)} />
    </FilterButton>
  );
}
