import { Classes, MenuItem, Text } from '@blueprintjs/core';
import { SearchIcon, TickIcon } from '@blueprintjs/icons';
import { type CSSProperties, type ReactElement, type ReactNode, useState } from 'react';
import { Combobox, ComboboxOption, ComboboxOptions, ComboboxSearch } from '#renderer/ui/combobox/combobox.tsx';
import classNames from 'classnames';
import { MenuList } from './menu-list.tsx';
import * as texts from './texts.ts';
import * as styles from './menu.module.css';

/** From so many entries on, a menu has a filter. */
const FILTER_FROM = 8;

/** Most entries that are drawn at once; the filter leads to the others. */
const MOST_DRAWN = 200;

/** An entry of a menu that can be filtered. */
export interface MenuEntry {
  key: string;
  /** What the filter looks at. */
  name: string;
  text: ReactNode;
  /** How it is drawn where the filter has left out entries around it that say what it is; else as always. */
  asFound?: Pick<MenuEntry, 'text' | 'style'>;
  /** What is read of it where it is cut; else its name. */
  title?: string;
  icon?: ReactElement;
  /** Stands at the end. */
  label?: string | undefined;
  /** Whether it is the one of the entries that is set, where one of them is. */
  isSet?: boolean;
  /** Whether the menu stays open when it is chosen. */
  staysOpen?: boolean;
  className?: string;
  style?: CSSProperties;
  onSelect: () => void;
}

interface FilteredMenuProps {
  label: string;
  /** What the filter's field is called. */
  filterLabel: string;
  entries: readonly MenuEntry[];
  /** Stands before the entries while nothing is filtered. */
  head?: MenuEntry | undefined;
  /** Entries of which one alone stands at the end, until it is asked for them. The filter finds them, too. */
  folded?: { name: string; entries: readonly MenuEntry[] } | undefined;
  /** Receives what is typed, where that may bring more entries. */
  onType?: (text: string) => void;
  /** There are more entries than the caller has, which are found by typing. */
  hasMore?: boolean;
  /** More entries are being looked for. */
  isSearching?: boolean;
  /** The entries are what the caller found for what is typed: all are shown, and there is a field however few they are. */
  isFoundByCaller?: boolean;
}

/** A choice of any length: a menu, and from eight entries on a list with a filter, which scrolls from 320 px on. */
export function FilteredMenu(props: FilteredMenuProps) {
  const {
    label,
    filterLabel,
    entries,
    head,
    folded = NOTHING_FOLDED,
    onType,
    hasMore = false,
    isSearching = false,
    isFoundByCaller = false,
  } = props;
  const [text, setText] = useState('');
  const [isUnfolded, setUnfolded] = useState(() => folded.entries.some(({ isSet }) => isSet));
  const wanted = text.trim().toLowerCase();
  const all = [...entries, ...folded.entries];
  const found =
    wanted === ''
      ? [...entries, ...foldOf(folded, isUnfolded, setUnfolded)]
      : all.filter(({ name }) => isFoundByCaller || name.toLowerCase().includes(wanted));
  const drawn = found
    .slice(0, MOST_DRAWN)
    .map((entry) => (wanted === '' ? entry : Object.assign({}, entry, entry.asFound)));
  const shown = [...(head && wanted === '' ? [head] : []), ...drawn];
  const note =
    found.length > MOST_DRAWN
      ? texts.moreToFind(found.length - MOST_DRAWN, hasMore)
      : found.length === 0 && (isSearching ? texts.searching : texts.nothingFound);
  return (
    <div className={styles.filteredMenu}>
      {all.length < FILTER_FROM && !isFoundByCaller ? (
        <MenuList label={label} className={styles.list}>
          {shown.map(({ key, ...entry }) => (
            <EntryItem key={key} entry={entry} />
          ))}
        </MenuList>
      ) : (
        <Combobox text={wanted}>
          <ComboboxSearch
            className={styles.field}
            type="search"
            icon={<SearchIcon size={16} />}
            label={filterLabel}
            placeholder={filterLabel}
            // With nothing typed, Enter would be a slip of the hand.
            autoSelect={wanted !== ''}
            text={text}
            onText={(value) => {
              setText(value);
              onType?.(value);
            }}
          />
          <ComboboxOptions aria-label={label} className={classNames(Classes.MENU, styles.list)}>
            {shown.map(({ key, ...entry }) => (
              <EntryOption key={key} entry={entry} />
            ))}
          </ComboboxOptions>
        </Combobox>
      )}
      {/* Always there: what appears in it is read out. */}
      <output className={note ? styles.note : undefined}>{note}</output>
    </div>
  );
}

const NOTHING_FOLDED = { name: '', entries: [] };

/** What stands at the end: one entry that unfolds the others, and these while it has. */
function foldOf(
  { name, entries }: NonNullable<FilteredMenuProps['folded']>,
  isUnfolded: boolean,
  setUnfolded: (isUnfolded: boolean) => void,
): readonly MenuEntry[] {
  if (entries.length === 0) return [];
  const text = `${name} (${entries.length})`;
  const fold = {
    key: 'folded',
    name: text,
    text,
    label: isUnfolded ? texts.hide : texts.show,
    staysOpen: true,
    onSelect: () => setUnfolded(!isUnfolded),
  };
  return [fold, ...(isUnfolded ? entries : [])];
}

interface EntryProps {
  entry: Omit<MenuEntry, 'key'>;
}

const EntryItem = ({
  entry: { name, title = name, asFound: _asFound, label, isSet, staysOpen = false, onSelect, ...entry },
}: EntryProps) => (
  <MenuItem
    {...entry}
    shouldDismissPopover={!staysOpen}
    {...(label !== undefined && { label })}
    {...(isSet !== undefined && { role: 'menuitemradio', 'aria-checked': isSet })}
    labelElement={isSet ? <TickIcon /> : undefined}
    htmlTitle={title}
    onClick={onSelect}
  />
);

const EntryOption = ({ entry }: EntryProps) => (
  <ComboboxOption
    aria-checked={entry.isSet}
    className={classNames(Classes.MENU_ITEM, !entry.staysOpen && Classes.POPOVER_DISMISS, entry.className)}
    {...(entry.style && { style: entry.style })}
    onClick={entry.onSelect}
  >
    {entry.icon && (
      <span className={Classes.MENU_ITEM_ICON} aria-hidden>
        {entry.icon}
      </span>
    )}
    <Text className={Classes.FILL} ellipsize title={entry.title ?? entry.name}>
      {entry.text}
    </Text>
    {(entry.label !== undefined || entry.isSet) && (
      <span className={Classes.MENU_ITEM_LABEL}>
        {entry.label}
        {entry.isSet && <TickIcon />}
      </span>
    )}
  </ComboboxOption>
);
