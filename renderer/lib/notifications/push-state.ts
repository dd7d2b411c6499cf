import { atom } from 'jotai';
import { notificationsEnabledAtom } from './notifications-enabled.ts';

/** How it stands with pushes to this browser. */
export type PushState =
  | { status: 'none' }
  | { status: 'working' }
  /** The server sends pushes to this endpoint. */
  | { status: 'active'; endpoint: string }
  /** This browser was taken off the list of devices, so notifications were switched off here. */
  | { status: 'removed' }
  | { status: 'failed'; error: Error };

const stateAtom = atom<PushState>({ status: 'none' });
/** The subscribing under way, which others may wait for, too. */
const workAtom = atom<Promise<PushState> | undefined>(undefined);
/** What was begun last: subscribing and ending wait for each other, so that the last word counts. */
const lastAtom = atom<Promise<unknown>>(Promise.resolve());

/** How it stands with pushes to this browser, as far as this page knows. */
export const pushStateAtom = atom((get) => get(stateAtom));

/** Lets go of what is known: nobody is signed in any more, and the server sends no pushes here. Write-only. */
export const forgetPushAtom = atom(null, (_get, set) => set(stateAtom, { status: 'none' }));

/**
 * Sees to it that the server sends pushes here: makes a subscription when there is none, and sends it. Where it was taken
 * off the list of devices, notifications are switched off instead. Whoever asks while that is under way gets the same
 * answer. Never throws.
 */
export const subscribeToPushAtom = atom(null, (get, set): Promise<PushState> => {
  const underWay = get(workAtom);
  if (underWay) return underWay;
  set(stateAtom, { status: 'working' });
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
      if (state.status === 'removed') set(notificationsEnabledAtom, false);
      return state;
    });
  set(workAtom, work);
  set(lastAtom, work);
  return work;
});

/** Ends the pushes to this browser. Never throws: what the server still sends, it finds gone. Write-only. */
export const endPushAtom = atom(null, (get, set): Promise<void> => {
  // Who asks for pushes from now on wants them after this.
  set(workAtom, undefined);
  const ended = get(lastAtom)
    .then(() => {
      // Why it ended stays known; and somebody may be waiting for pushes anew.
      if (get(stateAtom).status !== 'removed' && !get(workAtom)) set(stateAtom, { status: 'none' });
      return import('./push-subscription.ts');
    })
    .then(({ endPush }) => endPush())
    .catch(() => undefined);
  set(lastAtom, ended);
  return ended;
});
