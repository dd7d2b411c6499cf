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
 * Watches for queries on screen whose data could not be fetched again, and fetches them until the server answers, each at
 * growing intervals of its own with a random part: after a failure everybody's page asks. A first load is not repeated; its screen
 * says that it failed.
 *
 * @param onChange whether there are any.
 * @param random from 0 up to 1.
 */
export function watchResync(client: QueryClient, onChange: (isBehind: boolean) => void, random = Math.random): Resync {
  const behind = new Map<Query, { attempts: number; timer?: ReturnType<typeof setTimeout> | undefined }>();
  let isBehind = false;

  const refetch = (isMeant: (query: Query) => boolean): void =>
    void client.refetchQueries({ predicate: isMeant }, { cancelRefetch: false });
  const repeatLater = (query: Query, hasFailed: boolean): void => {
    const entry = behind.get(query) ?? { attempts: 0 };
    behind.set(query, entry);
    if (entry.timer !== undefined) return;
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** entry.attempts);
    if (hasFailed) entry.attempts += 1;
    entry.timer = setTimeout(
      () => {
        entry.timer = undefined;
        refetch((one) => one === query);
      },
      longest * (0.5 + random() / 2),
    );
  };
  const leave = (query: Query): void => {
    clearTimeout(behind.get(query)?.timer);
    behind.delete(query);
  };
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type === 'updated' && isFetchOfMore(query)) {
      // While a further page was being loaded, a repeat joined that instead of asking for everything.
      if (behind.has(query) && query.state.fetchStatus === 'idle') repeatLater(query, false);
    } else if (event.type === 'updated') {
      const { action } = event;
      if (action.type === 'error' && isWorthRepeating(query, action.error)) repeatLater(query, true);
      else if (action.type === 'error' || (action.type === 'success' && !action.manual)) leave(query);
    } else if (event.type === 'removed' || (event.type === 'observerRemoved' && !query.isActive())) {
      // What is not on screen is fetched when it next is.
      leave(query);
    }
    if (isBehind === behind.size > 0) return;
    isBehind = !isBehind;
    onChange(isBehind);
  });
  return {
    retry() {
      for (const entry of behind.values()) {
        clearTimeout(entry.timer);
        entry.timer = undefined;
      }
      refetch((query) => behind.has(query));
    },
    stop() {
      unsubscribe();
      for (const { timer } of behind.values()) clearTimeout(timer);
    },
  };
}

/** Whether data on screen can be fetched later, because the server may answer then. */
function isWorthRepeating(query: Query, error: unknown): boolean {
  if (query.state.data === undefined || !query.isActive()) return false;
  return mayAnswerLater(error instanceof Error && error.cause instanceof ApiError ? error.cause : error);
}
