import type { QueryClient } from '@tanstack/react-query';
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
