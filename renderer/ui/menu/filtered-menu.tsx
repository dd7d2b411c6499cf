import { InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { MenuList } from './menu-list.tsx';
import { itemsOf } from './use-menu-keys.ts';
import * as styles from './menu.module.css';

/** From so many entries on, a menu has a filter. */
const FILTER_FROM = 8;

/** Most entries that are drawn at once; the filter leads to the others. */
const MOST_DRAWN = 500;

/** An entry of a menu that can be filtered. */
export interface MenuEntry {
  key: string;
  /** What the filter looks at. */
  name: string;
  item: ReactNode;
}

interface FilteredMenuProps {
  label: string;
  /** What the filter's field is called. */
  filterLabel: string;
  entries: readonly MenuEntry[];
  /** Stands before the entries while nothing is filtered. */
  head?: ReactNode;
  /** Receives what is typed, where that may bring more entries. */
  onType?: (text: string) => void;
  /** More entries are being looked for. */
  isSearching?: boolean;
}

/** A menu of any length: scrolling from 320 px on, with a filter from eight entries on. */
export function FilteredMenu({ label, filterLabel, entries, head, onType, isSearching = false }: FilteredMenuProps) {
  const [text, setText] = useState('');
  const menu = useRef<HTMLUListElement>(null);
  const wanted = text.trim().toLowerCase();
  const found = wanted === '' ? entries : entries.filter(({ name }) => name.toLowerCase().includes(wanted));
  const hasFilter = entries.length >= FILTER_FROM;

  const intoMenu = (event: KeyboardEvent<HTMLInputElement>): void => {
    const first = itemsOf(menu.current)[0];
    if (!first || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return;
    event.preventDefault();
    // Enter takes the first that was found; with nothing typed it would be a slip of the hand.
    if (event.key === 'ArrowDown') first.focus();
    else if (wanted !== '') first.click();
  };
  return (
    <div className={styles.filteredMenu}>
      {hasFilter && (
        <InputGroup
          className={styles.field}
          type="search"
          leftElement={
            <span className={styles.icon}>
              <SearchIcon size={16} />
            </span>
          }
          placeholder={filterLabel}
          aria-label={filterLabel}
          value={text}
          onValueChange={(value) => {
            setText(value);
            onType?.(value);
          }}
          onKeyDown={intoMenu}
        />
      )}
      <MenuList ref={menu} label={label} className={styles.list}>
        {wanted === '' && head}
        {found.slice(0, MOST_DRAWN).map(({ key, item }) => (
          <MenuRow key={key}>{item}</MenuRow>
        ))}
      </MenuList>
      {(found.length === 0 || found.length > MOST_DRAWN) && (
        <p className={styles.note}>
          {found.length === 0
            ? isSearching
              ? 'Searching…'
              : 'Nothing found'
            : `${found.length - MOST_DRAWN} more, type to find them`}
        </p>
      )}
    </div>
  );
}

/** Holds a row's key. */
const MenuRow = ({ children }: { children: ReactNode }) => children;
