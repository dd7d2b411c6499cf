import { InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MAX_QUERY_LENGTH, alertListSchema } from '#backend/contract/alert.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import classNames from 'classnames';
import type { ReactNode } from 'react';
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
}

/** A field of the search language, with how many alerts it finds in it. */
export function CountedSearch({ id, search, placeholder, onChange, count, spoken, isOld }: CountedSearchProps) {
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
        rightElement={
          <span
            className={classNames(styles.count, search.trim() === '' && styles.count_all, isOld && styles.count_old)}
          >
            {count}
          </span>
        }
      />
      <output className="ad-hidden">{announced}</output>
    </>
  );
}
