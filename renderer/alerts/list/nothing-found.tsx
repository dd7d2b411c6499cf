import { Button } from '@blueprintjs/core';
import { FilterIcon, SearchIcon } from '@blueprintjs/icons';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { type ListFilter, NO_FILTER, filtersIn } from './list-filter.ts';

interface NothingFoundProps {
  filter: ListFilter;
  onChange: (changed: Partial<ListFilter>) => void;
  /** Whether other lists are named that the search may find something in. */
  hasTabs: boolean;
}

/** What a list shows when no alert matches its filter. */
export function NothingFound({ filter, onChange, hasTabs }: NothingFoundProps) {
  const search = filter.search ?? filter.q;
  if (search !== undefined) {
    return (
      <EmptyState
        icon={<SearchIcon size={40} />}
        title={`No alerts match “${inertLine(search)}”`}
        text={`Titles, customers, addresses, and payloads in this list were searched.${hasTabs ? ' Other lists are shown above.' : ''}`}
        action={<Button text="Clear search" onClick={() => onChange({ search: undefined, q: undefined })} />}
      />
    );
  }
  return (
    <EmptyState
      icon={<FilterIcon size={40} />}
      title={nothingFoundTitle(filter)}
      text="Nothing in this list matches the filter."
      action={
        <Button text={filtersIn(filter) > 1 ? 'Clear filters' : 'Clear filter'} onClick={() => onChange(NO_FILTER)} />
      }
    />
  );
}

/** "No critical alerts.", "No alerts for this customer.", "No high alerts from this source.": the first of what is set. */
export function nothingFoundTitle({ customer, alertType, severity, source, status }: ListFilter): string {
  const [only, ...others] = severity ?? [];
  const isOne = only !== undefined && only !== 'none' && others.length === 0;
  const adjective = isOne ? `${SEVERITY_LABELS[only].toLowerCase()} ` : '';
  if (customer !== undefined) return `No ${adjective}alerts for this customer.`;
  if (alertType !== undefined) return `No ${adjective}alerts of this type.`;
  if (source !== undefined) return `No ${adjective}alerts from this source.`;
  if (status !== undefined) return `No ${adjective}alerts with this status.`;
  if (isOne) return `No ${adjective}alerts.`;
  return only === 'none' ? 'No alerts without a severity.' : 'No alerts of these severities.';
}
