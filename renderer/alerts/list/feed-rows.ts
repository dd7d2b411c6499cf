import { type ReactNode, useMemo, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { NextPage } from '#renderer/alerts/data/alert-queries.ts';
import { type ListHold, createListHold } from './list-hold.ts';
import type { ListFold } from './list-fold.ts';
import { type ListRows, useListRows } from './list-rows.ts';

/** The completed alerts of a list: a group at its end, which opens in place. */
export interface FeedGroup {
  /** Those that are loaded, how many there are, and the next page. `total` is undefined while it is not known. */
  alerts: readonly Alert[];
  total: number | undefined;
  more: NextPage | undefined;
  /** The path of its list. */
  place: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** What its row says, and how it looks. */
  words: ReactNode;
  classes: Record<'row' | 'button' | 'alone', string | undefined>;
  /** What stands in the place of the open alerts when there are none; null where a filter is what leaves none. */
  nothingOpen: ReactNode;
}

/** A row that is no alert: one that is being fetched, or that of the group. */
interface Marker {
  id: string;
  marker: 'more' | 'group';
}
export type FeedRow = Alert | Marker;

/** The id of the group's row. */
export const GROUP_ROW = 'completed';

const GROUP: Marker = { id: GROUP_ROW, marker: 'group' };
const MORE: Marker = { id: 'more', marker: 'more' };
const MORE_COMPLETED: Marker = { id: 'more-completed', marker: 'more' };

export const isAlert = (row: FeedRow | undefined): row is Alert => row !== undefined && !('marker' in row);

/** The rows of a list and of its group as they are drawn. */
export interface FeedRows extends Omit<ListRows, 'rows'> {
  /** Keeps the rows in their places while somebody uses the list. */
  hold: ListHold;
  rows: readonly FeedRow[];
  /** How many of them are open alerts. */
  open: number;
  /** Index of the group's row; behind all rows where there is none. */
  groupAt: number;
}

/** What a row of the group is remembered by as drawn: an alert that leaves one part is not on its way out of the other. */
export const drawnInGroup = (id: string): string => `${GROUP_ROW} ${id}`;

const NONE: readonly Alert[] = [];

/** The rows of a list, and of the group at its end. An alert that goes from one to the other comes once its card has left. */
export function useFeedRows(
  alerts: readonly Alert[],
  more: NextPage | undefined,
  group: FeedGroup | undefined,
  fold: ListFold | undefined,
): FeedRows {
  const [hold] = useState(createListHold);
  const open = useListRows(alerts, hold, undefined, fold);
  const done = useListRows(group?.alerts ?? NONE, hold, drawnInGroup);
  const hasGroup = group !== undefined && group.total !== undefined && group.total > 0;
  const isOpen = hasGroup && group.isOpen;
  const hasMore = more !== undefined;
  const hasMoreDone = group?.more !== undefined;
  return useMemo(() => {
    const ofOpen = without(open.rows, done);
    const ofGroup = isOpen ? [...without(done.rows, open), ...(hasMoreDone ? [MORE_COMPLETED] : [])] : [];
    const rows: FeedRow[] = hasMore ? [...ofOpen, MORE] : [...ofOpen];
    const groupAt = hasGroup ? rows.length : Infinity;
    if (hasGroup) rows.push(GROUP, ...ofGroup);
    return {
      rows,
      open: ofOpen.length,
      groupAt,
      leaving: new Map([...open.leaving, ...done.leaving]),
      moving: new Set([...open.moving, ...done.moving]),
      isClosingGap: open.isClosingGap || done.isClosingGap,
      hold,
    };
  }, [open, done, isOpen, hasGroup, hasMore, hasMoreDone, hold]);
}

const without = (rows: readonly Alert[], { leaving }: ListRows): readonly Alert[] =>
  leaving.size === 0 ? rows : rows.filter(({ id }) => !leaving.has(id));

/** Whether the focus can be given to a row. */
export const stays = (row: FeedRow | undefined, leaving: ReadonlyMap<string, unknown>): boolean =>
  row !== undefined && !leaving.has(row.id) && (isAlert(row) || row.id === GROUP_ROW);

/**
 * The row at `index` or the next one that stays, else the one before: among the open alerts, or among those of the group. Where
 * there are none any more, the group's own row.
 */
export function nearest(rows: readonly FeedRow[], leaving: ReadonlyMap<string, unknown>, index: number): number {
  const group = rows.findIndex(({ id }) => id === GROUP_ROW);
  const [low, high] =
    group === -1 || index < group ? [0, group === -1 ? rows.length : group] : [group + 1, rows.length];
  const from = Math.min(Math.max(index, low), Math.max(high - 1, 0));
  const isIn = (row: FeedRow, at: number): boolean => at >= low && at < high && stays(row, leaving);
  const after = rows.findIndex((row, at) => at >= from && isIn(row, at));
  if (after !== -1) return after;
  const before = rows.findLastIndex((row, at) => at < from && isIn(row, at));
  return before === -1 ? Math.max(group, 0) : before;
}
