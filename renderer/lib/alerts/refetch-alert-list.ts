import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#renderer/lib/api-client.ts';
import { knownAlertLists } from './alert-list.ts';
import type { AlertListPath } from './alert-view.ts';
import { forgetAlertListChanges } from './change-alert-list.ts';

/**
 * Fetches every loaded page of a list again; one that is not on screen when it next is. A first load that is still
 * under way may have been answered before whatever made this necessary, so it is waited for and then repeated. Never
 * rejects: the query keeps its error.
 */
export async function refetchAlertList(client: QueryClient, path: AlertListPath): Promise<void> {
  const query = client.getQueryCache().find({ queryKey: [path], exact: true });
  if (!query) return;
  if (query.state.data === undefined) await query.promise?.catch(() => undefined);
  forgetAlertListChanges(client, path);
  await client.invalidateQueries({ queryKey: [path], exact: true });
}

/** Fetches all lists again, after something that may have changed any of them. */
export function refetchAlertLists(client: QueryClient): void {
  for (const { path } of knownAlertLists(client)) void refetchAlertList(client, path);
}

/** Whether a failure says that the alert has gone its own way: deleted (404) or taken by someone else (409). */
export const isSettledElsewhere = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 409);
