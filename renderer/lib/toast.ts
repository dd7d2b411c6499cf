import { atom, useSetAtom } from 'jotai';
import { useMemo } from 'react';
import { type Toast, emptyToastQueue, reduceToasts } from './toast-queue.ts';

/** Everything that the toast region shows, lets wait and keeps. Written by the atoms below alone. */
const queueAtom = atom(emptyToastQueue);

/** The toast queue, for the toaster and the list of past toasts. */
export const toastQueueAtom = atom((get) => get(queueAtom));

const showToastAtom = atom(null, (get, set, toast: Toast) => {
  const before = get(queueAtom);
  const after = reduceToasts(before, { type: 'show', toast, now: Date.now() });
  set(queueAtom, after);
  if (before.current && before.current.id !== after.current?.id) before.current.onDismiss?.();
});

/**
 * Takes the toast `id` away. `used` says that its action was used, and then its `onDismiss` is not called. A toast
 * that is no longer visible is left alone.
 */
export const dismissToastAtom = atom(null, (get, set, { id, used = false }: { id: number; used?: boolean }) => {
  const { current } = get(queueAtom);
  if (current?.id !== id) return;
  set(queueAtom, (queue) => reduceToasts(queue, { type: 'dismiss', id, now: Date.now() }));
  if (used) current.action?.onSelect();
  else current.onDismiss?.();
});

/** Lets go of the toasts that were dismissed longer ago than spec.md section 9 says. */
export const forgetToastsAtom = atom(null, (_get, set) =>
  set(queueAtom, (queue) => reduceToasts(queue, { type: 'forget', now: Date.now() })),
);

/** What any component may do with toasts. */
export interface Toasts {
  /** Shows `toast`: at once when it tells a result, in its turn when it is news (see `toast-queue.ts`). */
  show(toast: Toast): void;
}

/** The toast region's front door (spec.md section 8). The same object on every render. */
export function useToasts(): Toasts {
  const show = useSetAtom(showToastAtom);
  return useMemo(() => ({ show }), [show]);
}
