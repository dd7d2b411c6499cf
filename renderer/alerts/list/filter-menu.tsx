import { countText } from '#backend/contract/count-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FilteredMenu, type MenuEntry } from '#renderer/ui/menu/filtered-menu.tsx';
import { type FilterOption, isOption } from './filter-options.ts';
import * as texts from './filter-texts.ts';

/** A filter, its options, and what happens when one is chosen. */
export interface FilterMenuProps {
  name: string;
  /** What the field is called that finds an option among many. */
  filterLabel: string;
  options: readonly FilterOption[];
  /** The options that are set, whatever their case; none means All. A search may name several. */
  values: readonly string[];
  onSelect: (value: string | undefined) => void;
  /** Receives what is typed to find an option, which may bring more options. */
  onType: (text: string) => void;
  /** There are more options than these. */
  hasMore?: boolean;
  /** More options are being looked for. */
  isSearching: boolean;
}

/** The options of a filter. */
export function FilterMenu(props: FilterMenuProps) {
  const { name, filterLabel, options, values, onSelect, onType, hasMore = false, isSearching } = props;
  const entryOf = (option: FilterOption): MenuEntry => ({
    key: option.value,
    name: option.label,
    text: <bdi>{inertLine(option.label)}</bdi>,
    label: option.alerts === undefined ? undefined : countText(option.alerts),
    isSet: values.some((value) => isOption(option, value)),
    onSelect: () => onSelect(option.value),
  });
  return (
    <FilteredMenu
      label={name}
      filterLabel={filterLabel}
      onType={onType}
      hasMore={hasMore}
      isSearching={isSearching}
      head={{
        key: 'all',
        name: texts.all,
        text: texts.all,
        isSet: values.length === 0,
        onSelect: () => onSelect(undefined),
      }}
      entries={options.filter(({ isDeleted }) => !isDeleted).map(entryOf)}
      folded={{ name: texts.deleted, entries: options.filter(({ isDeleted }) => isDeleted).map(entryOf) }}
    />
  );
}
