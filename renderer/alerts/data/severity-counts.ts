import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type SeverityCounts, severityCountsSchema } from '#backend/contract/severity-counts.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { SEVERITIES_KEY, countInView } from './facets.ts';
import { alertStoreOf, delayedIn, whenAnswered } from './list-cache.ts';
import { type AlertListView, pathOf } from './list-view.ts';

/** So long after it was committed a change may come to this page, which draws once a frame, in milliseconds. */
const EVENT_MS = 2_000;

/** Least time between two such looks, in milliseconds: where alerts come all the time, each answer has one just after it. */
const LOOK_MS = 10_000;

/**
 * `GET /api/alerts/severities`: how many alerts of a view, which is narrowed to no severity, have each. Live events keep it
 * current. Throws an ApiError.
 */
export const severityCountsQuery = (view: AlertListView) => {
  const queryKey = [...SEVERITIES_KEY, view] as const;
  return queryOptions<SeverityCounts, Error, SeverityCounts, typeof queryKey>({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const store = alertStoreOf(client);
      // The server may count what changes meanwhile, and own changes that it has not answered, or not.
      const [askedAt, isCertain] = [store.moment(), !store.hasUnanswered()];
      const { list, folderId } = view;
      const query = new URLSearchParams(new URL(pathOf(view), location.origin).search);
      query.set('list', list);
      if (folderId !== undefined) query.set('folderId', folderId);
      const counts = await apiGet(`${SEVERITIES_KEY[0]}?${query}`, severityCountsSchema, { signal });
      if (!isCertain || store.moment() !== askedAt) whenAnswered(store, () => refetchWhenShown(client, queryKey));
      // It may know what comes in the next moment, which would count once more, or not at all where it is over by then.
      else setTimeout(() => store.moment() !== askedAt && refetchWhenShown(client, queryKey, LOOK_MS), EVENT_MS);
      return delayedIn(client, view).reduce((left, alert) => countInView(left, alert.severity, -1), counts);
    },
    staleTime: 0,
  });
};

/**
 * How many alerts of a view have each severity; those of the view before stay until they are here. Undefined before the
 * first are.
 */
export const useSeverityCounts = (view: AlertListView): SeverityCounts | undefined => {
  const { data, isError } = useQuery({ ...severityCountsQuery(view), placeholderData: keepPreviousData });
  return data ?? (isError ? [] : undefined);
};
