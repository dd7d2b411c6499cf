import { Button } from '@blueprintjs/core';
import { FilterIcon } from '@blueprintjs/icons';
import type { ListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';

interface NothingFoundProps {
  filter: ListFilter;
  onChange: (changed: Partial<ListFilter>) => void;
}

/** What a list shows when no alert matches its filter. */
export function NothingFound({ filter: { customer, alertType }, onChange }: NothingFoundProps) {
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
