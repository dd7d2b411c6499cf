import { Button } from '@blueprintjs/core';
import { FilterIcon, SearchIcon } from '@blueprintjs/icons';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { type ListFilter, NO_FILTER, filtersIn } from './list-filter.ts';
import * as texts from './nothing-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

interface NothingFoundProps {
  filter: ListFilter;
  onChange: (changed: Partial<ListFilter>) => void;
  /** Whether other lists are named that the search may find something in. */
  hasTabs: boolean;
}

/** The button goes with what it clears, before there are alerts that could take its focus. */
const leaveFocus = passFocus(() => document.querySelector('main'));

/** What a list shows when no alert matches its filter. */
export function NothingFound({ filter, onChange, hasTabs }: NothingFoundProps) {
  const search = filter.search ?? filter.q;
  if (search !== undefined) {
    return (
      <EmptyState
        icon={<SearchIcon size={40} />}
        title={texts.noAlertsMatch(inertLine(search))}
        text={texts.searchedHint(hasTabs)}
        action={
          <span ref={leaveFocus}>
            <Button text={texts.clearSearch} onClick={() => onChange({ search: undefined, q: undefined })} />
          </span>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<FilterIcon size={40} />}
      title={nothingFoundTitle(filter)}
      text={texts.nothingInThisListMatches}
      action={
        <span ref={leaveFocus}>
          <Button
            text={filtersIn(filter) > 1 ? pageTexts.clearFilters : texts.clearFilter}
            onClick={() => onChange(NO_FILTER)}
          />
        </span>
      }
    />
  );
}

/** "No critical alerts.", "No alerts for this customer.", "No high alerts from this source.": the first of what is set. */
export function nothingFoundTitle({ customer, alertType, severity, source, status }: ListFilter): string {
  const [only, ...others] = severity ?? [];
  const isOne = only !== undefined && only !== 'none' && others.length === 0;
  const adjective = isOne ? `${SEVERITY_LABELS[only].toLowerCase()} ` : '';
  if (customer !== undefined) return texts.noAlertsForThisCustomer(adjective);
  if (alertType !== undefined) return texts.noAlertsOfThisType(adjective);
  if (source !== undefined) return texts.noAlertsFromThisSource(adjective);
  if (status !== undefined) return texts.noAlertsWithThisStatus(adjective);
  if (isOne) return texts.noAlerts(adjective);
  return only === 'none' ? texts.noAlertsWithoutSeverity : texts.noAlertsOfTheseSeverities;
}
