import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError, mayAnswerLater } from '#renderer/lib/api-client.ts';
import { isFetchOfMore } from '#renderer/lib/query-freshness.ts';

/** Wait before the first attempt to fetch again, in milliseconds; it doubles with each up to the longest. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Fetches again what is on screen and could not be brought up to date. */
export interface Resync {
  /** Fetches now. */
  retry(): void;
  stop(): void;
}

/**
 * Watches for queries on screen whose data could not be fetched again, and fetches them until the server answers, at
 * growing intervals with a random part: after a failure everybody's page asks. A first load is not repeated; its screen
 * says that it failed.
 *
 * @param onChange whether there are any.
 * @param random from 0 up to 1.
 */
export function watchResync(client: QueryClient, onChange: (isBehind: boolean) => void, random = Math.random): Resync {
  const behind = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let isBehind = false;

  const retry = (): void => {
    clearTimeout(timer);
    timer = undefined;
    void client.refetchQueries({ predicate: (query) => behind.has(query) });
  };
  const update = (): void => {
    if (isBehind !== behind.size > 0) {
      isBehind = !isBehind;
      onChange(isBehind);
    }
    if (!isBehind) {
      clearTimeout(timer);
      timer = undefined;
      attempts = 0;
    } else if (timer === undefined && [...behind].some(({ state }) => state.fetchStatus === 'idle')) {
      const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempts);
      attempts += 1;
      timer = setTimeout(retry, longest * (0.5 + random() / 2));
    }
  };
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type === 'updated' && !isFetchOfMore(query)) {
      const { action } = event;
      if (action.type === 'error' && isWorthRepeating(query, action.error)) behind.add(query);
      else if (action.type === 'error' || (action.type === 'success' && !action.manual)) behind.delete(query);
      else return;
    } else if (event.type === 'removed' || (event.type === 'observerRemoved' && !query.isActive())) {
      // What is not on screen is fetched when it next is.
      if (!behind.delete(query)) return;
    } else return;
    update();
  });
  return {
    retry,
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

/** Whether data on screen can be fetched later, because the server may answer then. */
function isWorthRepeating(query: Query, error: unknown): boolean {
  if (query.state.data === undefined || !query.isActive()) return false;
  return mayAnswerLater(error instanceof Error && error.cause instanceof ApiError ? error.cause : error);
}
