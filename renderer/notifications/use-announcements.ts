import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { firstScreen } from '#renderer/lib/first-screen.ts';
import { useSession } from '#renderer/lib/session.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import type { Announcer } from './announcer.ts';
import { newsOf } from './news-of.ts';
import type { NotificationWay } from './notification-way.ts';

/** Fetches the way to the system's notifications. */
export type LoadWay = (store: ReturnType<typeof useStore>, client: QueryClient) => Promise<NotificationWay>;

const loadBrowserWay: LoadWay = async (store) => (await import('./browser-way.ts')).browserWay(store);

/**
 * Tells the signed-in member of new alerts: returns what takes the live events, always the same function. What decides and
 * shows comes after the first screen; where it cannot be fetched, toasts go on.
 *
 * @param loadWay how the system's notifications are reached where it is not the browser's way; always the same function
 */
export function useAnnouncements(loadWay: LoadWay = loadBrowserWay): (events: readonly LiveEvent[]) => void {
  const client = useQueryClient();
  const store = useStore();
  const toasts = useToasts();
  const me = useSession().id;
  const announcer = useRef<Promise<Announcer> | undefined>(undefined);

  useEffect(() => {
    const loading = firstScreen
      .then(() => Promise.all([import('./announcer.ts'), loadWay(store, client)]))
      .then(([{ createAnnouncer }, way]) => createAnnouncer({ client, toasts, way, me }));
    announcer.current = loading;
    // What cannot be fetched is noticed with the next events, which toasts then tell.
    loading.catch(() => undefined);
    return () => {
      announcer.current = undefined;
      loading.then((made) => made.close()).catch(() => undefined);
    };
  }, [client, store, toasts, me, loadWay]);

  return useCallback(
    (events) => {
      announcer.current?.then(
        (made) => made.hear(events),
        () => {
          const news = newsOf(events.flatMap((event) => (event.type === 'new_alert' ? [event.alert] : [])));
          if (news) toasts.show(news);
        },
      );
    },
    [toasts],
  );
}
