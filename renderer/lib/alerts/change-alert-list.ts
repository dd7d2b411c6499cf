import type { QueryClient } from '@tanstack/react-query';
import type { AlertListPath } from './alert-view.ts';
import type { AlertListChange, AlertPages } from './alert-pages.ts';

/** Changes made while a list is on its way, by client and list. */
const journals = new WeakMap<QueryClient, Map<AlertListPath, AlertListChange[]>>();

/**
 * Applies changes to a cached list, and again to the answer of a fetch that is under way, so that an answer older than
 * the changes cannot undo them. That is safe because changes may be repeated: replaying all that happened since before
 * the answer was made, in order, ends where the newest of them left each alert.
 */
export function changeAlertList(client: QueryClient, path: AlertListPath, ...changes: AlertListChange[]): void {
  if (changes.length === 0) return;
  const query = client.getQueryCache().find({ queryKey: [path], exact: true });
  if (!query) return;
  if (query.state.fetchStatus !== 'idle') {
    const journal = journalOf(client);
    journal.set(path, [...(journal.get(path) ?? []), ...changes]);
  }
  apply(client, path, changes);
}

/** Forgets what was kept for the fetch under way: one that starts now is answered by a server that knows all of it. */
export function forgetAlertListChanges(client: QueryClient, path: AlertListPath): void {
  journals.get(client)?.delete(path);
}

function apply(client: QueryClient, path: AlertListPath, changes: AlertListChange[]): void {
  client.setQueryData<AlertPages>([path], (list) => list && changes.reduce((pages, change) => change(pages), list));
}

function journalOf(client: QueryClient): Map<AlertListPath, AlertListChange[]> {
  const known = journals.get(client);
  if (known) return known;
  const journal = new Map<AlertListPath, AlertListChange[]>();
  journals.set(client, journal);
  // Runs in the same turn as the fetch's own update, so nobody sees the answer without the changes.
  client.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || query.state.fetchStatus !== 'idle') return;
    const path = query.queryKey[0] as AlertListPath;
    const changes = journal.get(path);
    if (!changes) return;
    journal.delete(path);
    const answered = 'action' in event && event.action.type === 'success';
    if (answered) apply(client, path, changes);
  });
  return journal;
}
