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
const workAtom = atom<Promise<PushState> | undefined>(undefined);

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
  const work = import('./push-subscription.ts')
    .then(({ subscribeToPush }) => subscribeToPush())
    .then(
      (outcome): PushState =>
        outcome === 'removed' ? { status: 'removed' } : { status: 'active', endpoint: outcome.subscription.endpoint },
      (error: unknown): PushState => ({ status: 'failed', error: error instanceof Error ? error : new Error('') }),
    )
    .then((state) => {
      set(workAtom, undefined);
      set(stateAtom, state);
      if (state.status === 'removed') set(notificationsEnabledAtom, false);
      return state;
    });
  set(workAtom, work);
  return work;
});

/** Ends the pushes to this browser. Never throws: what the server still sends, it finds gone. Write-only. */
export const endPushAtom = atom(null, async (get, set): Promise<void> => {
  await get(workAtom);
  // Why it ended stays known.
  if (get(stateAtom).status !== 'removed') set(stateAtom, { status: 'none' });
  await import('./push-subscription.ts').then(({ endPush }) => endPush()).catch(() => undefined);
});
