import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { useConnection } from '#renderer/lib/connection.ts';
import {
  REMOVED,
  notificationsEnabledAtom,
  useNotificationState,
  useNotificationsEnabled,
} from '#renderer/notifications/browser-notifications.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { forgetSentPush } from './sent-push.ts';

/** State of the pushes to this browser. */
export type PushState =
  | { status: 'none' }
  | { status: 'working' }
  /** The server sends pushes to this endpoint. */
  | { status: 'active'; endpoint: string }
  /** This browser was taken off the list of devices, so notifications were switched off here. */
  | { status: 'removed' }
  | { status: 'failed'; error: Error };

const stateAtom = atom<PushState>({ status: 'none' });
/** The subscribing in flight, which others may await, too. */
const workAtom = atom<Promise<PushState> | undefined>(undefined);
/** What was begun last: subscribing and ending wait for each other, so that the last word counts. */
const lastAtom = atom<Promise<unknown>>(Promise.resolve());

/** State of the pushes to this browser, as far as this page knows. */
export const pushStateAtom = atom((get) => get(stateAtom));

/** Lets go of what is known: nobody is signed in any more, and the server sends no pushes here. Write-only. */
export const forgetPushAtom = atom(null, (_get, set) => set(stateAtom, { status: 'none' }));

/**
 * Sees to it that the server sends pushes here: makes a subscription when there is none, and sends it. Where it was taken
 * off the list of devices, notifications are switched off instead. A call while another is in flight gets the same
 * answer. Never throws.
 */
export const subscribeToPushAtom = atom(null, (get, set): Promise<PushState> => {
  const inFlight = get(workAtom);
  if (inFlight) return inFlight;
  // Pushes that are on stay on while the server is asked: else this page would show what they show, too.
  if (get(stateAtom).status !== 'active') set(stateAtom, { status: 'working' });
  const work = get(lastAtom)
    .then(() => import('./push-subscription.ts'))
    .then(({ subscribeToPush }) => subscribeToPush())
    .then(
      (outcome): PushState =>
        outcome === 'removed' ? { status: 'removed' } : { status: 'active', endpoint: outcome.subscription.endpoint },
      (error: unknown): PushState => ({ status: 'failed', error: error instanceof Error ? error : new Error('') }),
    )
    .then((state) => {
      if (get(workAtom) === work) set(workAtom, undefined);
      set(stateAtom, state);
      if (state.status === 'removed') {
        set(notificationsEnabledAtom, false);
        // Switched on by hand it is sent, even when that comes before this one has ended.
        forgetSentPush();
      }
      return state;
    });
  set(workAtom, work);
  set(lastAtom, work);
  return work;
});

/** Ends the pushes to this browser. Never throws: what the server still sends, it finds gone. Write-only. */
export const endPushAtom = atom(null, (get, set): Promise<void> => {
  // A subscribing from now on runs after this.
  set(workAtom, undefined);
  const ended = get(lastAtom)
    .then(() => {
      // Why it ended stays known; and pushes may be requested again by now.
      if (get(stateAtom).status !== 'removed' && !get(workAtom)) set(stateAtom, { status: 'none' });
      return import('./push-subscription.ts');
    })
    .then(({ endPush }) => endPush())
    .catch(() => undefined);
  set(lastAtom, ended);
  return ended;
});

/**
 * Keeps the server's pushes to this browser in step with its switch: while notifications are permitted and on, the
 * subscription is there and sent after each sign-in, and looked for each time the server was away; switched off, it ends.
 * One that was taken off the list of devices switches them off, which a toast reports. Mounted once, in the signed-in layout.
 */
export function usePushSync(): void {
  const isGranted = useNotificationState() === 'granted';
  const [isEnabled] = useNotificationsEnabled();
  const isConnected = useConnection() === 'connected';
  const subscribe = useSetAtom(subscribeToPushAtom);
  const end = useSetAtom(endPushAtom);
  const forget = useSetAtom(forgetPushAtom);
  useEffect(() => {
    if (!isGranted || !isConnected) return;
    if (isEnabled) void subscribe();
    else void end();
  }, [isGranted, isConnected, isEnabled, subscribe, end]);
  const isRemoved = useAtomValue(pushStateAtom).status === 'removed';
  const toasts = useToasts();
  useEffect(() => {
    if (isRemoved) toasts.show(REMOVED);
  }, [isRemoved, toasts]);
  useEffect(() => () => forget(), [forget]);
}
