import { Button, InputGroup } from '@blueprintjs/core';
import { PlusIcon, SearchIcon } from '@blueprintjs/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { SCREEN_KEYS, useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { noteSearchField } from '#renderer/lib/search-target.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { type Entry, OUTGOING_PAGES } from './entries.tsx';
import { useEntryCounts } from './entry-counts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Filters a list beside the search. */
interface ListFilter<T> {
  tool: ReactNode;
  /** Which rows it shows; undefined where it is not set. */
  shows: ((row: T) => boolean) | undefined;
  clear: () => void;
  /** Said where it leaves nothing. */
  none: string;
}

interface ListPageProps<T> {
  entry: Entry;
  /** All that must be read first. */
  queries: readonly Pick<UseQueryResult, 'error' | 'refetch'>[];
  /** What is listed; undefined until it is read. */
  rows: readonly T[] | undefined;
  /** The noun beside the number. */
  countLabel: ReactNode;
  /** What the search finds a row by. */
  wordsOf: (row: T) => readonly (string | null)[];
  filter?: ListFilter<T>;
  children: (rows: readonly T[]) => ReactNode;
}

/** How long nothing must be typed before the number of rows is announced, in milliseconds. */
const ANNOUNCE_MS = 500;

/** A tab of the pages about what goes out, with a list that may be empty, not yet there, or not to be read. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { entry, queries, rows, countLabel, wordsOf, filter, children } = props;
  const [search, setSearch] = useState('');
  const navigate = useNavigate();
  const counts = useEntryCounts();
  const words = search.trim().toLowerCase();
  const isFound = (row: T): boolean => wordsOf(row).some((text) => text?.toLowerCase().includes(words) === true);
  const shown = rows?.filter((row) => (filter?.shows?.(row) ?? true) && (words === '' || isFound(row)));
  const isNarrowed = words !== '' || filter?.shows !== undefined;
  const announced = useSettled(
    isNarrowed && shown && rows ? texts.shownOf(shown.length, rows.length) : '',
    ANNOUNCE_MS,
  );
  const add = (): void => void navigate(entry.pathOf('new'));
  useScreenKey('add', add);
  const clear = (): void => {
    setSearch('');
    filter?.clear();
  };
  const isEmpty = rows?.length === 0;
  const error = queries.find((query) => query.error !== null)?.error;
  const addButton = (
    <Button
      className={pageHeadStyles.action}
      intent="primary"
      icon={<PlusIcon />}
      text={entry.add}
      aria-keyshortcuts={SCREEN_KEYS.add.key.toUpperCase()}
      onClick={add}
    />
  );
  return (
    <HoverTip className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead title={pageTexts.outgoing} parent={ADMIN_PANEL} count={rows?.length} countLabel={countLabel}>
        {!isEmpty && (
          <>
            <InputGroup
              className={styles.listSearch}
              type="search"
              inputRef={noteSearchField}
              leftElement={<SearchIcon className={styles.fieldIcon} />}
              placeholder={entry.search}
              aria-label={entry.search}
              aria-keyshortcuts="/"
              value={search}
              onValueChange={setSearch}
            />
            {filter?.tool}
            <span className={filterButtonStyles.rule} />
            {addButton}
          </>
        )}
      </PageHead>
      <PageTabs
        isFirst
        label={pageTexts.outgoing}
        tabs={OUTGOING_PAGES.map(({ to, title }) => ({ to, title, count: counts[to] }))}
      />
      <output className="ad-hidden">{announced}</output>
      <div className={panelStyles.pageBody}>
        {shown && isEmpty ? (
          <EmptyState icon={entry.icon} title={entry.empty} text={entry.emptyHint} action={addButton} />
        ) : shown?.length === 0 ? (
          <EmptyState
            icon={<SearchIcon size={40} />}
            title={words === '' && filter ? filter.none : texts.nothingMatches(search.trim())}
            text={entry.searchHint}
            action={<Button text={pageTexts.clearSearch} onClick={clear} />}
          />
        ) : shown ? (
          children(shown)
        ) : error ? (
          <LoadError
            what={entry.list}
            error={error}
            onRetry={() => void Promise.all(queries.map(({ refetch }) => refetch()))}
          />
        ) : (
          <RowsSkeleton label={entry.listInText} isSheet />
        )}
      </div>
    </HoverTip>
  );
}
