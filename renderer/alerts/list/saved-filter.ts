import { useCallback } from 'react';
import {
  type SearchToken,
  parseSearch,
  tokensOf,
  withoutParts,
  writePart,
  writeValue,
} from '#backend/contract/search.ts';
import { useFacets } from '#renderer/alerts/data/facets.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { searchOf, splitSearch } from '#renderer/alerts/search/search-text.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { MENU_KEYS, type Narrowing, setIn, tokensIn, without } from './filter-values.ts';
import { type ListFilter, type ListFilterState, NO_FILTER, useListFilter } from './list-filter.ts';

/**
 * A list's whole filter as one search: what its menus are set to stands in the place of the same key, because it is what
 * narrows the list.
 *
 * @param sourceName what the source is called, where that is known
 */
export function searchOfFilter(filter: Narrowing, sourceName?: string): string {
  const { search = '', source, q } = filter;
  const named = source === undefined ? filter : { ...filter, source: sourceName ?? source };
  const replaced = MENU_KEYS.filter((key) => setIn(filter, key).length > 0);
  const rest = withoutParts(search, tokensOf(search), ({ key }) => replaced.some((one) => one === key));
  const parts = replaced.flatMap((key) => setIn(named, key).map((value) => writePart(key, value)));
  return sameSearch([...parts, rest, ...(q === undefined ? [] : [quoted(q)])].join(' '));
}

/** A text that stands for itself, also where it looks like a key. */
const quoted = (text: string): string => {
  const value = writeValue(text);
  return value.startsWith('"') || !text.includes(':') ? value : `"${text}"`;
};

/** A search as the field writes it: keys first, single blanks. Searches that mean the same way are written the same. */
export const sameSearch = (search: string): string => searchOf(splitSearch(search));

/** The sentence about the first part of a search that is not understood. */
export const searchProblem = (search: string): string | undefined =>
  parseSearch(search, { now: Date.now(), timeZone: timeZoneHere() }).hints[0]?.message;

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

/** The whole filter of the list on screen as one search, which the search field reads and writes. */
export function useSearchedFilter(
  list: Pick<AlertListView, 'list' | 'folderId'>,
): ListFilterState & { search: string; changeSearch: (text: string) => void } {
  const { filter, change } = useListFilter();
  const { source } = filter;
  const { sources = [] } = useFacets(list, source !== undefined).data ?? {};
  const name = sources.find(({ id }) => id === source)?.name;
  // A source whose name is not known cannot be written, and stays as it is.
  const kept = name === undefined ? source : undefined;
  const changeSearch = useCallback(
    (text: string) => change({ ...NO_FILTER, source: kept, search: text === '' ? undefined : text }),
    [change, kept],
  );
  const search = searchOfFilter({ ...filter, source: name === undefined ? undefined : source }, name);
  return { filter, change, search, changeSearch };
}
