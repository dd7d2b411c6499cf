import type {
  InvalidateQueryFilters,
  Query,
  QueryClient,
  QueryKey,
  QueryObserverBaseResult,
} from '@tanstack/react-query';
import { isPageShown, watchPageShown } from './page-shown.ts';

/** What is known of a query beside its state. */
interface Freshness {
  /** When its last fetch of everything began, a moment of `performance.now()`. */
  askedAt: number;
  /** That fetch has had no answer yet. */
  isPending: boolean;
  isOutdated: boolean;
  /** Something happened while a fetch was in flight: another one follows it. */
  isAgain: boolean;
}

const known = new WeakMap<Query, Freshness>();

const freshnessOf = (query: Query): Freshness => {
  const found = known.get(query) ?? {
    askedAt: Number.NEGATIVE_INFINITY,
    isPending: false,
    isOutdated: false,
    isAgain: false,
  };
  known.set(query, found);
  return found;
};

/** Whether the query's last fetch was one of a further page alone, which says nothing of the others. */
export const isFetchOfMore = ({ state }: Query): boolean =>
  (state.fetchMeta as { fetchMore?: unknown } | null)?.fetchMore !== undefined;

/**
 * Keeps queries outdated until the server has answered. TanStack Query takes the mark away with whatever is written into
 * a query, such as a live event: then a list in the background would never be fetched again. Called once for a client,
 * before anything else listens to its cache.
 */
export function keepOutdated(client: QueryClient): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    const freshness = freshnessOf(query);
    const isOfAll = !isFetchOfMore(query);
    switch (action.type) {
      case 'fetch':
        if (isOfAll) Object.assign(freshness, { askedAt: performance.now(), isPending: true });
        break;
      case 'success':
        if (!action.manual && isOfAll) Object.assign(freshness, { isPending: false, isOutdated: freshness.isAgain });
        break;
      case 'invalidate':
        freshness.isOutdated = true;
        break;
      default:
    }
    // A fetch that failed, or was given up by a screen that was left: whatever made it necessary still does.
    if (freshness.isPending && query.state.fetchStatus === 'idle') {
      Object.assign(freshness, { isPending: false, isOutdated: true });
    }
    if (freshness.isOutdated && !query.state.isInvalidated) query.invalidate();
    if (freshness.isAgain && query.state.fetchStatus === 'idle') {
      freshness.isAgain = false;
      // Everybody else learns of this answer before the next fetch begins.
      queueMicrotask(() => readAgain(client, { queryKey: query.queryKey, exact: true }));
    }
  });
}

/**
 * Fetches queries again after something happened to what they show; those that are not on screen when they next are. A
 * fetch in flight is finished and its answer shown, and one more follows for all that happened meanwhile: events that come
 * faster than answers restart nothing, and the newest is on screen after two answers. With `refetchType: 'none'` nothing
 * but that one more is fetched. Never rejects: queries keep their errors.
 */
export function readAgain(client: QueryClient, filters: InvalidateQueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    Object.assign(freshnessOf(query), { isOutdated: true, isAgain: query.state.fetchStatus !== 'idle' });
  }
  void client.invalidateQueries(filters, { cancelRefetch: false });
}

/**
 * Whether the query's answer, or the one in flight, was asked for at `moment` of `performance.now()` or later, and no
 * other one is to follow it. A first load that failed counts too: its screen says so, and repeats it when asked to.
 */
export function wasAskedSince(query: Query, moment: number): boolean {
  const { askedAt, isPending, isOutdated, isAgain } = freshnessOf(query);
  return askedAt >= moment && (isPending ? !isAgain : !isOutdated || query.state.data === undefined);
}

/**
 * Whether what a query shows is what a page opens with, so that the order of rows can be decided by it: an answer of this
 * visit, or an earlier one that is not being read again. What stands in for the answer of another search is not.
 */
export const isCurrentAnswer = ({
  isPlaceholderData,
  isFetchedAfterMount,
  isFetching,
}: Pick<QueryObserverBaseResult, 'isPlaceholderData' | 'isFetchedAfterMount' | 'isFetching'>): boolean =>
  !isPlaceholderData && (isFetchedAfterMount || !isFetching);

/** Least time between what made a refetch necessary and the refetch, in milliseconds: a burst asks once. */
const SOON_MS = 500;

/** Least time between two such refetches of the same, in milliseconds: in a storm every open page would ask all the time. */
const AGAIN_MS = 2_000;

/** What is planned of a client's queries, by their keys. */
interface Plan {
  isPlanned: boolean;
  /** When the last one was carried out, a moment of `performance.now()`. */
  doneAt: number;
}

const plans = new WeakMap<QueryClient, Map<string, Plan>>();

/** Fetches the queries whose key begins with `queryKey` again in a moment; those that are not on screen when they next are. */
export function refetchSoon(client: QueryClient, queryKey: QueryKey): void {
  plan(client, queryKey, AGAIN_MS, (work) => work());
}

/**
 * The same for what is only looked at: a page that is not shown fetches nothing, and catches up when it is. What announces,
 * or counts in a title or badge, needs {@link refetchSoon}.
 *
 * @param everyMs least time between two, in milliseconds; more where what is shown is nearly right without.
 */
export function refetchWhenShown(client: QueryClient, queryKey: QueryKey, everyMs = AGAIN_MS): void {
  plan(client, queryKey, everyMs, whenShown);
}

function plan(client: QueryClient, queryKey: QueryKey, everyMs: number, run: (work: () => void) => void): void {
  const ofClient: Map<string, Plan> = plans.get(client) ?? new Map<string, Plan>();
  plans.set(client, ofClient);
  const name = JSON.stringify([everyMs, queryKey]);
  const planned = ofClient.get(name) ?? { isPlanned: false, doneAt: Number.NEGATIVE_INFINITY };
  ofClient.set(name, planned);
  if (planned.isPlanned) return;
  planned.isPlanned = true;
  setTimeout(
    () =>
      run(() => {
        Object.assign(planned, { isPlanned: false, doneAt: performance.now() });
        readAgain(client, { queryKey });
      }),
    Math.max(SOON_MS, planned.doneAt + everyMs - performance.now()),
  );
}

/** Does it now, or once the page is shown: a tab in the background, or a window in the tray, is not. */
function whenShown(work: () => void): void {
  if (isPageShown()) {
    work();
    return;
  }
  const stop = watchPageShown(() => {
    if (!isPageShown()) return;
    stop();
    work();
  });
}
