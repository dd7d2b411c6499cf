import { Classes } from '@blueprintjs/core';
import { useAtomValue, useSetAtom } from 'jotai';
import {
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { lazyWithRetry, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import type { ToastCardProps } from './toast-card.tsx';
import { TOAST_DURATION_MS, type ToastEntry } from './toast-queue.ts';
import { announcementAtom, closeToastAtom, currentToastAtom, toastQueueAtom } from './toast.ts';
import { useUndoControl } from './undo-key.ts';
import * as texts from './texts.ts';
import * as styles from './toaster.module.css';

// Nothing on a first screen has been done yet that could be reported.
const ToastCard = lazyWithRetry(async () => (await import('./toast-card.tsx')).ToastCard, 'report', PlainToast);
const LeavingToast = lazyWithRetry(async () => (await import('./toast-card.tsx')).LeavingToast, 'omit');

const KeepRecent = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './keep-recent.ts')).KeepRecent,
  'omit',
);

/** What a toast says, and for its usual time, where the card cannot be had. */
function PlainToast({ entry: { id, title, description }, onClose }: ToastCardProps) {
  const close = useEffectEvent(() => onClose(id, false));
  useEffect(() => {
    const timer = setTimeout(() => close(), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`${Classes.TOAST} ${styles.toast}`}>
      {title}
      {description !== undefined && `. ${description}`}
    </div>
  );
}

/**
 * The toast region: one toast at a time, where neither a title nor a primary action is (`toaster.module.css`); F8 brings
 * the focus here, and it goes back to where it was when the person dismisses the toast.
 */
export function Toaster() {
  const current = useAtomValue(currentToastAtom);
  const { owner } = useAtomValue(toastQueueAtom);
  const announcement = useAtomValue(announcementAtom);
  const closeToast = useSetAtom(closeToastAtom);
  const region = useRef<HTMLElement>(null);
  const restoreFocus = useRegionFocus(region);
  const [leaving, setLeaving] = useLeaving(current);
  useUndoControl();

  const close = (id: number, used: boolean): void => {
    restoreFocus();
    closeToast({ id, used });
  };
  const onGone = useCallback(() => setLeaving(null), [setLeaving]);
  const shown = (...intents: ToastEntry['intent'][]) =>
    current && intents.includes(current.intent) && <ToastCard key={current.id} entry={current} onClose={close} />;

  return (
    <section ref={region} className={styles.toaster} data-above aria-label={texts.notificationsF8} tabIndex={-1}>
      {/* Both are always there: what appears in them is read out, failures at once and the rest when there is a pause. */}
      <div aria-live="assertive" aria-atomic>
        <Suspense>{shown('error')}</Suspense>
      </div>
      <div aria-live="polite" aria-atomic>
        <Suspense>{shown('done', 'notice')}</Suspense>
      </div>
      {/* News is announced by `announcement`, where a storm is one number and not each of its alerts. */}
      <Suspense>{shown('news')}</Suspense>
      {/* The region stays, and its text is a new node each time, so that the same text is announced again. */}
      <output className="ad-hidden">
        <span key={announcement.count}>{announcement.text}</span>
      </output>
      {owner !== null && <KeepRecent key={owner} owner={owner} />}
      <Suspense>{leaving && <LeavingToast key={`leaving ${leaving.id}`} entry={leaving} onGone={onGone} />}</Suspense>
    </section>
  );
}

/** The toast that was just dismissed stays on screen while it fades; one that was replaced disappears at once. */
function useLeaving(current: ToastEntry | null) {
  const [leaving, setLeaving] = useState<ToastEntry | null>(null);
  const { owner } = useAtomValue(toastQueueAtom);
  const last = useRef({ entry: current, owner });
  useLayoutEffect(() => {
    // What somebody else was shown is gone with them.
    setLeaving(current || last.current.owner !== owner ? null : last.current.entry);
    last.current = { entry: current, owner };
  }, [current, owner]);
  return [leaving, setLeaving] as const;
}

/** The key that brings the focus to the toast region. */
const REGION_KEY = 'F8';

/**
 * F8 moves the focus into the region: to its toast's first button, else to the region itself. The function that comes
 * back returns the focus to where it came from, for when the toast that holds it is about to go.
 */
export function useRegionFocus(region: RefObject<HTMLElement | null>): () => void {
  const origin = useRef<Element | null>(null);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== REGION_KEY || !region.current) return;
      event.preventDefault();
      (region.current.querySelector('button') ?? region.current).focus();
    };
    // However the focus comes in, by key or by pointer: remember where it was.
    const onFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
      const section = region.current;
      if (!section || !(target instanceof Node) || !section.contains(target)) return;
      if (relatedTarget instanceof Element && section.contains(relatedTarget)) return;
      origin.current = relatedTarget instanceof Element ? relatedTarget : null;
    };
    window.addEventListener('keydown', onKeyDown);
    document.addEventListener('focusin', onFocusIn);
    // Who presses Undo in a toast does not leave the popup that is open.
    const section = region.current;
    const keep = (event: Event): void => event.stopPropagation();
    section?.addEventListener('mousedown', keep);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('focusin', onFocusIn);
      section?.removeEventListener('mousedown', keep);
    };
  }, [region]);

  return () => {
    if (!region.current?.contains(document.activeElement)) return;
    const back = origin.current?.isConnected ? origin.current : document.querySelector('main');
    if (back instanceof HTMLElement) back.focus();
  };
}
