import { Classes } from '@blueprintjs/core';
import { useEffect } from 'react';
import type { ToastEntry } from '#renderer/lib/toast-queue.ts';
import { ToastWords } from './toast-words.tsx';

/** How long a toast takes to fade, in milliseconds; `--ad-duration-toast-out` says the same to the eye. */
const FADE_MS = 120;

/** A dismissed toast on its way out: it only fades, and then calls `onGone`. */
export function LeavingToast({ entry, onGone }: { entry: ToastEntry; onGone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onGone, FADE_MS);
    return () => clearTimeout(timer);
  }, [onGone]);
  return (
    <div className={`${Classes.TOAST} ad-toast ad-toast-${entry.intent} ad-toast-leaving`} aria-hidden inert>
      <ToastWords {...entry} subjects={entry.subject ? [entry.subject] : []} />
    </div>
  );
}
