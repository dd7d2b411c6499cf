import type { QueryClient } from '@tanstack/react-query';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { type AlertPages, shareAlerts } from './alert-pages.ts';

/** The alert lists that this app keeps: the query key of each is its path (spec.md section 7). */
export type AlertListPath = '/api/alerts/inbox' | '/api/alerts/mine';

/** Rows asked for at once; the rest comes while scrolling. */
export const PAGE_ROWS = 100;

/** The options that every alert list's query shares; see `inboxQuery` and `myAlertsQuery`. */
export const alertListOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { next?: string }): string | undefined => last.next,
  // Also asked about what a `select` makes of the pages, which is left as it is.
  structuralSharing: (older: unknown, newer: unknown): unknown =>
    isAlertPages(newer) ? shareAlerts(isAlertPages(older) ? older : undefined, newer) : newer,
  // Live events keep the lists current (spec.md section 9: data never goes stale).
  staleTime: Infinity,
  gcTime: Infinity,
  retry: false,
};

const isAlertPages = (value: unknown): value is AlertPages =>
  typeof value === 'object' && value !== null && 'pages' in value;

/** Reads one page of an alert list, newest first. Throws as `apiGet` does. */
export function getAlertPage(path: AlertListPath, before: string | undefined, signal?: AbortSignal) {
  return apiGetPage(path, alertListSchema, { limit: PAGE_ROWS, before, ...(signal && { signal }) });
}

/** The cached list, or undefined while it has never been loaded. */
export function readAlertList(client: QueryClient, path: AlertListPath): AlertPages | undefined {
  return client.getQueryData<AlertPages>([path]);
}
