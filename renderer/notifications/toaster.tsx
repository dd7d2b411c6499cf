import { useAtomValue, useSetAtom } from 'jotai';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { TOAST_REMOVAL_DELAY_MS } from '#renderer/lib/recent-toasts.ts';
import {
  announcementAtom,
  closeToastAtom,
  currentToastAtom,
  forgetToastsAtom,
  toastQueueAtom,
} from '#renderer/lib/toast.ts';
import type { ToastEntry } from '#renderer/lib/toast-queue.ts';
import { LeavingToast } from './leaving-toast.tsx';
import { ToastCard } from './toast-card.tsx';
import { useRegionFocus } from './use-region-focus.ts';
import { useUndoControl } from './use-undo-control.ts';
import './toaster.css';

/**
 * The toast region: one toast at a time, where no primary action is (`toaster.css`); F8 brings
 * the focus here, and it goes back to where it was when the person dismisses the toast.
 */
export function Toaster() {
  const current = useAtomValue(currentToastAtom);
  const announcement = useAtomValue(announcementAtom);
  const closeToast = useSetAtom(closeToastAtom);
  const region = useRef<HTMLElement>(null);
  const restoreFocus = useRegionFocus(region);
  const [leaving, setLeaving] = useLeaving(current);
  useForgetting();
  useUndoControl();

  const close = (id: number, used: boolean): void => {
    restoreFocus();
    closeToast({ id, used });
  };
  const onGone = useCallback(() => setLeaving(null), [setLeaving]);

  return (
    <section ref={region} className="ad-toaster" aria-label="Notifications (F8)" tabIndex={-1}>
      {/* Both are always there: what appears in them is read out, failures at once and the rest when there is a pause. */}
      <div aria-live="assertive" aria-atomic>
        {current?.intent === 'error' && <ToastCard key={current.id} entry={current} onClose={close} />}
      </div>
      <div aria-live="polite" aria-atomic>
        {current && current.intent !== 'error' && <ToastCard key={current.id} entry={current} onClose={close} />}
      </div>
      <output key={announcement.count} className="ad-hidden">
        {announcement.text}
      </output>
      {leaving && <LeavingToast key={leaving.id} entry={leaving} onGone={onGone} />}
    </section>
  );
}

/** What has just gone stays in the picture while it fades; what was replaced by another makes way at once. */
function useLeaving(current: ToastEntry | null) {
  const [leaving, setLeaving] = useState<ToastEntry | null>(null);
  const last = useRef<ToastEntry | null>(null);
  useLayoutEffect(() => {
    setLeaving(current ? null : last.current);
    last.current = current;
  }, [current]);
  return [leaving, setLeaving] as const;
}

/** Lets go of dismissed toasts when their time in the store is over. */
function useForgetting(): void {
  const { recent } = useAtomValue(toastQueueAtom);
  const oldest = recent.reduce((first, { dismissedAt = Infinity }) => Math.min(first, dismissedAt), Infinity);
  const forget = useSetAtom(forgetToastsAtom);
  useEffect(() => {
    if (oldest === Infinity) return undefined;
    const timer = setTimeout(forget, Math.max(0, oldest + TOAST_REMOVAL_DELAY_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [oldest, forget]);
}
