import type { QueryClient } from '@tanstack/react-query';
import { findAlert } from '#renderer/lib/alerts/alert-pages.ts';
import { inboxQuery } from '#renderer/lib/alerts/get-inbox.ts';

/** Resolves with true as soon as this screen's inbox has the alert, with false when it has not within `withinMs`. */
export function arrivesInInbox(client: QueryClient, id: string, withinMs: number): Promise<boolean> {
  const isThere = (): boolean => {
    const pages = client.getQueryData(inboxQuery.queryKey);
    return pages !== undefined && findAlert(pages, id) !== undefined;
  };
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(isThere()), withinMs);
  const unsubscribe = client.getQueryCache().subscribe(() => {
    if (isThere()) resolve(true);
  });
  if (isThere()) resolve(true);
  return promise.finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}
