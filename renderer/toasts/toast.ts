import { atom, useSetAtom } from 'jotai';
import { useMemo } from 'react';
import {
  type ResultToast,
  type Toast,
  type ToastEvent,
  type ToastQueue,
  currentToast,
  emptyToastQueue,
  isForMember,
  reduceToasts,
} from './toast-queue.ts';

/** Everything that the toast region shows, lets wait and keeps. Written by the atoms below alone. */
const queueAtom = atom(emptyToastQueue);

/** The toast queue, for the toaster and the list of past toasts. */
export const toastQueueAtom = atom((get) => get(queueAtom));

/** The visible toast. */
export const currentToastAtom = atom((get) => currentToast(get(queueAtom)));

const changeAtom = atom(null, (get, set, event: ToastEvent) => set(queueAtom, reduceToasts(get(queueAtom), event)));

const showToastAtom = atom(null, (get, set, toast: Toast): number | undefined => {
  const { nextId, owner } = get(queueAtom);
  if (owner === null && isForMember(toast)) return undefined;
  set(changeAtom, { type: 'show', toast, now: Date.now() });
  return nextId;
});

/**
 * The person takes the toast `id` away; `used` by its action. A toast that is no longer visible is left alone.
 */
export const closeToastAtom = atom(null, (get, set, { id, used = false }: { id: number; used?: boolean }) => {
  const current = currentToast(get(queueAtom));
  if (current?.id !== id) return;
  set(changeAtom, { type: 'dismiss', id, now: Date.now() });
  if (used) current.action?.onSelect();
  else current.onClose?.();
});

/** Takes a toast away because its time is over. Write-only. */
export const dismissToastAtom = atom(null, (_get, set, id: number) =>
  set(changeAtom, { type: 'dismiss', id, now: Date.now() }),
);

/** Changes the queue by what is loaded later. Write-only. */
export const changeToastsAtom = atom(null, (get, set, change: (queue: ToastQueue) => ToastQueue) =>
  set(queueAtom, change(get(queueAtom))),
);

/** What is read to screen readers and not shown. `count` grows, so that the same text is read again. */
export const announcementAtom = atom({ text: '', count: 0 });

const announceAtom = atom(null, (get, set, text: string) =>
  set(announcementAtom, { text, count: get(announcementAtom).count + 1 }),
);

/**
 * Shows toasts to the member who is signed in, and keeps them for that member; `null` when nobody is signed in any more:
 * then everything goes, and the next person finds nothing of it. Write-only.
 */
export const toastOwnerAtom = atom(null, (get, set, owner: string | null) => {
  if (get(queueAtom).owner === owner) return;
  if (owner === null) {
    set(changeAtom, { type: 'sign-out' });
    // It may name alerts, too.
    set(announceAtom, '');
  } else set(changeAtom, { type: 'sign-in', owner });
});

/** What any component may do with toasts. */
export interface Toasts {
  /**
   * Shows `toast`: at once when it reports a result, in its turn when it is news (see `toast-queue.ts`). Returns its id;
   * undefined when it is for a member and nobody is signed in any more: then it is not shown.
   */
  show(toast: Toast): number | undefined;
  /** Replaces a toast that is on screen and brings it to the front; quietly, it stays where it is and is not read out. */
  update(id: number, toast: ResultToast, isQuiet?: boolean): void;
  /** Takes a toast away, visible or covered. */
  dismiss(id: number): void;
  /** Changes what is shown and waits, such as news that is over. */
  change(change: (queue: ToastQueue) => ToastQueue): void;
  /** Has screen readers say `text` when there is a pause. */
  announce(text: string): void;
}

/** The toast region's interface. The same object on every render. */
export function useToasts(): Toasts {
  const show = useSetAtom(showToastAtom);
  const change = useSetAtom(changeAtom);
  const announce = useSetAtom(announceAtom);
  const changeQueue = useSetAtom(changeToastsAtom);
  return useMemo(
    () => ({
      show,
      update: (id, toast, isQuiet = false) => change({ type: 'update', id, toast, isQuiet, now: Date.now() }),
      dismiss: (id) => change({ type: 'dismiss', id, now: Date.now() }),
      change: changeQueue,
      announce,
    }),
    [show, change, announce, changeQueue],
  );
}
