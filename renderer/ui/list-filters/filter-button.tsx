import { Button, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { CaretDownIcon, TickIcon } from '@blueprintjs/icons';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';

interface FilterButtonProps {
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

/** A filter of a list as a button that reads "Customer All" and opens its options (tokens.md, "Frame"). */
export function FilterButton({ name, filterLabel, options, value, onSelect, onType, isSearching }: FilterButtonProps) {
  // What is set stays on offer when no alert of the list has it any more.
  const offered = value === undefined || options.includes(value) ? options : [value, ...options];
  return (
    <PopoverNext
      className="ad-filter-target"
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.MENU}
      shouldReturnFocusOnClose
      onOpening={focusMenu}
      onClosed={() => onType('')}
      content={
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
      }
    >
      <Button className={`ad-filter${value === undefined ? '' : ' ad-filter--set'}`} endIcon={<CaretDownIcon />}>
        <span className="ad-filter-name">{name}</span>
        <span className="ad-filter-value">
          <bdi>{value === undefined ? 'All' : inertLine(value)}</bdi>
        </span>
      </Button>
    </PopoverNext>
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
