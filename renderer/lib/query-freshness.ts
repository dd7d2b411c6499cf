import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** What is known of a query beside its state. */
interface Freshness {
  /** When its last fetch of everything began, a moment of `performance.now()`. */
  askedAt: number;
  /** That fetch has had no answer yet. */
  isPending: boolean;
  isOutdated: boolean;
}

const known = new WeakMap<Query, Freshness>();

const freshnessOf = (query: Query): Freshness => {
  const found = known.get(query) ?? { askedAt: Number.NEGATIVE_INFINITY, isPending: false, isOutdated: false };
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
        if (!action.manual && isOfAll) Object.assign(freshness, { isPending: false, isOutdated: false });
        break;
      case 'error':
        if (isOfAll) Object.assign(freshness, { isPending: false, isOutdated: true });
        break;
      case 'invalidate':
        freshness.isOutdated = true;
        break;
      default:
    }
    // A screen that is left gives its fetch up: whatever made it necessary still does.
    if (freshness.isPending && query.state.fetchStatus === 'idle') {
      Object.assign(freshness, { isPending: false, isOutdated: true });
    }
    if (freshness.isOutdated && !query.state.isInvalidated) query.invalidate();
  });
}

/**
 * Whether the query's answer, or the one in flight, was asked for at `moment` of `performance.now()` or later. A first
 * load that failed counts too: its screen says so, and repeats it when asked to.
 */
export function wasAskedSince(query: Query, moment: number): boolean {
  const { askedAt, isOutdated } = freshnessOf(query);
  return askedAt >= moment && (!isOutdated || query.state.data === undefined);
}

/** Least time between what made a refetch necessary and the refetch, in milliseconds: a burst asks once. */
const SOON_MS = 500;

const planned = new WeakMap<QueryClient, Set<string>>();

/** Fetches the queries whose key begins with `queryKey` again in a moment; those that are not on screen when they next are. */
export function refetchSoon(client: QueryClient, queryKey: QueryKey): void {
  const name = JSON.stringify(queryKey);
  const names = planned.get(client) ?? new Set<string>();
  planned.set(client, names);
  if (names.has(name)) return;
  names.add(name);
  setTimeout(() => {
    names.delete(name);
    void client.invalidateQueries({ queryKey });
  }, SOON_MS);
}
