import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { type Session, sessionSchema } from '#backend/contract/session.ts';
import { departAtom } from '#renderer/lib/alerts/departures.ts';
import { recountAlertList } from '#renderer/lib/alerts/recount-alert-list.ts';
import { refetchAlertList, refetchAlertLists } from '#renderer/lib/alerts/refetch-alert-list.ts';
import { recountAround, refetchAround } from '#renderer/lib/alerts/replace-alert.ts';
import { statsQuery } from '#renderer/lib/alerts/get-stats.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';
import { connectionAtom } from '#renderer/lib/connection.ts';
import { foldersQuery } from '#renderer/lib/folders/get-folders.ts';
import { refetchSoon } from '#renderer/lib/refetch-soon.ts';
import { sessionQuery, useSession } from '#renderer/lib/session.ts';
import { applyEvents } from './apply-event.ts';
import { connect } from './connection.ts';
import { createFrameQueue } from './frame-queue.ts';

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

  useEffect(() => {
    const refetchAll = (): void => {
      refetchAlertLists(client);
      refetchAround(client);
    };
    const queue = createFrameQueue<LiveEvent>((events) => {
      applyEvents(events, {
        client,
        me,
        refetch: (path) => void refetchAlertList(client, path),
        refetchSoon: (path) => refetchSoon(client, [path]),
        recount: (path) => recountAlertList(client, path),
        depart,
        changed: (before, after) => recountAround(client, me, before, after),
      });
      if (events.some(({ type }) => type === 'hello' || type === 'lists_changed')) refetchAround(client);
      if (events.some(({ type }) => type === 'folders_changed')) refetchSoon(client, foldersQuery.queryKey);
      refetchSoon(client, statsQuery.queryKey);
      onEvents(events);
    });
    const disconnect = connect(liveUrl(window.location), {
      onChange: setConnection,
      onEvents: (events) => queue.push(events),
      onUnreadable: refetchAll,
      onSessionEnded: () => client.setQueryData(sessionQuery.queryKey, null),
      // A server that is up refuses a socket only for want of a session, and a socket cannot say so: ask.
      onRefused: () => void leaveWhenSignedOut(client),
    });
    return () => {
      disconnect();
      queue.close();
      setConnection('connecting');
    };
  }, [client, me, setConnection, depart, onEvents]);
}

/** A server that is up refuses a socket only for want of a session, and a socket cannot say so: ask over HTTP. */
async function leaveWhenSignedOut(client: QueryClient): Promise<void> {
  const session = await readSession().catch(() => undefined);
  if (session === null) client.setQueryData(sessionQuery.queryKey, null);
}

/** Who is signed in by now, past the cache. `null`: nobody. */
const readSession = (): Promise<Session | null> =>
  apiGet('/api/auth/session', sessionSchema).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });

/** The address of the live events: same host as the page, wss on https (spec.md section 7), many events per frame. */
export function liveUrl({ protocol, host }: { protocol: string; host: string }): string {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/ws?batch=1`;
}
