import {
  type SearchKey,
  parseSearch,
  tokensOf,
  withoutParts,
  writePart,
  writeValue,
} from '#backend/contract/search.ts';
import { searchOf, splitSearch } from '#renderer/alerts/search/search-text.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import type { ListFilter } from './list-filter.ts';

/** What a list is narrowed to beside its search. */
interface Narrowing extends Partial<Omit<ListFilter, 'sort'>> {
  status?: string | undefined;
  q?: string | undefined;
}

/**
 * A list's whole filter as one search: what its menus are set to stands in the place of the same key, because it is what
 * narrows the list.
 *
 * @param sourceName what the source is called, where that is known
 */
export function searchOfFilter(filter: Narrowing, sourceName?: string): string {
  const { search = '', customer, alertType, severity = [], source, status, q } = filter;
  const chosen: readonly (readonly [SearchKey, readonly string[]])[] = [
    ['customer', customer === undefined ? [] : [customer]],
    ['type', alertType === undefined ? [] : [alertType]],
    ['severity', severity],
    ['source', source === undefined ? [] : [sourceName ?? source]],
    ['status', status === undefined ? [] : [status]],
  ];
  const replaced = new Set(chosen.flatMap(([key, values]) => (values.length > 0 ? [key] : [])));
  const rest = withoutParts(search, tokensOf(search), ({ key }) => key !== undefined && replaced.has(key));
  const parts = chosen.flatMap(([key, values]) => values.map((value) => writePart(key, value)));
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
