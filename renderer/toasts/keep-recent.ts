import { useAtomValue, useSetAtom, useStore } from 'jotai';
import { useEffect } from 'react';
import { MAX_RECENT, TOAST_REMOVAL_DELAY_MS, pruneRecent } from './recent-toasts.ts';
import { type RecentToast, readStoredRecent, storeRecent } from './stored-recent.ts';
import { changeToastsAtom, toastQueueAtom } from './toast.ts';

/** Keeps a member's past toasts for a reload of the tab, and lets go of those whose time is over. Draws nothing. */
export function KeepRecent({ owner }: { owner: string }) {
  const store = useStore();
  const change = useSetAtom(changeToastsAtom);
  const { recent } = useAtomValue(toastQueueAtom);
  const oldest = recent.reduce((first, { dismissedAt = Infinity }) => Math.min(first, dismissedAt), Infinity);

  useEffect(() => {
    // The session may have ended since this was drawn.
    if (store.get(toastQueueAtom).owner !== owner) return undefined;
    change((queue) => ({
      ...queue,
      recent: pruneRecent(putBefore(readStoredRecent(owner), queue.recent), Date.now()),
    }));
    // With each change, and not after it is drawn: the page may be left, and what is somebody's goes with the session.
    const write = (): void => {
      const queue = store.get(toastQueueAtom);
      storeRecent(queue.owner, queue.recent);
    };
    write();
    return store.sub(toastQueueAtom, write);
  }, [store, change, owner]);

  useEffect(() => {
    if (oldest === Infinity) return undefined;
    const left = oldest + TOAST_REMOVAL_DELAY_MS - Date.now();
    const forget = (): void => change((queue) => ({ ...queue, recent: pruneRecent(queue.recent, Date.now()) }));
    const timer = setTimeout(forget, Math.max(0, left));
    return () => clearTimeout(timer);
  }, [oldest, change]);
  return null;
}

/** Puts those in front that were kept before; their ids are made to stand before those of this page. */
export const putBefore = (earlier: readonly RecentToast[], recent: readonly RecentToast[]): readonly RecentToast[] =>
  [...earlier.map((one, at) => ({ ...one, id: at - earlier.length })), ...recent].slice(-MAX_RECENT);
