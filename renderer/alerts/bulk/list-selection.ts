import { useCallback, useMemo, useRef, useState } from 'react';
import { completionOf } from '#backend/contract/alert-place.ts';
import { type Alert, type AlertCompletion, alertListSchema } from '#backend/contract/alert.ts';
import type { BulkFilter } from '#backend/contract/bulk.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import type { Chosen } from './run-bulk.ts';
import * as texts from './texts.ts';

/** What is selected in a list. */
export interface Selected {
  ids: ReadonlySet<string>;
  /** Where an extension begins. */
  anchor: string | undefined;
  /** All that the filter matched, or those of one customer, loaded or not: so many, up to this one. `ids` says nothing then. */
  all: { count: number; upTo: string; customer?: string; completion?: AlertCompletion } | undefined;
}

type Row = Pick<Alert, 'id' | 'customer' | 'status'>;

export const NOTHING_SELECTED: Selected = { ids: new Set<string>(), anchor: undefined, all: undefined };

/** Whether an alert is selected. */
export const isSelected = ({ ids, all }: Selected, row: Row): boolean =>
  all === undefined
    ? ids.has(row.id)
    : row.id <= all.upTo &&
      (all.customer === undefined || all.customer === row.customer) &&
      isAmong(all.completion, row);

/** Whether an alert is among the open ones, or the completed ones, where a list has these alone. */
const isAmong = (completion: AlertCompletion | undefined, row: Pick<Alert, 'status'>): boolean =>
  completion === undefined || completion === completionOf(row);

/** Selects an alert or lets go of it. Out of everything, the other loaded ones stay selected. */
export function toggled(selected: Selected, id: string, rows: readonly Row[]): Selected {
  const ids = new Set(
    selected.all === undefined ? selected.ids : rows.filter((row) => isSelected(selected, row)).map((row) => row.id),
  );
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id, all: undefined };
}

/** Selects every row from the anchor to an alert; without an anchor that alone. */
export function extended(selected: Selected, id: string, rows: readonly Row[]): Selected {
  const from = rows.findIndex((row) => row.id === selected.anchor);
  const to = rows.findIndex((row) => row.id === id);
  if (from === -1 || to === -1 || selected.all !== undefined) return { ...toggled(selected, id, rows), anchor: id };
  const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id);
  return { ...selected, ids: new Set([...selected.ids, ...between]) };
}

const NO_ALERTS: readonly Alert[] = [];

/** The selection of a list, and how it is changed. */
export interface ListSelection {
  count: number;
  has: (alert: Alert) => boolean;
  toggle: (alert: Alert, isExtending?: boolean) => void;
  /**
   * Selects all that match the filter, also what is not loaded; with a customer, theirs alone. Resolves once it is known
   * what that is, to whether anything is.
   */
  selectAll: (customer?: string) => Promise<boolean>;
  /** Whether everything is being selected: the server is asked what that is. */
  isComing: () => boolean;
  /** The customer of all that is selected, when the list has others, too. */
  customer: string | undefined;
  clear: () => void;
  /** What a bulk action works on; undefined when nothing is selected. */
  chosen: Chosen | undefined;
  /** The selected alerts that are loaded. */
  alerts: readonly Alert[];
}

/**
 * The selection in a view of which `alerts` are loaded, and the completed ones that are shown below it. Another view has none;
 * what leaves the list leaves it.
 *
 * @param isWhole whether there are no others
 */
export function useListSelection(
  view: AlertListView,
  alerts: readonly Alert[] = NO_ALERTS,
  isWhole = false,
): ListSelection {
  const toasts = useToasts();
  const path = pathOf(view);
  const [state, setState] = useState({ path, selected: NOTHING_SELECTED });
  const selected = state.path === path ? state.selected : NOTHING_SELECTED;
  const coming = useRef(0);
  const set = useCallback((next: Selected) => setState({ path, selected: next }), [path]);
  return useMemo(() => {
    const loaded = alerts.filter((alert) => isSelected(selected, alert));
    const count = selected.all?.count ?? loaded.length;
    const narrowed = (customer: string | undefined): AlertListView =>
      customer === undefined ? view : { ...view, customer };
    const chosen: Chosen =
      selected.all === undefined
        ? { kind: 'ids', ids: loaded.map(({ id }) => id) }
        : { kind: 'filter', filter: filterOf(narrowed(selected.all.customer)), ...selected.all };
    const [first] = loaded;
    const isOfOne = loaded.every(({ customer }) => customer === first?.customer);
    return {
      count,
      has: (alert) => isSelected(selected, alert),
      toggle: ({ id }, isExtending = false) => set((isExtending ? extended : toggled)(selected, id, alerts)),
      customer:
        selected.all === undefined && view.customer === undefined && isOfOne
          ? (first?.customer ?? undefined)
          : undefined,
      async selectAll(customer) {
        if (isWhole) {
          const matching = alerts.filter(
            (alert) => isAmong(view.completion, alert) && (customer === undefined || alert.customer === customer),
          );
          set({ ...NOTHING_SELECTED, ids: new Set(matching.map(({ id }) => id)) });
          return matching.length > 0;
        }
        coming.current += 1;
        try {
          // The newest first, whatever the order on screen: it says what everything is, and how many there are.
          const newestFirst = pathOf({ ...narrowed(customer), sort: undefined });
          const { rows, total } = await apiGetPage(newestFirst, alertListSchema, { limit: 1 });
          const [newest] = rows;
          if (!newest) {
            set(NOTHING_SELECTED);
            return false;
          }
          set({
            ...NOTHING_SELECTED,
            all: {
              count: total,
              upTo: newest.id,
              ...(customer !== undefined && { customer }),
              ...(view.completion !== undefined && { completion: view.completion }),
            },
          });
          return true;
        } catch (error) {
          const description = error instanceof Error ? error.message : undefined;
          toasts.show({ variant: 'destructive', title: texts.couldNotSelectAllAlerts, description });
          return false;
        } finally {
          coming.current -= 1;
        }
      },
      isComing: () => coming.current > 0,
      clear: () => set(NOTHING_SELECTED),
      chosen: count === 0 ? undefined : chosen,
      alerts: loaded,
    };
    // The path says all of the view.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [path, selected, alerts, isWhole, set, toasts]);
}

/** The view as the filter of a bulk change. */
export const filterOf = ({
  list,
  folderId = '',
  sort: _sort,
  severity,
  source,
  ...rest
}: AlertListView): BulkFilter => ({
  ...(list === 'folder' ? { list, folderId } : { list }),
  ...rest,
  ...(severity && { severity: [...severity] }),
  ...(source !== undefined && { source: [source] }),
});
