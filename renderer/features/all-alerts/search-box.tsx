import { Button, InputGroup } from '@blueprintjs/core';
import { CrossIcon, SearchIcon } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '#backend/contract/alert.ts';

/** How long nothing must be typed before the server is asked, in milliseconds. */
const PAUSE_MS = 250;

interface SearchBoxProps {
  /** What is being looked for. */
  search: string;
  onSearch: (search: string) => void;
}

/** Looks while it is typed in (spec.md section 2: by customer, URL, or payload). Enter looks at once. */
export function SearchBox({ search, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState({ text: search, of: search });
  // The address changed by other means than typing, such as clearing the filter.
  if (typed.of !== search) setTyped({ text: typed.text.trim() === search ? typed.text : search, of: search });

  const wanted = typed.text.trim();
  useEffect(() => {
    if (wanted === search) return undefined;
    const timer = setTimeout(() => onSearch(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, search, onSearch]);

  const type = (text: string): void => setTyped({ text, of: search });
  return (
    <InputGroup
      className="ad-all-search"
      type="search"
      leftElement={<SearchIcon className="ad-all-search-icon" />}
      {...(typed.text !== '' && {
        rightElement: (
          <Button
            className="ad-all-search-clear"
            variant="minimal"
            icon={<CrossIcon size={14} />}
            aria-label="Clear the search"
            onClick={() => {
              type('');
              onSearch('');
            }}
          />
        ),
      })}
      placeholder="Search by customer, URL, or payload..."
      aria-label="Search by customer, URL, or payload"
      maxLength={MAX_SEARCH_LENGTH}
      value={typed.text}
      onValueChange={type}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onSearch(wanted);
      }}
    />
  );
}
