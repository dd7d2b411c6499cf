import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#renderer/lib/api-client.ts';
import type { AlertListPath } from './alert-list.ts';
import { forgetAlertListChanges } from './change-alert-list.ts';

/**
 * Fetches every loaded page of a list again. A first load that is still under way may have been answered before
 * whatever made this necessary, so it is waited for and then repeated. Never rejects: the query keeps its error.
 */
export async function refetchAlertList(client: QueryClient, path: AlertListPath): Promise<void> {
  const query = client.getQueryCache().find({ queryKey: [path], exact: true });
  if (!query) return;
  if (query.state.data === undefined) await query.promise?.catch(() => undefined);
  forgetAlertListChanges(client, path);
  await client.refetchQueries({ queryKey: [path], exact: true });
}

/** Fetches both lists again, after something failed that may or may not have happened. */
export function refetchAlertLists(client: QueryClient): void {
  void refetchAlertList(client, '/api/alerts/inbox');
  void refetchAlertList(client, '/api/alerts/mine');
}

/** Whether a failure says that the alert has gone its own way: deleted (404) or taken by someone else (409). */
export const isSettledElsewhere = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 409);
