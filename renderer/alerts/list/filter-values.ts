import type { AlertSeverity, AlertStatus } from '#backend/contract/alert.ts';
import { type SearchKey, type SearchToken, tokensOf, withoutParts } from '#backend/contract/search.ts';
import { inRank } from '#renderer/alerts/data/list-view.ts';
import type { ListFilter } from './list-filter.ts';

/** The keys of a search that have a menu, and the part of the filter that the menu sets. */
const FIELDS = {
  customer: 'customer',
  type: 'alertType',
  severity: 'severity',
  source: 'source',
  status: 'status',
} as const satisfies Partial<Record<SearchKey, keyof ListFilter>>;

/** A key with a menu. */
export type MenuKey = keyof typeof FIELDS;
export const MENU_KEYS = Object.keys(FIELDS) as MenuKey[];

/** A part of what a list is narrowed to. */
export type Narrowing = Partial<Omit<ListFilter, 'sort'>>;

/** The values of a key that its menu is set to. */
export const setIn = (filter: Narrowing, key: MenuKey): readonly string[] => [filter[FIELDS[key]] ?? []].flat();

/** The values that the list is narrowed to by a menu or, where that is not set, by the parts of the search with its key. */
export function chosenBy(filter: ListFilter, key: MenuKey): readonly string[] {
  const set = setIn(filter, key);
  return set.length > 0 ? set : tokensIn(filter, (token) => token.key === key).map(({ value }) => value);
}

/** The severities that the list is narrowed to, by menu or search. */
export const severitiesIn = (filter: ListFilter): AlertSeverity[] =>
  inRank(chosenBy(filter, 'severity') as AlertSeverity[]);

/** The change that has a menu narrow the list, instead of whatever part of the search has its key. */
export function choose(filter: ListFilter, key: MenuKey, value: string | readonly string[] | undefined): Narrowing {
  return {
    [FIELDS[key]]: value as AlertStatus & readonly AlertSeverity[],
    ...without(filter, (token) => token.key === key),
  };
}

/** The parts of the search that no menu of the list shows. */
export const chipsIn = (filter: ListFilter, shown: readonly MenuKey[]): readonly SearchToken[] =>
  tokensIn(filter, ({ key }) => shown.every((one) => one !== key || setIn(filter, one).length > 0));

/** The change that takes parts out of the search. */
export function without({ search }: ListFilter, isOut: (token: SearchToken) => boolean): Pick<Narrowing, 'search'> {
  if (search === undefined) return {};
  return { search: withoutParts(search, tokensOf(search), isOut) || undefined };
}

/** The parts of the search that have a value, as far as they are wanted. */
export const tokensIn = ({ search = '' }: ListFilter, isWanted: (token: SearchToken) => boolean): SearchToken[] =>
  tokensOf(search).filter((token) => token.value.trim() !== '' && isWanted(token));
