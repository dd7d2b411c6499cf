import type { QueryClient, QueryKey } from '@tanstack/react-query';

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
