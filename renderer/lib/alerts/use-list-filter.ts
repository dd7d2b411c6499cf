import { useSetAtom } from 'jotai';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { type AlertSort, alertSortSchema } from '#backend/contract/alert.ts';
import { rememberSearchAtom } from '#renderer/lib/screen-memory.ts';

/** What a list is narrowed to, and its order. Absent filters mean All. */
export interface ListFilter {
  customer: string | undefined;
  alertType: string | undefined;
  sort: AlertSort;
}

/** The longest name that the server filters by. */
const LONGEST = 200;

/**
 * The filter and order of the list on screen. They are kept in the address, so that they survive going away and back, a
 * reload and being sent to somebody else.
 */
export function useListFilter(): { filter: ListFilter; change: (changed: Partial<ListFilter>) => void } {
  const [params, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const remember = useSetAtom(rememberSearchAtom);
  useEffect(() => remember(pathname, search), [remember, pathname, search]);

  const filter = useMemo((): ListFilter => {
    const sort = alertSortSchema.safeParse(params.get('sort'));
    return {
      customer: nameIn(params, 'customer'),
      alertType: nameIn(params, 'alertType'),
      sort: sort.success ? sort.data : 'newest',
    };
  }, [params]);

  const change = useCallback(
    (changed: Partial<ListFilter>) => setParams((now) => changedParams(now, changed), { replace: true }),
    [setParams],
  );
  return { filter, change };
}

function nameIn(params: URLSearchParams, name: 'customer' | 'alertType'): string | undefined {
  const value = params.get(name);
  return value === null || value === '' || value.length > LONGEST ? undefined : value;
}

function changedParams(params: URLSearchParams, changed: Partial<ListFilter>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === 'newest') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
