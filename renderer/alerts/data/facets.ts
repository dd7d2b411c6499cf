import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type Alert, type AlertFacets, alertFacetsSchema } from '#backend/contract/alert.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import type { AlertListView } from './list-view.ts';

const FACETS = '/api/alerts/facets';

/** Every facets query's key begins with this. */
export const FACETS_KEY = [FACETS] as const;

type AlertListName = Pick<AlertListView, 'list' | 'folderId'>;

/**
 * `GET /api/alerts/facets`: what a list can be filtered by; with `search` the names that contain it.
 * Throws an ApiError.
 */
const facetsQuery = ({ list, folderId }: AlertListName, search = '') =>
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
export const useFacets = (list: AlertListName, isWanted = true) =>
  useQuery({ ...facetsQuery(list), enabled: isWanted });

/** What the server finds beside, in a list of more names than it gives at once. Asks nothing while `search` is empty. */
export const useFoundFacets = (list: AlertListName, search: string) =>
  useQuery({ ...facetsQuery(list, search), enabled: search !== '', gcTime: 0 });

/** An alert before and after a change; `before` is null when it is new, undefined when it was not known. */
interface FacetChange {
  before: Alert | null | undefined;
  after: Alert | undefined;
}

/** Keeps the filters' options true after alerts came or went: what is on offer anyway asks for nothing. */
export function refreshFacets(client: QueryClient, changes: readonly FacetChange[]): void {
  const known = client.getQueryData<AlertFacets>([FACETS, 'inbox']);
  if (changes.some((change) => mayChangeFacets(known, change))) refetchWhenShown(client, FACETS_KEY);
}

function mayChangeFacets(known: AlertFacets | undefined, { before, after }: FacetChange): boolean {
  if (before === null && after) return known?.isComplete === true && !isOffered(known, after);
  return !before || !after || !isSamePlace(before, after) || before.severity !== after.severity;
}

const isOffered = (
  { customers, alertTypes, severities, sources }: AlertFacets,
  { customer, alertType, severity, sourceId }: Alert,
): boolean =>
  (customer === null || customers.includes(customer)) &&
  (alertType === null || alertTypes.includes(alertType)) &&
  severities.some((one) => one.severity === severity) &&
  (sourceId === undefined || sources.some(({ id }) => id === sourceId));

const isSamePlace = (before: Alert, after: Alert): boolean =>
  isEverybodys(before) === isEverybodys(after) &&
  before.ownerId === after.ownerId &&
  before.folderId === after.folderId &&
  (before.snoozedUntil === undefined) === (after.snoozedUntil === undefined);
