import { MenuItem } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';

/** A filter, its options, and what happens when one is chosen. */
export interface FilterMenuProps {
  name: string;
  /** What the field is called that finds an option among many. */
  filterLabel: string;
  options: readonly string[];
  /** The option that is set; absent means All. */
  value: string | undefined;
  onSelect: (value: string | undefined) => void;
  /** Receives what is typed to find an option, which may bring more options. */
  onType: (text: string) => void;
  /** More options are being looked for. */
  isSearching: boolean;
}

/** The options of a filter. */
export function FilterMenu({ name, filterLabel, options, value, onSelect, onType, isSearching }: FilterMenuProps) {
  // What is set stays on offer when no alert of the list has it any more.
  const offered = value === undefined || options.includes(value) ? options : [value, ...options];
  return (
    <FilteredMenu
      label={name}
      filterLabel={filterLabel}
      onType={onType}
      isSearching={isSearching}
      head={<Option key="all" text="All" isSet={value === undefined} onSelect={() => onSelect(undefined)} />}
      entries={offered.map((option) => ({
        key: option,
        name: option,
        item: <Option text={inertLine(option)} isSet={option === value} onSelect={() => onSelect(option)} />,
      }))}
    />
  );
}

function Option({ text, isSet, onSelect }: { text: string; isSet: boolean; onSelect: () => void }) {
  return (
    <MenuItem
      role="menuitemradio"
      aria-checked={isSet}
      text={<bdi>{text}</bdi>}
      labelElement={isSet ? <TickIcon /> : undefined}
      onClick={onSelect}
    />
  );
}
