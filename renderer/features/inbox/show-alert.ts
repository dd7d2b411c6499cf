import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { alertListQuery, inboxQuery, readAlertPage } from '#renderer/alerts/data/alert-queries.ts';
import { hasLoaded, isInLoadedRange } from '#renderer/alerts/data/list-pages.ts';
import { refetchAlertList } from '#renderer/alerts/data/list-cache.ts';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import { catchingUpAtom, useConnection } from '#renderer/lib/connection.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import * as texts from './texts.tsx';

/** The search parameter that names the alert to show. */
const PARAM = 'alert';

/** The member's alerts in all folders. */
const FILED = '/api/alerts/all-folders';

/**
 * Brings the alert that the address names (`/?alert=ID`: where notifications and links lead) into view, loading the list as
 * far as it takes. One that the member has accepted is shown in the list that has it; of any other it is said that it is no
 * longer in the inbox. A list that does not have it may be older than the notification, as after an outage: it is fetched
 * again before that is said. One that has it may be from before the outage: what was missed is waited for.
 */
export function ShowAlert() {
  const [params, setParams] = useSearchParams();
  const alertId = params.get(PARAM);
  // The same answer again, at once, changes nothing but when it came.
  const { data, dataUpdatedAt, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage } =
    useInfiniteQuery(inboxQuery);
  const show = useSetAtom(alertToShowAtom);
  const toasts = useToasts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const refetched = useRef<string>(undefined);
  const isConnected = useConnection() !== 'disconnected';
  const isCatchingUp = useAtomValue(catchingUpAtom) && isConnected;

  useEffect(() => {
    if (alertId === null || !data || dataUpdatedAt === 0 || isFetching) return;
    const [inbox] = inboxQuery.queryKey;
    const isLoaded = hasLoaded(data, alertId);
    // What was missed may have taken it out of the list. One that was fetched since knows.
    if (isLoaded && isCatchingUp && refetched.current !== alertId) return;
    const isFurther =
      !isLoaded &&
      hasNextPage &&
      !isInLoadedRange(data, 'newest', { id: alertId, status: 'pending', severity: 'none', state: 'event' });
    if (isFurther && !isFetchNextPageError) {
      void fetchNextPage({ cancelRefetch: false });
      return;
    }
    if (!isLoaded && refetched.current !== alertId) {
      refetched.current = alertId;
      refetchAlertList(client, inbox);
      return;
    }
    // The server has not answered yet. The list is fetched until it does, and says meanwhile that alerts may be missing.
    if (!isLoaded && client.getQueryState([inbox])?.isInvalidated) return;
    const lookElsewhere = async (): Promise<void> => {
      const mine = await findMine(client, alertId);
      if (mine !== undefined) {
        show({ id: alertId, path: mine });
        void navigate(mine);
        return;
      }
      toasts.show({
        intent: 'done',
        title: texts.noLongerInInbox,
        description: texts.thisAlertWasAcceptedOr,
      });
    };
    if (isLoaded) show({ id: alertId, path: '/' });
    else void lookElsewhere();
    setParams(
      (now) => {
        now.delete(PARAM);
        return now;
      },
      { replace: true },
    );
  }, [
    alertId,
    data,
    dataUpdatedAt,
    isFetching,
    isCatchingUp,
    isFetchNextPageError,
    hasNextPage,
    fetchNextPage,
    show,
    toasts,
    setParams,
    navigate,
    client,
  ]);
  return null;
}

/** The screen with the member's own alert of this id, among the latest of their queue and their folders. */
async function findMine(client: QueryClient, id: string): Promise<string | undefined> {
  const lists = [client.fetchInfiniteQuery(alertListQuery({ list: 'mine' })), readAlertPage(FILED, undefined)] as const;
  // What cannot be fetched now has nothing to show.
  const [mine, filed] = await Promise.allSettled(lists);
  if (mine.status === 'fulfilled' && hasLoaded(mine.value, id)) return '/my-alerts';
  const folder = filed.status === 'fulfilled' && filed.value.rows.find((alert) => alert.id === id)?.folderId;
  return folder ? `/folder/${encodeURIComponent(folder)}` : undefined;
}
