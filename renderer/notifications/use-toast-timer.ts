import { useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { dismissToastAtom } from '#renderer/lib/toast.ts';
import { TOAST_DURATION_MS, type ToastEntry } from '#renderer/lib/toast-queue.ts';

/**
 * Dismisses the toast after its five seconds, not counting those in which it was `paused`, by hover or focus (spec.md
 * section 4). A new revision of the toast starts the time again.
 */
export function useToastTimer({ id, revision }: ToastEntry, paused: boolean): void {
  const dismiss = useSetAtom(dismissToastAtom);
  const left = useRef({ revision, ms: TOAST_DURATION_MS });

  useEffect(() => {
    if (left.current.revision !== revision) left.current = { revision, ms: TOAST_DURATION_MS };
    if (paused) return undefined;
    const started = performance.now();
    const timer = setTimeout(() => dismiss({ id }), left.current.ms);
    return () => {
      clearTimeout(timer);
      left.current.ms = Math.max(0, left.current.ms - (performance.now() - started));
    };
  }, [id, revision, paused, dismiss]);
}
