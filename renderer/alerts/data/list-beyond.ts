import type { Alert } from '#backend/contract/alert.ts';
import { type AlertPages, hasMore, isInLoadedRange } from './list-pages.ts';
import { type AlertListView, isInView, isPersonal, passesFixedFilters } from './list-view.ts';

/**
 * Whether an alert that is not among the loaded rows may be, or have been, in the rest of the list: then only the server
 * knows how many there are. In the orders by status and severity its former place is not known; in the others it has but
 * one.
 */
export function mayBeBeyond(
  list: AlertPages,
  view: AlertListView,
  me: string | undefined,
  before: Alert | undefined,
  after: Alert | undefined,
): boolean {
  const alert = after ?? before;
  if (!hasMore(list) || !alert || !passesFixedFilters(view, alert)) return false;
  if (before && after && isInView(view, me, before) === isInView(view, me, after)) return false;
  if (isPersonal(view) && alert.ownerId !== undefined && alert.ownerId !== me) return false;
  return isMovable(view) || !isInLoadedRange(list, view.sort, alert);
}

/** The same of an alert of which only the id is known. */
export function mayBeBeyondById(list: AlertPages, view: AlertListView, id: string): boolean {
  if (!hasMore(list)) return false;
  return (
    isMovable(view) || !isInLoadedRange(list, view.sort, { id, status: 'pending', severity: 'none', state: 'event' })
  );
}

/** Whether alerts change their places in this order. */
const isMovable = ({ sort }: AlertListView): boolean =>
  sort === 'status' || sort === 'severity' || sort === 'completed';
