import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { completionOf } from '#backend/contract/alert-place.ts';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import type { AlertCompletion } from '#backend/contract/alert-query.ts';
import type { BulkFilter } from '#backend/contract/bulk.ts';
import { delayedIn } from '#renderer/alerts/data/list-cache.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import type { ListFold } from '#renderer/alerts/list/list-fold.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import type { Chosen } from './run-bulk.ts';
import * as texts from './texts.ts';

/** What is selected in a list. */
export interface Selected {
  /** Ids of alerts, and of groups that are selected with all their alerts. */
  ids: ReadonlySet<string>;
  /** Where an extension begins. */
  anchor: string | undefined;
  /**
   * All that the filter matched, or those of one customer, loaded or not: so many, or at least so many, up to this one. `ids`
   * says nothing then.
   */
  all: { count: number; isAtLeast?: true; upTo: string; customer?: string; completion?: AlertCompletion } | undefined;
}

type Row = Pick<Alert, 'id' | 'customer' | 'status' | 'groupId'>;

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

/**
 * Selects a row or lets go of it. Out of everything, the other loaded ones stay selected. The row of a group is selected with
 * its own id: what is loaded of the group later is selected, too.
 *
 * @param partsOf the alerts that a row stands for
 */
export function toggled<R extends Row>(
  selected: Selected,
  id: string,
  rows: readonly R[],
  partsOf: PartsOf<R> = alone,
): Selected {
  const ids = new Set(
    selected.all === undefined
      ? selected.ids
      : rows.flatMap((row) =>
          isRowSelected(selected, row, partsOf) ? idsOf(row, partsOf) : selectedOf(selected, row, partsOf).map(toId),
        ),
  );
  const row = rows.find((one) => one.id === id);
  if (row) {
    const isOn = isRowSelected(selected, row, partsOf);
    for (const one of idsOf(row, partsOf)) ids[isOn ? 'delete' : 'add'](one);
    // It may be the last one of a group that was selected.
    if (isOn) ids.delete(row.groupId ?? '');
  }
  return { ids, anchor: id, all: undefined };
}

/** Selects every row from the anchor to another; without an anchor that alone. */
export function extended<R extends Row>(
  selected: Selected,
  id: string,
  rows: readonly R[],
  partsOf: PartsOf<R> = alone,
): Selected {
  const from = rows.findIndex((row) => row.id === selected.anchor);
  const to = rows.findIndex((row) => row.id === id);
  if (from === -1 || to === -1 || selected.all !== undefined) return toggled(selected, id, rows, partsOf);
  const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((row) => idsOf(row, partsOf));
  return { ...selected, ids: new Set([...selected.ids, ...between]) };
}

/** The alerts of a row that are selected. */
const selectedOf = <R extends Row, P extends Row>(selected: Selected, row: R, partsOf: (of: R) => readonly P[]) =>
  partsOf(row).filter((part) => selected.ids.has(row.id) || isSelected(selected, part));

const isRowSelected = <R extends Row>(selected: Selected, row: R, partsOf: PartsOf<R>): boolean =>
  selectedOf(selected, row, partsOf).length === partsOf(row).length;

const toId = ({ id }: Row): string => id;
const idsOf = <R extends Row>(row: R, partsOf: PartsOf<R>): string[] => [row, ...partsOf(row)].map(toId);

type PartsOf<R> = (row: R) => readonly Row[];
const alone = <R>(row: R): readonly R[] => [row];

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
  /** Whether the server is asked what is selected: everything, or what is not loaded of a group. */
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
 * @param fold how the list draws groups, which are selected with all their alerts
 * @param rows what is drawn
 */
export function useListSelection(
  view: AlertListView,
  alerts: readonly Alert[] = NO_ALERTS,
  isWhole = false,
  fold?: Pick<ListFold, 'partsOf' | 'beyond' | 'isComing'>,
  rows = alerts,
): ListSelection {
  const client = useQueryClient();
  const toasts = useToasts();
  const path = pathOf(view);
  const [state, setState] = useState({ path, selected: NOTHING_SELECTED });
  const selected = state.path === path ? state.selected : NOTHING_SELECTED;
  // The question what everything is, as long as its answer counts: until something else is selected, or nothing.
  const asked = useRef<object>(undefined);
  const set = useCallback(
    (next: Selected) => {
      asked.current = undefined;
      setState({ path, selected: next });
    },
    [path],
  );
  useEffect(() => () => void (asked.current = undefined), [path]);
  return useMemo(() => {
    const partsOf = fold?.partsOf ?? alone<Alert>;
    const loaded = rows.flatMap((row) => selectedOf(selected, row, partsOf));
    const beyond = rows.flatMap((row) => (fold && isRowSelected(selected, row, partsOf) ? fold.beyond(row) : []));
    const ids = [...loaded.map(toId), ...beyond];
    const count = selected.all?.count ?? ids.length;
    const narrowed = (customer: string | undefined): AlertListView =>
      customer === undefined ? view : { ...view, customer };
    const chosen: Chosen =
      selected.all === undefined
        ? { kind: 'ids', ids }
        : { kind: 'filter', filter: filterOf(narrowed(selected.all.customer)), ...selected.all };
    const [first] = loaded;
    const isOfOne = loaded.every(({ customer }) => customer === first?.customer);
    return {
      count,
      has: (alert) => isRowSelected(selected, alert, partsOf),
      toggle: ({ id }, isExtending = false) => set((isExtending ? extended : toggled)(selected, id, rows, partsOf)),
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
        const question = {};
        asked.current = question;
        try {
          // The newest first, whatever the order on screen: it says what everything is, and how many there are.
          const newestFirst = pathOf({ ...narrowed(customer), sort: undefined });
          const page = await apiGetPage(newestFirst, alertListSchema, { limit: 1 });
          if (asked.current !== question) return false;
          const [newest] = page.rows;
          if (!newest) {
            set(NOTHING_SELECTED);
            return false;
          }
          // They are sent before anything is done with all that is left.
          const left = page.total - delayedIn(client, narrowed(customer)).length;
          if (left <= 0) {
            set(NOTHING_SELECTED);
            return false;
          }
          set({
            ...NOTHING_SELECTED,
            all: {
              count: left,
              ...(page.isAtLeast && { isAtLeast: true }),
              upTo: newest.id,
              ...(customer !== undefined && { customer }),
              ...(view.completion !== undefined && { completion: view.completion }),
            },
          });
          return true;
        } catch (error) {
          if (asked.current !== question) return false;
          asked.current = undefined;
          const description = error instanceof Error ? error.message : undefined;
          toasts.show({ variant: 'destructive', title: texts.couldNotSelectAllAlerts, description });
          return false;
        }
      },
      isComing: () =>
        asked.current !== undefined || rows.some((row) => fold?.isComing(row) && isRowSelected(selected, row, partsOf)),
      clear: () => set(NOTHING_SELECTED),
      chosen: count === 0 ? undefined : chosen,
      alerts: loaded,
    };
    // The path says all of the view.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [path, selected, alerts, rows, fold, isWhole, set, toasts, client]);
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
