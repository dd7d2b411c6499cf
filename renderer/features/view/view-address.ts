import type { View } from '#backend/contract/view.ts';
import type { ListFilter } from '#renderer/alerts/list/list-filter.ts';
import { sameSearch, searchOfFilter } from '#renderer/alerts/list/saved-filter.ts';
import { VIEW_VERSION } from '#renderer/lib/paths.ts';

/** The address of a view as it is saved: its filter is that of any list, so that everything of a list works there. */
export function addressOf({ version, search, sort }: View): URLSearchParams {
  const written = sameSearch(search);
  return new URLSearchParams({
    [VIEW_VERSION]: String(version),
    ...(written !== '' && { search: written }),
    ...(sort !== 'newest' && { sort }),
  });
}

/** Whether an address narrows and sorts the list as the view does. */
export const isAsSaved = (view: View, filter: ListFilter): boolean =>
  searchOfFilter(filter) === sameSearch(view.search) && filter.sort === view.sort;

/** Whether two versions of a view narrow and sort the list alike. */
export const isSavedAlike = (one: View, other: View): boolean =>
  sameSearch(one.search) === sameSearch(other.search) && one.sort === other.sort;

/** The address of a list as it is narrowed, which begins with another version of the view by now. */
export function withVersion(params: URLSearchParams, { version }: View): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set(VIEW_VERSION, String(version));
  return next;
}
