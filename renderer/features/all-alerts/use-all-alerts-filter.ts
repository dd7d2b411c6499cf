import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type AlertStatus, MAX_SEARCH_LENGTH, alertStatusSchema } from '#backend/contract/alert.ts';
import { type ListFilter, changedParams, filterIn } from '#renderer/alerts/list/list-filter.ts';

/** What the list of all alerts is narrowed to, and its order. Absent means All. */
export interface AllAlertsFilter extends ListFilter {
  status: AlertStatus | undefined;
  q: string | undefined;
}

/** The filter is kept in the address, so that it survives going away and back, a reload, and being sent to somebody. */
export function useAllAlertsFilter(): {
  filter: AllAlertsFilter;
  change: (changed: Partial<AllAlertsFilter>) => void;
} {
  const [params, setParams] = useSearchParams();
  const filter = useMemo((): AllAlertsFilter => {
    const status = alertStatusSchema.safeParse(params.get('status'));
    const q = params.get('q')?.trim().slice(0, MAX_SEARCH_LENGTH);
    return {
      ...filterIn(params),
      status: status.success ? status.data : undefined,
      q: q === '' ? undefined : q,
    };
  }, [params]);
  const change = useCallback(
    (changed: Partial<AllAlertsFilter>) => setParams((now) => changedParams(now, changed), { replace: true }),
    [setParams],
  );
  return { filter, change };
}
