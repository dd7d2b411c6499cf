import { countText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';

/** One of a filter's options. */
export interface FilterOption {
  value: string;
  label: string;
  /** How many alerts of the list have it, where that is known. */
  alerts?: number;
}

/** A filter, its options, and what happens when one is chosen. */
export interface FilterMenuProps {
  name: string;
  /** What the field is called that finds an option among many. */
  filterLabel: string;
  options: readonly FilterOption[];
  /** The option that is set; absent means All. */
  value: string | undefined;
  onSelect: (value: string | undefined) => void;
  /** Receives what is typed to find an option, which may bring more options. */
  onType: (text: string) => void;
  /** More options are being looked for. */
  isSearching: boolean;
  /** One of the options is always set: there is no All. */
  isRequired?: boolean;
}

/** The options of a filter. */
export function FilterMenu(props: FilterMenuProps) {
  const { name, filterLabel, options, value, onSelect, onType, isSearching, isRequired = false } = props;
  return (
    <FilteredMenu
      label={name}
      filterLabel={filterLabel}
      onType={onType}
      isSearching={isSearching}
      head={
        isRequired
          ? undefined
          : { key: 'all', name: 'All', text: 'All', isSet: value === undefined, onSelect: () => onSelect(undefined) }
      }
      entries={options.map((option) => ({
        key: option.value,
        name: option.label,
        text: <bdi>{inertLine(option.label)}</bdi>,
        label: option.alerts === undefined ? undefined : countText(option.alerts),
        isSet: option.value === value,
        onSelect: () => onSelect(option.value),
      }))}
    />
  );
}
