import type { Alert } from '#backend/contract/alert.ts';
import { type AlertPages, hasMore, isInLoadedRange } from '#renderer/lib/alerts/alert-pages.ts';
import { type AlertListView, passesFixedFilters } from '#renderer/lib/alerts/alert-view.ts';

/** A list as far as it is loaded. */
interface LoadedList {
  view: AlertListView;
  pages: AlertPages | undefined;
}

/** The alert with its new owner. One that the owner has already worked on here is left as it is. */
export function asAccepted(alert: Alert, ownerId: string, ownerName: string): Alert {
  if (alert.status !== 'pending' && alert.ownerId === ownerId) return alert;
  const { folderId: _folder, ...outside } = alert;
  return { ...outside, status: 'accepted', ownerId, ownerName };
}

/**
 * Whether an alert that is not among the loaded rows may be, or have been, in the rest of the list: then only the server
 * knows how many there are. In the order by status its former place is not known; in the others it has but one.
 */
export function mayChangeBeyond({ view, pages }: LoadedList, me: string | undefined, alert: Alert): boolean {
  if (!pages || !hasMore(pages) || !passesFixedFilters(view, alert)) return false;
  const isPersonal = view.list === 'mine' || view.list === 'folder';
  if (isPersonal && alert.ownerId !== undefined && alert.ownerId !== me) return false;
  return view.sort === 'status' || !isInLoadedRange(pages, view.sort, alert);
}

/** The same of an alert of which only the id is known. */
export function mayLeaveBeyond({ view, pages }: LoadedList, id: string): boolean {
  if (!pages || !hasMore(pages)) return false;
  return view.sort === 'status' || !isInLoadedRange(pages, view.sort, { id, status: 'pending' });
}
