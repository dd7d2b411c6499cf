import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { isSamePlace } from '#backend/contract/change.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import type { Session } from '#backend/contract/session.ts';
import { refetchAround } from '#renderer/alerts/data/around-lists.ts';
import { refetchAlertList, refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import type { AlertListPath } from '#renderer/alerts/data/list-view.ts';
import { setLookers } from '#renderer/alerts/data/looking.ts';
import { departAtom } from '#renderer/alerts/data/list-state.ts';
import { foldersQuery } from '#renderer/folders/data/folders.ts';
import { catchingUpAtom, connectionAtom, delayedAtom, reloadReasonAtom, resyncAtom } from '#renderer/lib/connection.ts';
import { findEarlyOutdated, isEarlyCurrent, liveUrl } from '#renderer/lib/early-start.ts';
import { fetchLater } from '#renderer/lib/lazy-part.ts';
import { refetchSoon, refetchWhenShown, wasAskedSince } from '#renderer/lib/query-freshness.ts';
import { readSession, sessionEndAtom, sessionQuery, useSession } from '#renderer/session/session.ts';
import { type LiveContext, createEventQueue } from './apply-event.ts';
import { askForChanges, askUntilAnswered, createCatchUp } from './catch-up.ts';
import { checkWhenBack } from './check-when-back.ts';
import { connect } from './connection.ts';
import { followAlertReads } from './follow-alerts.ts';
import type { PageReports } from './page-reports.ts';
import { watchResync } from './resync.ts';

/**
 * Keeps the signed-in screens live: what happens anywhere reaches the cached lists, and then `onEvents`, which stays the
 * same function. Mounted once, in the signed-in layout. When the session ends, it is set to null and the guard leaves for
 * /login.
 */
export function useLiveConnection(onEvents: (events: readonly LiveEvent[]) => void): void {
  const client = useQueryClient();
  const me = useSession().id;
  const setConnection = useSetAtom(connectionAtom);
  const depart = useSetAtom(departAtom);
  const setResync = useSetAtom(resyncAtom);
  const setReloadReason = useSetAtom(reloadReasonAtom);
  const setDelayed = useSetAtom(delayedAtom);
  const setCatchingUp = useSetAtom(catchingUpAtom);
  const setSessionEnd = useSetAtom(sessionEndAtom);

  useEffect(() => {
    const resync = watchResync(client, (isBehind) => setResync((now) => ({ ...now, isBehind })));
    setResync({ isBehind: false, retry: resync.retry });
    return () => {
      resync.stop();
      setResync({ isBehind: false, retry: () => undefined });
    };
  }, [client, setResync]);

  useEffect(() => {
    const refetchAll = (): void => {
      refetchAlertLists(client);
      refetchAround(client);
    };
    const over = new AbortController();
    let reports: PageReports | undefined;
    let greetings = 0;
    let isGreeted = false;
    let greetedAt = Number.NEGATIVE_INFINITY;
    const isCurrent = (query: Query): boolean =>
      wasAskedSince(query, greetings === 1 && isEarlyCurrent(query.queryKey[0]) ? Number.NEGATIVE_INFINITY : greetedAt);
    const context: LiveContext = {
      client,
      me,
      isCurrent: (path) =>
        client
          .getQueryCache()
          .findAll({ queryKey: [path], exact: true })
          .every(isCurrent),
      depart,
    };
    const queue = createEventQueue(context, (events) => {
      if (events.some(({ type }) => type === 'lists_changed' || type === 'alerts_changed')) refetchAround(client);
      else if (events.some(({ type }) => type === 'hello')) refetchAround(client, (query) => !isCurrent(query));
      followAlertReads(client, events);
      void adminLater.then((part) => part?.followSources(client, events)).catch(() => undefined);
      void noticesLater.then((part) => part?.followNotices(client, events, isCurrent)).catch(() => undefined);
      void viewsLater.then((part) => part?.followViews(client, events)).catch(() => undefined);
      if (events.some(({ type }) => type === 'folders_changed')) refetchWhenShown(client, foldersQuery.queryKey);
      if (events.some(({ type }) => type === 'profile_changed')) refetchSoon(client, sessionQuery.queryKey);
      onEvents(events);
      reports?.applied();
    });
    // Without it the pages of administrators stay as they are until they are opened again.
    const adminLater = fetchLater(() => import('./follow-sources.ts'));
    const noticesLater = fetchLater(() => import(/* webpackChunkName: "third" */ '#renderer/notifications/notices.ts'));
    // Views come after the first screen, and what follows them with them.
    const viewsLater = fetchLater(() => import(/* webpackChunkName: "third" */ '#renderer/views/views.ts'));
    let isAsking = false;
    const catchUp = createCatchUp({
      ask: askForChanges,
      arrived: (events) => {
        const hello = events.findLast((event) => event.type === 'hello');
        if (hello?.userId && hello.userId !== me) {
          leaveToOther(client);
          return false;
        }
        if (hello) {
          greetings += 1;
          isGreeted = true;
          greetedAt = performance.now();
          setConnection('connected');
          setDelayed(hello.isDelayed === true);
          if (hello.version !== PRODUCT_VERSION) setReloadReason('new-version');
          // In most cases nothing has happened in between, and nothing is read again.
          if (greetings === 1) void refetchEarly(client, hello.place);
        }
        reports?.arrived(events);
        return true;
      },
      deliver: queue.push,
      asking() {
        isAsking = true;
        setCatchingUp(true);
      },
      ended(missed) {
        isAsking = false;
        // The next question may have begun by then.
        queue.afterFlush(() => setCatchingUp(isAsking));
        if (!missed) return;
        // How often sources were called, and how many alerts are in a view, is not among what changed.
        for (const path of ['sources', 'unknown-keys']) refetchWhenShown(client, [`/api/${path}`]);
        void viewsLater.then((part) => part?.recountViews(client, missed)).catch(() => undefined);
      },
    });
    // The member may have another session, of another tab or under another token: only the server knows.
    const goOnOrLeave = async (isByAdministrator: boolean): Promise<void> => {
      const ask = () => readSession(over.signal);
      const session = (await askUntilAnswered(ask, over.signal, LONGEST_ASK_MS)) ?? null;
      if (over.signal.aborted) return;
      if (!session) setSessionEnd(isByAdministrator ? 'administrator' : undefined);
      takeSession(session, client, me);
      if (session?.id === me && !session.mustSetUpSecondStep) connection.resume();
    };
    const connection = connect(liveUrl(window.location), {
      onChange(state) {
        // It stands once the server has greeted: what happens before that comes with what is read after the greeting.
        if (state === 'connected' && !isGreeted) return;
        if (state === 'disconnected') {
          isGreeted = false;
          catchUp.lost();
          queue.afterFlush(setLookers);
        }
        setConnection(state);
      },
      onEvents: catchUp.receive,
      onUnreadable: refetchAll,
      onSessionEnded: (isByAdministrator) => void goOnOrLeave(isByAdministrator),
      // A server that is up refuses a socket only without a session, or where a second step has to be set up first, and a
      // socket cannot say so: ask over HTTP.
      onRefused: () =>
        void readSession(over.signal)
          .then((session) => !over.signal.aborted && takeSession(session, client, me))
          .catch(() => undefined),
    });
    const stopChecking = checkWhenBack(connection);
    void fetchLater(() => import(/* webpackChunkName: "third" */ './page-reports.ts'))
      .then((part) => {
        reports = over.signal.aborted ? undefined : part?.createPageReports(connection);
        return reports;
      })
      .catch(() => undefined);
    return () => {
      over.abort();
      reports?.stop();
      setLookers();
      stopChecking();
      connection.close();
      catchUp.close();
      queue.close();
      setConnection('connecting');
      setCatchingUp(false);
    };
  }, [client, me, setConnection, setDelayed, setCatchingUp, setReloadReason, setSessionEnd, depart, onEvents]);
}

/** Fetches lists again that were read with the page, if something has happened up to the place of the greeting. */
async function refetchEarly(client: QueryClient, greetedAt = ''): Promise<void> {
  await findEarlyOutdated(
    (place) => isSamePlace(place, greetedAt),
    (path) => refetchAlertList(client, path as AlertListPath),
  );
}

/** Another member has signed in in another tab: the guard leaves and clears what was read, and then it is their page. */
function leaveToOther(client: QueryClient): void {
  const { queryKey } = sessionQuery;
  client.setQueryData(queryKey, null);
  // In a task after the one in which the screens go.
  setTimeout(() => void client.refetchQueries({ queryKey }));
}

/** The page goes on under the session that its browser has by now, unless it is another member's: that page begins again. */
function takeSession(session: Session | null, client: QueryClient, me: string): void {
  if (session && session.id !== me) leaveToOther(client);
  else client.setQueryData(sessionQuery.queryKey, session);
}

/** The longest between two questions who is signed in, in milliseconds: every page of a server that is busy asks. */
const LONGEST_ASK_MS = 30_000;
