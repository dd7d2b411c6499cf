import { Button, InputGroup } from '@blueprintjs/core';
import { CrossIcon, SearchIcon } from '@blueprintjs/icons';
import { useCallback, useEffect, useReducer } from 'react';
import { MAX_SEARCH_LENGTH } from '#backend/contract/alert.ts';
import type { ListFilterState } from '#renderer/alerts/list/list-filter.ts';
import { lookFor, textIn } from '#renderer/alerts/list/saved-filter.ts';
import { type TypedSearch, applyChange, ask, follow, startTyped, type } from '#renderer/lib/typed-search.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './all-alerts-page.module.css';

/** How long nothing must be typed before the server is asked, in milliseconds. */
const PAUSE_MS = 250;

/** Searches by title, customer, URL or payload while it is typed in; Enter searches at once. */
export function SearchBox({ filter, change }: ListFilterState) {
  const search = textIn(filter);
  const [typed, setTyped] = useReducer(applyChange<TypedSearch>, search, startTyped);
  if (typed.search !== search) setTyped((before) => follow(before, search));

  const trimmed = typed.text.trim();
  const submit = useCallback(
    (text: string): void => {
      setTyped((before) => ask(before, text));
      change(lookFor(filter, text));
    },
    [change, filter],
  );
  useEffect(() => {
    if (trimmed === search) return undefined;
    const timer = setTimeout(() => submit(trimmed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [trimmed, search, submit]);

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
            aria-label={pageTexts.clearSearch}
            onClick={() => {
              setTyped((before) => type(before, ''));
              submit('');
            }}
          />
        ),
      })}
      placeholder={texts.searchByCustomerUrlOr}
      aria-label={texts.searchByCustomerUrlOrPayload}
      maxLength={MAX_SEARCH_LENGTH}
      value={typed.text}
      onValueChange={(text) => setTyped((before) => type(before, text))}
      onKeyDown={({ key }) => {
        if (key === 'Enter' && trimmed !== search) submit(trimmed);
      }}
    />
  );
}
