import { matchPath } from 'react-router-dom';
import type { Session } from '#backend/contract/session.ts';
import type { View } from '#backend/contract/view.ts';
import { filterIn } from '#renderer/alerts/list/list-filter.ts';
import { searchOfFilter } from '#renderer/alerts/list/saved-filter.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import type { ViewDraft } from './save-view.ts';

/**
 * What a view is made of that is saved on this screen: its list as it is filtered and sorted, else the whole inbox.
 *
 * @param orders the orders in which the member wants to see lists, where the address names none
 */
export function draftAt(
  pathname: string,
  query: string,
  views: readonly View[] = [],
  orders: Session['listOrders'] = {},
): ViewDraft {
  const named = LISTS[pathname];
  const viewId = matchPath(PATHS.view, pathname)?.params.id;
  const list = named ?? views.find(({ id }) => id === viewId)?.list;
  const filter = filterIn(new URLSearchParams(query), named && orders[named]);
  if (list === undefined) return { list: 'inbox', search: '', sort: 'newest' };
  return { list, search: searchOfFilter(filter), sort: filter.sort };
}

const LISTS: Record<string, ViewDraft['list'] | undefined> = {
  [PATHS.inbox]: 'inbox',
  [PATHS.myAlerts]: 'mine',
  [PATHS.allAlerts]: 'all',
};
