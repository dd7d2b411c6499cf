import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isInLoadedRange } from '#renderer/lib/alerts/alert-pages.ts';
import { inboxQuery } from '#renderer/lib/alerts/get-inbox.ts';
import { refetchAlertList } from '#renderer/lib/alerts/refetch-alert-list.ts';
import { wantedAlertAtom } from '#renderer/lib/notifications/wanted-alert.ts';
import { useToasts } from '#renderer/lib/toast.ts';

/** The search parameter that names the alert to show. */
const PARAM = 'alert';

/**
 * Brings the alert that the address names (`/?alert=ID`: where a notification leads) into view, loading the list as far
 * as it takes, and says so when it is no longer in the inbox. A list that does not have it may be older than the
 * notification, as after an outage: it is fetched again before that is said.
 */
export function ShowAlert() {
  const [params, setParams] = useSearchParams();
  const wanted = params.get(PARAM);
  const { data, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage } = useInfiniteQuery(inboxQuery);
  const show = useSetAtom(wantedAlertAtom);
  const toasts = useToasts();
  const client = useQueryClient();
  const refetched = useRef<string>(undefined);

  useEffect(() => {
    if (wanted === null || !data || isFetching) return;
    const [inbox] = inboxQuery.queryKey;
    const isThere = data.pages.some(({ rows }) => rows.some(({ id }) => id === wanted));
    const isFurther = !isThere && hasNextPage && !isInLoadedRange(data, 'newest', { id: wanted, status: 'pending' });
    if (isFurther && !isFetchNextPageError) {
      void fetchNextPage({ cancelRefetch: false });
      return;
    }
    if (!isThere && refetched.current !== wanted) {
      refetched.current = wanted;
      void refetchAlertList(client, inbox);
      return;
    }
    // The server has not answered yet. The list is fetched until it does, and says meanwhile that alerts may be missing.
    if (!isThere && client.getQueryState([inbox])?.isInvalidated) return;
    if (isThere) show(wanted);
    else {
      toasts.show({
        intent: 'done',
        title: 'No longer in the inbox',
        description: 'This alert was accepted or deleted in the meantime.',
      });
    }
    setParams(
      (now) => {
        now.delete(PARAM);
        return now;
      },
      { replace: true },
    );
  }, [wanted, data, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage, show, toasts, setParams, client]);
  return null;
}
