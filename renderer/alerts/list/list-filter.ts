import { useSetAtom } from 'jotai';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router-dom';
import {
  type AlertSeverity,
  type AlertSort,
  MAX_SEARCH_LENGTH,
  alertSeveritySchema,
  alertSortSchema,
  alertStatusSchema,
} from '#backend/contract/alert.ts';
import { isSourceId } from '#backend/contract/search.ts';
import { type AlertListView, inRank } from '#renderer/alerts/data/list-view.ts';
import { searchIn } from '#renderer/alerts/search/search-text.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { rememberSearchAtom } from '#renderer/lib/screen-memory.ts';
import { useListOrder } from '#renderer/session/list-orders.ts';

/** A list without filters; its order stays. */
export const NO_FILTER = {
  customer: undefined,
  alertType: undefined,
  status: undefined,
  /** Any of these, highest first; never empty. */
  severity: undefined,
  /** Id of a source. */
  source: undefined,
  /** One text as it stands. */
  q: undefined,
  /** Words and keys that are looked for, all of them understood. */
  search: undefined,
} as const;

type Narrowing = keyof typeof NO_FILTER;

/** What a list is narrowed to, as the server is asked for it, and its order. Absent filters mean All. */
export type ListFilter = { [Name in Narrowing]: AlertListView[Name] } & { sort: AlertSort };

/** How many filters are set. */
export const filtersIn = (filter: ListFilter): number =>
  (Object.keys(NO_FILTER) as Narrowing[]).filter((name) => filter[name] !== undefined).length;

/** A list as it is filtered, which is what the server is asked for. Days of a search are those of the time zone here. */
export const filteredView = (
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>,
  { sort, ...narrowed }: ListFilter,
  sorts: readonly AlertSort[],
): AlertListView => ({
  ...list,
  ...narrowed,
  ...(narrowed.search !== undefined && { timeZone: timeZoneHere() }),
  ...(sorts.includes(sort) && { sort }),
});

/** The longest name that the server filters by. */
const LONGEST = 200;

/** What a list is narrowed to, and what changes it. */
export interface ListFilterState {
  filter: ListFilter;
  change: (changed: Partial<ListFilter>) => void;
}

/**
 * The filter and order of the list on screen. The address is the only place that has them, so that they survive going away
 * and back, a reload and being sent to somebody else. What shows them follows a change at once, not in a transition: more
 * may be typed or chosen right after.
 *
 * @param usual the order where the address names none
 */
export function useListFilter(usual: AlertSort = 'newest'): ListFilterState {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const filter = useMemo(() => filterIn(new URLSearchParams(search), usual), [search, usual]);
  const change = useCallback(
    (changed: Partial<ListFilter>) => {
      const next = String(changedParams(new URLSearchParams(search), changed));
      void navigate({ pathname, search: next }, { replace: true, flushSync: true });
    },
    [navigate, pathname, search],
  );
  return { filter, change };
}

/** What the order of a list, and whether its completed alerts are shown, is remembered by. */
export const orderName = ({ list, folderId }: Pick<AlertListView, 'list' | 'folderId'>): string =>
  folderId === undefined ? list : `${list}/${folderId}`;

/** The filter of the list on screen, without an order in the address as its member sorts it, and what remembers an order. */
export function useOrderedFilter(
  list: Pick<AlertListView, 'list' | 'folderId'>,
): ListFilterState & Pick<ReturnType<typeof useListOrder>, 'remember'> {
  // A view has the order that it was saved with.
  const isView = useMatch(PATHS.view) !== null;
  const { order, remember } = useListOrder(isView ? undefined : orderName(list));
  return { ...useListFilter(order), remember };
}

/** Has links to the list on screen lead to it as it is filtered. */
export function useRememberFilter(): void {
  const { pathname, search } = useLocation();
  const remember = useSetAtom(rememberSearchAtom);
  useEffect(() => remember(pathname, search), [remember, pathname, search]);
}

/** The filter and order that an address names, else the `usual` order; what the server would refuse is left out. */
export function filterIn(params: URLSearchParams, usual: AlertSort = 'newest'): ListFilter {
  const severity = inRank(params.getAll('severity') as AlertSeverity[]);
  const source = params.get('source');
  const q = params.get('q')?.trim().slice(0, MAX_SEARCH_LENGTH) ?? '';
  return {
    customer: nameIn(params, 'customer'),
    alertType: nameIn(params, 'alertType'),
    status: alertStatusSchema.safeParse(params.get('status')).data,
    severity: severity.length === 0 || severity.length === alertSeveritySchema.options.length ? undefined : severity,
    source: source !== null && isSourceId(source) ? source : undefined,
    q: q === '' ? undefined : q,
    search: searchIn(params),
    sort: alertSortSchema.safeParse(params.get('sort')).data ?? usual,
  };
}

function nameIn(params: URLSearchParams, name: 'customer' | 'alertType'): string | undefined {
  const value = params.get(name);
  return value === null || value === '' || value.length > LONGEST ? undefined : value;
}

/** An address with some filters changed; what is absent or usual is not written down. */
export function changedParams(
  params: URLSearchParams,
  changed: Record<string, string | readonly string[] | undefined>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changed)) {
    next.delete(name);
    for (const one of [value ?? []].flat())
      if (one !== '' && !(name === 'sort' && one === 'newest')) next.append(name, one);
  }
  return next;
}
