import { InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MAX_QUERY_LENGTH, alertListSchema } from '#backend/contract/alert.ts';
import { parseSearch } from '#backend/contract/search.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import classNames from 'classnames';
import { type ReactNode, useState } from 'react';
import * as styles from './counted-search.module.css';

/** The count follows so long after the last key, and is announced later, in milliseconds. */
export const COUNT_MS = 150;
const ANNOUNCE_MS = 500;

/** How many alerts a search finds in the last seven days, and the newest of them. */
export const weekQuery = (search: string) => {
  const path = `/api/alerts/all?${new URLSearchParams({ search: `${search} from:7d`.trim() })}`;
  return queryOptions({
    queryKey: ['/api/alerts/all', 'rule', search],
    queryFn: ({ signal }) => apiGetPage(path, alertListSchema, { limit: 5, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
};

/** What was answered last without an error: it stays while the next answer is awaited, and while a search is unfinished. */
export function useLastAnswer<T>({ data, error }: { data: T | undefined; error: unknown }): T | undefined {
  const [last, setLast] = useState(data);
  if (error || data === undefined) return last;
  if (data !== last) setLast(data);
  return data;
}

interface CountedSearchProps {
  id: string;
  search: string;
  placeholder: string;
  onChange: (search: string) => void;
  /** What stands in the field after the search; `spoken` is its text. */
  count: ReactNode;
  spoken: string;
  /** The count is of an earlier search. */
  isOld: boolean;
  /** What stands below the field. */
  hint: ReactNode;
  /** What stands there instead where something is wrong with the search, but not while its last part is being typed. */
  fault: ReactNode;
}

/** Whether nothing is wrong with a search but its last part. */
function isUnfinished(search: string): boolean {
  const { hints } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  return hints.length > 0 && hints.every(({ end }) => end === search.length);
}

/** A field of the search language, with how many alerts it finds in it. */
export function CountedSearch(props: CountedSearchProps) {
  const { id, search, placeholder, onChange, count, spoken, isOld, hint, fault } = props;
  const [isFocused, setFocused] = useState(false);
  const announced = useSettled(spoken, ANNOUNCE_MS);
  return (
    <>
      <InputGroup
        id={id}
        className={styles.search}
        leftElement={<SearchIcon className={styles.searchIcon} />}
        value={search}
        maxLength={MAX_QUERY_LENGTH}
        placeholder={placeholder}
        spellCheck={false}
        onValueChange={onChange}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        rightElement={
          <span
            className={classNames(styles.count, search.trim() === '' && styles.count_all, isOld && styles.count_old)}
          >
            {count}
          </span>
        }
      />
      <output className="ad-hidden">{announced}</output>
      {fault === undefined || (isFocused && isUnfinished(search)) ? hint : fault}
    </>
  );
}
