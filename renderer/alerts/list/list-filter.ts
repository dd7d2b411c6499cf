import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { type AlertSeverity, type AlertSort, alertSeveritySchema, alertSortSchema } from '#backend/contract/alert.ts';
import { searchIn } from '#renderer/alerts/search/search-text.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { inRank } from '#renderer/alerts/data/list-view.ts';
import { rememberSearchAtom } from '#renderer/lib/screen-memory.ts';

/** What a list is narrowed to, and its order. Absent filters mean All. */
export interface ListFilter {
  customer: string | undefined;
  alertType: string | undefined;
  /** Any of these, highest first; never empty. */
  severity: readonly AlertSeverity[] | undefined;
  /** Id of a source. */
  source: string | undefined;
  /** Words and keys that are looked for, all of them understood. */
  search: string | undefined;
  sort: AlertSort;
}

/** A list without filters; its order stays. */
export const NO_FILTER = {
  customer: undefined,
  alertType: undefined,
  severity: undefined,
  source: undefined,
  search: undefined,
} as const;

/** How many filters are set. */
export const filtersIn = (filter: ListFilter): number =>
  [filter.customer, filter.alertType, filter.severity, filter.source, filter.search].filter(
    (value) => value !== undefined,
  ).length;

/** The time zone that the days of a search are meant in, where there is a search. */
export const inZone = ({ search }: Pick<ListFilter, 'search'>): { timeZone?: string } =>
  search === undefined ? {} : { timeZone: timeZoneHere() };

/** The longest name that the server filters by. */
const LONGEST = 200;

const SOURCE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * What was asked to be looked for at an address, until the address changes: screens follow an address in a transition,
 * during which more may be typed.
 */
const askedSearchAtom = atom<{ address: string; search: string | undefined } | undefined>(undefined);

function useListAddress(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}

/** What the list on screen is searched for, at once when it is asked for. */
export function useAskedSearch(): string | undefined {
  const address = useListAddress();
  const [params] = useSearchParams();
  const asked = useAtomValue(askedSearchAtom);
  return asked?.address === address ? asked.search : searchIn(params);
}

/**
 * The filter and order of the list on screen. They are kept in the address, so that they survive going away and back, a
 * reload and being sent to somebody else.
 */
export function useListFilter(): { filter: ListFilter; change: (changed: Partial<ListFilter>) => void } {
  const [params, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const remember = useSetAtom(rememberSearchAtom);
  useEffect(() => remember(pathname, search), [remember, pathname, search]);

  const filter = useMemo(() => filterIn(params), [params]);
  const address = useListAddress();
  const askSearch = useSetAtom(askedSearchAtom);
  useEffect(() => askSearch((asked) => (asked?.address === address ? asked : undefined)), [askSearch, address]);
  const change = useCallback(
    (changed: Partial<ListFilter>) => {
      if ('search' in changed) askSearch({ address, search: changed.search });
      setParams((now) => changedParams(now, changed), { replace: true });
    },
    [setParams, askSearch, address],
  );
  return { filter, change };
}

/** The filter and order that an address names; what the server would refuse is left out. */
export function filterIn(params: URLSearchParams): ListFilter {
  const sort = alertSortSchema.safeParse(params.get('sort'));
  const severity = inRank(params.getAll('severity') as AlertSeverity[]);
  const source = params.get('source');
  return {
    customer: nameIn(params, 'customer'),
    alertType: nameIn(params, 'alertType'),
    severity: severity.length === 0 || severity.length === alertSeveritySchema.options.length ? undefined : severity,
    source: source !== null && SOURCE_ID.test(source) ? source : undefined,
    search: searchIn(params),
    sort: sort.success ? sort.data : 'newest',
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
    for (const one of [value ?? []].flat()) if (one !== '' && one !== 'newest') next.append(name, one);
  }
  return next;
}
