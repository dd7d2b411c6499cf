import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { countedAboveAtom } from '#renderer/alerts/data/list-state.ts';
import { fetchLater } from '#renderer/lib/lazy-part.ts';
import { useSession } from '#renderer/session/session.ts';
import { newsOf } from '#renderer/toasts/toast-queue.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import type { Announcer } from './announcer.ts';
import type { NotificationChannel } from './notification-channel.ts';

/** Loads the channel to the system's notifications. */
export type LoadChannel = (store: ReturnType<typeof useStore>, client: QueryClient) => Promise<NotificationChannel>;

const loadBrowserChannel: LoadChannel = async (store) =>
  (await import('./notification-channel.ts')).browserChannel(store);

/**
 * Announces new alerts to the signed-in member: returns the receiver of live events, always the same function. The
 * announcer is loaded after the first screen; when it cannot be loaded, alerts are announced in toasts.
 *
 * @param complete completes an alert of mine, as its card does
 * @param loadChannel loads the channel where it is not the browser's; always the same function
 */
export function useAnnouncements(
  complete: (alert: Alert) => void,
  loadChannel: LoadChannel = loadBrowserChannel,
): (events: readonly LiveEvent[]) => void {
  const client = useQueryClient();
  const store = useStore();
  const toasts = useToasts();
  const me = useSession().id;
  const navigate = useNavigate();
  const latest = useRef({ navigate, complete });
  useEffect(() => {
    latest.current = { navigate, complete };
  }, [navigate, complete]);
  const announcer = useRef<Promise<Announcer> | undefined>(undefined);

  useEffect(() => {
    const fetching = fetchLater(async () => {
      const { createAnnouncer } = await import(/* webpackChunkName: "third" */ './announcer.ts');
      return createAnnouncer({
        client,
        toasts,
        channel: await loadChannel(store, client),
        screen: {
          counted: () => store.get(countedAboveAtom),
          watchCounted: (listener) => store.sub(countedAboveAtom, () => listener(store.get(countedAboveAtom))),
        },
        me,
        open: (path) => void latest.current.navigate(path),
        complete: (alert) => latest.current.complete(alert),
      });
    });
    const loading = fetching.then((made) => {
      if (!made) throw new Error('The announcer is missing.');
      return made;
    });
    announcer.current = loading;
    // A failure is handled with the next events, which toasts then announce.
    loading.catch(() => undefined);
    return () => {
      announcer.current = undefined;
      loading.then((made) => made.close()).catch(() => undefined);
    };
  }, [client, store, toasts, me, loadChannel]);

  return useCallback(
    (events) => {
      announcer.current?.then(
        (made) => made.receive(events),
        () => {
          const news = newsOf(events.flatMap((event) => (event.type === 'new_alert' ? [event.alert] : [])));
          if (news) toasts.show(news);
        },
      );
    },
    [toasts],
  );
}
