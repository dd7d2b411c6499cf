import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type Alert, type AlertFacets, alertFacetsSchema } from '#backend/contract/alert.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { refetchSoon } from '#renderer/lib/refetch-soon.ts';
import type { AlertListView } from './alert-view.ts';

const FACETS = '/api/alerts/facets';

/** Every facets query's key begins with this. */
export const FACETS_KEY = [FACETS] as const;

type AlertListName = Pick<AlertListView, 'list' | 'folderId'>;

/**
 * `GET /api/alerts/facets`: the distinct customers and types of a list, sorted; with `search` those that contain it.
 * Throws an ApiError.
 */
export const facetsQuery = ({ list, folderId }: AlertListName, search = '') =>
  queryOptions({
    queryKey: [FACETS, list, ...(folderId === undefined ? [] : [folderId]), ...(search && [{ search }])] as const,
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        list,
        ...(folderId !== undefined && { folderId }),
        ...(search !== '' && { q: search }),
      });
      return apiGet(`${FACETS}?${query}`, alertFacetsSchema, { signal });
    },
    staleTime: 0,
  });

/** What the filters of a list offer; fetched again whenever its screen is opened. */
export const useFacets = (list: AlertListName) => useQuery(facetsQuery(list));

/** What the server finds beside, in a list of more names than it gives at once. Asks nothing while `search` is empty. */
export const useFoundFacets = (list: AlertListName, search: string) =>
  useQuery({ ...facetsQuery(list, search), enabled: search !== '', gcTime: 0 });

/** Keeps the filters' options true after an alert came or went: what is on offer anyway asks for nothing. */
export function refreshFacets(client: QueryClient, before: Alert | null | undefined, after: Alert | undefined): void {
  const isNew = before === null && after !== undefined;
  if (isNew) {
    const known = client.getQueryData<AlertFacets>([FACETS, 'inbox']);
    if (!known || !known.isComplete || isOffered(known, after)) return;
  } else if (before && after && isSamePlace(before, after)) return;
  refetchSoon(client, FACETS_KEY);
}

const isOffered = ({ customers, alertTypes }: AlertFacets, { customer, alertType }: Alert): boolean =>
  (customer === null || customers.includes(customer)) && (alertType === null || alertTypes.includes(alertType));

const isSamePlace = (before: Alert, after: Alert): boolean =>
  (before.status === 'pending') === (after.status === 'pending') &&
  before.ownerId === after.ownerId &&
  before.folderId === after.folderId;
