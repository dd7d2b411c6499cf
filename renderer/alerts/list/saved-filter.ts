import { useCallback, useMemo } from 'react';
import { useMatch } from 'react-router-dom';
import {
  type SearchToken,
  parseSearch,
  tokensOf,
  withoutParts,
  writePart,
  writeText,
} from '#backend/contract/search.ts';
import { completionOfView } from '#backend/contract/view-completion.ts';
import { useFacets } from '#renderer/alerts/data/facets.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { searchOf, splitSearch } from '#renderer/alerts/search/search-text.ts';
import { clockHere } from '#renderer/lib/clock.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { MENU_KEYS, type Narrowing, setIn, tokensIn, without } from './filter-values.ts';
import { type ListFilter, type ListFilterState, NO_FILTER, useOrderedFilter } from './list-filter.ts';

/**
 * A list's whole filter as one search: what its menus are set to stands in the place of the same key, because it is what
 * narrows the list.
 *
 * @param sourceName the name by which a search finds the source, where it has one ({@link useSourceName}); else its id stands there
 */
export function searchOfFilter(filter: Narrowing, sourceName?: string): string {
  const { search = '', source, q } = filter;
  const named = source === undefined ? filter : { ...filter, source: sourceName ?? source };
  const replaced = MENU_KEYS.filter((key) => setIn(filter, key).length > 0);
  const rest = withoutParts(search, tokensOf(search), ({ key }) => replaced.some((one) => one === key));
  const parts = replaced.flatMap((key) => setIn(named, key).map((value) => writePart(key, value)));
  return sameSearch([...parts, rest, ...(q === undefined ? [] : [writeText(q)])].join(' '));
}

/** A search as the field writes it: keys first, single blanks. Searches that mean the same way are written the same. */
export const sameSearch = (search: string): string => searchOf(splitSearch(search));

/** The sentence about the first part of a search that is not understood. */
export const searchProblem = (search: string): string | undefined => parseSearch(search, clockHere).hints[0]?.message;

const isText = ({ key }: SearchToken): boolean => key === undefined;

/** The text that is looked for, without keys. */
export function textIn(filter: ListFilter): string {
  const { q, search = '' } = filter;
  return (
    q ??
    tokensIn(filter, isText)
      .map(({ start, end }) => search.slice(start, end))
      .join(' ')
  );
}

/** The change that looks for one text, instead of whatever text the search has. */
export const lookFor = (filter: ListFilter, text: string): Narrowing => ({
  q: text === '' ? undefined : text,
  ...without(filter, isText),
});

/** The name by which a search finds a source of a list; undefined for one that was deleted, or is not known. */
export function useSourceName(
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>,
  source: string | undefined,
): string | undefined {
  const { sources = [] } = useFacets(list, source !== undefined).data ?? {};
  return sources.find(({ id, isDeleted }) => id === source && isDeleted !== true)?.name;
}

type ListName = Pick<AlertListView, 'list' | 'folderId' | 'completion'>;

/**
 * The whole filter of the list on screen as one search, which the search field reads and writes, and the list as its page has
 * it: of My Alerts and of a folder what is open.
 */
export function useSearchedFilter({ list, folderId }: Pick<AlertListView, 'list' | 'folderId'>): ListFilterState & {
  list: ListName;
  search: string;
  changeSearch: (text: string) => void;
} {
  const { filter, change } = useOrderedFilter({ list, folderId });
  const isView = useMatch(PATHS.view) !== null;
  const named = isView ? searchOfFilter(filter) : '';
  const completion = list === 'folder' || (list === 'mine' && completionOfView(list, named)) ? 'open' : undefined;
  const onScreen = useMemo(() => ({ list, folderId, completion }) as const, [list, folderId, completion]);
  const { source } = filter;
  const name = useSourceName(onScreen, source);
  // A source without a name that finds it stays as it is, beside what is typed.
  const kept = name === undefined ? source : undefined;
  const changeSearch = useCallback(
    (text: string) => change({ ...NO_FILTER, source: kept, search: text === '' ? undefined : text }),
    [change, kept],
  );
  const search = searchOfFilter({ ...filter, source: name === undefined ? undefined : source }, name);
  return { list: onScreen, filter, change, search, changeSearch };
}
