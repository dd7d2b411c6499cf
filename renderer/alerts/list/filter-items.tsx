import { Button } from '@blueprintjs/core';
import { SmallCrossIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { type ReactNode, Suspense } from 'react';
import { type AlertFacets, type AlertSeverity, type AlertSort, alertSortSchema } from '#backend/contract/alert.ts';
import type { SearchToken } from '#backend/contract/search.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { timeMeaning } from '#renderer/alerts/search/typed-parts.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { FilterButton, FilterLabel } from '#renderer/ui/filter-button/filter-button.tsx';
import type { FilterMenuProps } from './filter-menu.tsx';
import { type FilterOption, chosenText, type useFilterOptions } from './filter-options.ts';
import type { ListFilterState } from './list-filter.ts';
import { type MenuKey, chipsIn, choose, severitiesIn, without } from './filter-values.ts';
import * as texts from './filter-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as styles from './filter-bar.module.css';

// The inbox has none.
const Segments = lazyWithRetry(async () => (await import('./segments.tsx')).Segments, 'report');

/** A part of a filter bar. */
export interface FilterItem {
  key: string;
  /** Whether it narrows the list. */
  isSet: boolean;
  node: ReactNode;
}

interface FilterItemsOptions extends ListFilterState {
  options: ReturnType<typeof useFilterOptions>;
  /** Whether the list has alerts of every status, which are then chosen by buttons. */
  isAll: boolean;
  /** Whether parts of the search that have no menu are shown, too. */
  hasChips: boolean;
}

/** The filters of a list and its order, each only where it has options or is set. They show and change one state. */
export function filterItems({ filter, change, options, isAll, hasChips }: FilterItemsOptions): FilterItem[] {
  const { chosen, customers, types, severities, sources, statuses, sorts, typing, incomplete, refresh } = options;
  const named = (key: MenuKey, name: string, of: readonly FilterOption[], plural: string): FilterItem[] =>
    of.length === 0
      ? []
      : [
          {
            key,
            isSet: chosen[key].length > 0,
            node: (
              <NameFilter
                {...typing}
                hasMore={incomplete.some((kind) => KEYS[kind] === key)}
                name={name}
                filterLabel={texts.filterValues(plural)}
                options={of}
                values={chosen[key]}
                onSelect={(value) => change(choose(filter, key, value))}
                onOpened={key === 'source' ? refresh : undefined}
              />
            ),
          },
        ];
  const bySeverity = severities && {
    key: 'severity',
    isSet: chosen.severity.length > 0,
    node: (
      <FilterButton
        isSet={chosen.severity.length > 0}
        load={loadSeverities}
        onOpened={refresh}
        content={{
          counts: severities,
          value: chosen.severity.length > 0 ? severitiesIn(filter) : undefined,
          onSelect: (severity: readonly AlertSeverity[] | undefined) => change(choose(filter, 'severity', severity)),
        }}
        onClear={() => change(choose(filter, 'severity', undefined))}
        clearLabel={texts.clearSeverity}
      >
        <FilterLabel name="Severity" value={severityText(severitiesIn(filter))} />
      </FilterButton>
    ),
  };
  const chips = hasChips ? chipsIn(filter, statuses.length > 0 ? ALL_KEYS : LISTED_KEYS) : [];
  const byStatus = isAll && {
    key: 'status',
    isSet: chosen.status.length > 0,
    node: (
      <Suspense>
        <Segments
          label={pageTexts.status}
          options={[{ value: ALL, label: texts.all }, ...statuses]}
          value={chosen.status.length > 1 ? '' : (chosen.status[0] ?? ALL)}
          onChange={(value) => change(choose(filter, 'status', value === ALL ? undefined : value))}
        />
      </Suspense>
    ),
  };
  return [
    ...(byStatus ? [byStatus] : named('status', 'Status', statuses, 'statuses')),
    ...(bySeverity ? [bySeverity] : []),
    ...named('customer', 'Customer', customers, 'customers'),
    ...named('type', 'Type', types, 'types'),
    ...named('source', 'Source', sources, 'sources'),
    ...chips.map((token) => ({
      key: `chip-${token.start}`,
      isSet: true,
      node: <Chip token={token} onRemove={() => change(without(filter, ({ start }) => start === token.start))} />,
    })),
    ...(sorts.length < 2
      ? []
      : [
          {
            key: 'sort',
            isSet: false,
            node: (
              <>
                <span className={filterButtonStyles.rule} aria-hidden />
                <Sort options={sorts} sort={filter.sort} onChange={(sort) => change({ sort })} />
              </>
            ),
          },
        ]),
  ];
}

/** The filter of what there may be more of than is on offer. */
const KEYS: Record<NonNullable<AlertFacets['incomplete']>[number], MenuKey> = {
  customers: 'customer',
  alertTypes: 'type',
  sources: 'source',
};

const ALL = 'all';
const LISTED_KEYS = ['customer', 'type', 'severity', 'source'] as const;
const ALL_KEYS = [...LISTED_KEYS, 'status'] as const;

interface SortProps {
  options: readonly FilterOption[];
  sort: AlertSort;
  onChange: (sort: AlertSort) => void;
}

/** Of two orders a click takes the other; more are buttons side by side. */
function Sort({ options, sort, onChange }: SortProps) {
  const value = options.some((option) => option.value === sort) ? sort : 'newest';
  const select = (chosen: string | undefined): void => onChange(alertSortSchema.parse(chosen));
  const other = options.find((option) => option.value !== value);
  if (options.length > 2 || !other) {
    return (
      <Suspense>
        <Segments label={texts.sort} options={options} value={value} onChange={select} />
      </Suspense>
    );
  }
  return (
    <Button
      className={classNames(filterButtonStyles.filter, value !== 'newest' && filterButtonStyles.filter_set)}
      data-tip={texts.sortBy(other.label)}
      onClick={() => select(other.value)}
    >
      <FilterLabel name="Sort" value={chosenText(options, [value])} />
    </Button>
  );
}

/** "All", "Critical", "Critical, High", or how many. */
function severityText(severities: readonly AlertSeverity[]): string {
  if (severities.length === 0) return texts.all;
  if (severities.length > 2) return texts.severitiesChosen(severities.length);
  return severities.map((one) => (one === 'none' ? texts.none : SEVERITY_LABELS[one])).join(', ');
}

const loadMenu = async () => (await import('./filter-menu.tsx')).FilterMenu;
const loadSeverities = async () => (await import('./severity-menu.tsx')).SeverityMenu;

/** A filter of which one option is chosen. */
function NameFilter({ onOpened, ...filter }: FilterMenuProps & { onOpened?: (() => void) | undefined }) {
  const { name, options, values, onType, onSelect } = filter;
  const shown = chosenText(options, values);
  return (
    <FilterButton
      isSet={shown !== undefined}
      load={loadMenu}
      content={filter}
      onClosed={() => onType('')}
      {...(onOpened && { onOpened })}
      onClear={() => onSelect(undefined)}
      clearLabel={texts.clearOne(name)}
    >
      <FilterLabel name={name} value={shown === undefined ? 'All' : inertLine(shown)} />
    </FilterButton>
  );
}

/** A part of the search that has no menu: a key with its value, of a time what it means now, or a word. */
function Chip({ token: { key, value, isQuoted }, onRemove }: { token: SearchToken; onRemove: () => void }) {
  const shown = inertLine(value);
  const text = key === undefined && isQuoted ? `“${shown}”` : shown;
  const meaning = useNow((now) => timeMeaning(key, value, now));
  return (
    <span className={styles.chip} title={meaning && `${key}: ${text}`}>
      <span className={classNames(styles.chipText, meaning && styles.chipText_time)}>
        {key !== undefined && `${key}${meaning ? ' ' : ': '}`}
        <bdi>{meaning ?? text}</bdi>
      </span>
      <Button
        variant="minimal"
        size="small"
        icon={<SmallCrossIcon />}
        aria-label={texts.removeOne(key === undefined ? text : `${key}: ${text}`)}
        onClick={onRemove}
      />
    </span>
  );
}
