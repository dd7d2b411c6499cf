import { useSetAtom } from 'jotai';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { dismissToastAtom } from '#renderer/lib/toast.ts';
import { TOAST_DURATION_MS, type ToastEntry } from '#renderer/lib/toast-queue.ts';

/**
 * Dismisses the toast after its five seconds, not counting those in which it is `paused`, by hover or focus. A new
 * revision of the toast starts the time again. News waits for the person to come back to the window
 * (docs/decisions/0017-notifications.md). A toast that somebody else times is only held.
 */
export function useToastTimer({ id, revision, intent, onHold }: ToastEntry, paused: boolean): void {
  const dismiss = useSetAtom(dismissToastAtom);
  const left = useRef({ revision, ms: TOAST_DURATION_MS });
  const isInFront = useSyncExternalStore(subscribeToFront, isWindowInFront);
  const isWaiting = paused || (intent === 'news' && !isInFront);

  useEffect(() => {
    if (onHold) {
      onHold(paused);
      return () => onHold(false);
    }
    if (left.current.revision !== revision) left.current = { revision, ms: TOAST_DURATION_MS };
    if (isWaiting) return undefined;
    const started = performance.now();
    const timer = setTimeout(() => dismiss(id), left.current.ms);
    return () => {
      clearTimeout(timer);
      left.current.ms = Math.max(0, left.current.ms - (performance.now() - started));
    };
  }, [id, revision, paused, isWaiting, onHold, dismiss]);
}

/** Whether somebody has this window in front of them. */
export const isWindowInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

function subscribeToFront(listener: () => void): () => void {
  const over = new AbortController();
  for (const type of ['focus', 'blur']) window.addEventListener(type, listener, { signal: over.signal });
  document.addEventListener('visibilitychange', listener, { signal: over.signal });
  return () => over.abort();
}
