import { Button, InputGroup } from '@blueprintjs/core';
import { CrossIcon, SearchIcon } from '@blueprintjs/icons';
import { useCallback, useEffect, useReducer } from 'react';
import { MAX_SEARCH_LENGTH } from '#backend/contract/alert.ts';
import { type TypedSearch, applyChange, ask, follow, startTyped, type } from '#renderer/lib/typed-search.ts';
import * as styles from './all-alerts-page.module.css';

/** How long nothing must be typed before the server is asked, in milliseconds. */
const PAUSE_MS = 250;

interface SearchBoxProps {
  /** What is being looked for. */
  search: string;
  onSearch: (search: string) => void;
}

/** Searches by title, customer, URL or payload while it is typed in; Enter searches at once. */
export function SearchBox({ search, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useReducer(applyChange<TypedSearch>, search, startTyped);
  if (typed.search !== search) setTyped((before) => follow(before, search));

  const trimmed = typed.text.trim();
  const lookFor = useCallback(
    (text: string): void => {
      setTyped((before) => ask(before, text));
      onSearch(text);
    },
    [onSearch],
  );
  useEffect(() => {
    if (trimmed === search) return undefined;
    const timer = setTimeout(() => lookFor(trimmed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [trimmed, search, lookFor]);

  return (
    <InputGroup
      className={styles.search}
      type="search"
      leftElement={<SearchIcon className={styles.searchIcon} />}
      {...(typed.text !== '' && {
        rightElement: (
          <Button
            className={styles.searchClear}
            variant="minimal"
            icon={<CrossIcon size={14} />}
            aria-label="Clear the search"
            onClick={() => {
              setTyped((before) => type(before, ''));
              lookFor('');
            }}
          />
        ),
      })}
      placeholder="Search by customer, URL, or payload..."
      aria-label="Search by customer, URL, or payload"
      maxLength={MAX_SEARCH_LENGTH}
      value={typed.text}
      onValueChange={(text) => setTyped((before) => type(before, text))}
      onKeyDown={({ key }) => {
        if (key === 'Enter' && trimmed !== search) lookFor(trimmed);
      }}
    />
  );
}
