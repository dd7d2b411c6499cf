import { completionOf, isEverybodys } from '#backend/contract/alert-place.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type Alert, type AlertFacets, type AlertSeverity, alertFacetsSchema } from '#backend/contract/alert.ts';
import type { SeverityCounts } from '#backend/contract/severity-counts.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { takeEarlyAnswer } from '#renderer/lib/early-start.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import type { AlertTransition } from './alert-entry.ts';
import { type AlertListView, inRank, isInView } from './list-view.ts';

const FACETS = '/api/alerts/facets';
const OF_INBOX = 'list=inbox';

/** The key of every query of how many alerts a view has of each severity begins with this; the view follows. */
export const SEVERITIES_KEY = ['/api/alerts/severities'] as const;

/** The key of every query of how far a member is with a list begins with this. */
export const PROGRESS_KEY = ['/api/alerts/progress'] as const;

/** Every facets query's key begins with this. */
export const FACETS_KEY = [FACETS] as const;

type AlertListName = Pick<AlertListView, 'list' | 'folderId' | 'completion'>;

/**
 * `GET /api/alerts/facets`: what a list can be filtered by, counted as the list is; with `q` the names that contain it.
 * Throws an ApiError.
 */
function facetsQuery({ list, folderId, completion }: AlertListName, q?: string) {
  const named = Object.entries({ list, folderId, completion, q }).filter(
    (entry): entry is [string, string] => !!entry[1],
  );
  const query = `${new URLSearchParams(named)}`;
  return queryOptions({
    queryKey: [FACETS, query] as const,
    queryFn: ({ signal }) => apiGet(`${FACETS}?${query}`, alertFacetsSchema, { signal }),
    staleTime: 0,
  });
}

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
  const inbox = client.getQueryState<AlertFacets>([FACETS, OF_INBOX]);
  // Nobody shows what was asked for with the page yet, and it may miss this. What nobody reads would keep a connection.
  if (!inbox?.data)
    takeEarlyAnswer(`${FACETS}?${OF_INBOX}`)
      ?.then(({ body }) => body?.cancel())
      .catch(noAnswer);
  if (changes.some((change) => mayChangeFacets(inbox, change))) refetchWhenShown(client, FACETS_KEY);
}

const noAnswer = (): void => undefined;

function mayChangeFacets(
  inbox: { data: AlertFacets | undefined } | undefined,
  { before, after }: FacetChange,
): boolean {
  // One that comes during the first read may be missed by it.
  if (before === null && after)
    return inbox !== undefined && (!inbox.data || (inbox.data.isComplete && !isOffered(inbox.data, after)));
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
  completionOf(before) === completionOf(after) &&
  before.ownerId === after.ownerId &&
  before.folderId === after.folderId &&
  (before.snoozedUntil === undefined) === (after.snoozedUntil === undefined);

/** The counts with so many alerts of a severity more or fewer. */
export function countInView(counts: SeverityCounts, severity: AlertSeverity, by: number): SeverityCounts {
  const known = counts.find((one) => one.severity === severity) ?? { severity, alerts: 0 };
  const all = [...counts.filter((one) => one !== known), { ...known, alerts: known.alerts + by }];
  return inRank(all.map((one) => one.severity)).flatMap((one) =>
    all.filter(({ severity: of, alerts }) => of === one && alerts > 0),
  );
}

/** Keeps the numbers of each severity true after alerts changed, for the member `me`: what only the server knows is asked for. */
export function recountSeverities(
  client: QueryClient,
  me: string | undefined,
  transitions: readonly AlertTransition[],
): void {
  for (const query of client.getQueryCache().findAll({ queryKey: SEVERITIES_KEY })) {
    const view = query.queryKey[1] as AlertListView;
    let counts = query.state.data as SeverityCounts | undefined;
    let isUnsure = false;
    for (const { before, after, seenBefore } of transitions) {
      const was = before ? isInView(view, me, before) : false;
      const is = after ? isInView(view, me, after) : false;
      // What was never seen here may have been in the list, unless it is new.
      const isKnown = before !== undefined || seenBefore !== undefined;
      // An answer that is on its way may be from before, and would take this back.
      const isLate = query.state.fetchStatus === 'fetching' && (was || is);
      isUnsure ||= !isKnown || was === undefined || is === undefined || isLate === true;
      if (counts && was && before) counts = countInView(counts, before.severity, -1);
      if (counts && is && after && isKnown) counts = countInView(counts, after.severity, 1);
    }
    if (counts !== query.state.data) client.setQueryData(query.queryKey, counts);
    if (isUnsure) refetchWhenShown(client, query.queryKey);
  }
}
