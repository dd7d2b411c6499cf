import { useLoadMore, useNeededRows } from '#renderer/alerts/data/alert-queries.ts';
import type { FeedCardsProps } from './feed-props.ts';
import type { FeedRows } from './feed-rows.ts';

/**
 * Keeps and loads the pages that are looked at, of a list and of its open group.
 *
 * @param last index of the last row that is drawn
 */
export function usePages(
  { place, more, group, selection, fold }: FeedCardsProps,
  { open, groupAt }: FeedRows,
  last: number,
  isGoingToEnd: boolean,
): void {
  // Where a row stands for several alerts, its index does not say how many alerts are in view.
  const isAll = isGoingToEnd || fold !== undefined || (selection !== undefined && selection.count > 0);
  useNeededRows(place, isAll ? Infinity : last);
  useLoadMore(isGoingToEnd ? open : last, open, more);
  const ofGroup = group?.isOpen ? group : undefined;
  const done = ofGroup?.alerts.length ?? 0;
  const lastDone = last - groupAt;
  useNeededRows(ofGroup?.place ?? place, isAll ? Infinity : ofGroup ? lastDone : last);
  useLoadMore(isGoingToEnd ? done : lastDone, done, ofGroup?.more);
}
