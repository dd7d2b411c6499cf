import { useSetAtom } from 'jotai';
import { type RefObject, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { TOAST_DURATION_MS, type ToastEntry } from './toast-queue.ts';
import { dismissToastAtom } from './toast.ts';

/**
 * Dismisses the toast after its five seconds, not counting those in which it is `paused`, by hover or focus. A new
 * revision of the toast starts the time again. News waits for the person to come back to the window
 * (docs/decisions/0017-notifications.md). A toast that somebody else times is only paused.
 */
export function useToastTimer({ id, revision, intent, onPause }: ToastEntry, paused: boolean): void {
  const dismiss = useSetAtom(dismissToastAtom);
  const left = useRef({ revision, ms: TOAST_DURATION_MS });
  const isInFront = useSyncExternalStore(subscribeToFront, isWindowInFront);
  const isWaiting = paused || (intent === 'news' && !isInFront);

  useEffect(() => {
    if (onPause) {
      onPause(paused);
      return () => onPause(false);
    }
    if (left.current.revision !== revision) left.current = { revision, ms: TOAST_DURATION_MS };
    if (isWaiting) return undefined;
    const started = performance.now();
    const timer = setTimeout(() => dismiss(id), left.current.ms);
    return () => {
      clearTimeout(timer);
      left.current.ms = Math.max(0, left.current.ms - (performance.now() - started));
    };
  }, [id, revision, paused, isWaiting, onPause, dismiss]);
}

/** Whether somebody has this window in front of them. */
export const isWindowInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

function subscribeToFront(listener: () => void): () => void {
  const over = new AbortController();
  for (const type of ['focus', 'blur']) window.addEventListener(type, listener, { signal: over.signal });
  document.addEventListener('visibilitychange', listener, { signal: over.signal });
  return () => over.abort();
}

/** Whether somebody attends to the element: hovers over it, or has the focus inside. */
export function useAttended(ref: RefObject<HTMLElement | null>): boolean {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    element.addEventListener('mouseenter', () => setHovered(true), { signal });
    element.addEventListener('mouseleave', () => setHovered(false), { signal });
    element.addEventListener('focusin', () => setFocused(true), { signal });
    element.addEventListener('focusout', () => setFocused(false), { signal });
    return () => controller.abort();
  }, [ref]);
  return hovered || focused;
}

/** How far to the right a swipe must go to dismiss, in pixels. */
const SWIPE_THRESHOLD = 50;

/** What is less than this is a click or the selection of a word, in pixels. */
const SWIPE_START = 4;

/**
 * Calls `onDismiss` after a swipe to the right beyond the threshold, and at Escape when the focus is inside. Returns how
 * far an active swipe has come, in pixels.
 */
export function useDismissGestures(ref: RefObject<HTMLElement | null>, onDismiss: () => void): number {
  const [distance, setDistance] = useState(0);
  const dismiss = useEffectEvent(onDismiss);

  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    let start: number | undefined;
    let moved = 0;

    const end = (): void => {
      const swiped = moved >= SWIPE_THRESHOLD;
      start = undefined;
      moved = 0;
      setDistance(0);
      if (swiped) dismiss();
    };
    const handlers = {
      pointerdown: ({ target, isPrimary, button, clientX }: PointerEvent) => {
        const onButton = target instanceof Element && target.closest('button') !== null;
        if (isPrimary && button === 0 && !onButton) start = clientX;
      },
      pointermove: ({ clientX, pointerId }: PointerEvent) => {
        if (start === undefined) return;
        moved = Math.max(0, clientX - start);
        if (moved <= SWIPE_START) return;
        element.setPointerCapture(pointerId);
        // A swipe selects no text: the next one would drag the selection.
        window.getSelection()?.removeAllRanges();
        setDistance(moved);
      },
      pointerup: end,
      pointercancel: () => {
        moved = 0;
        end();
      },
      keydown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        // The page behind would take it, too: a list its selection.
        event.preventDefault();
        event.stopPropagation();
        dismiss();
      },
    };
    return listen(element, handlers);
  }, [ref]);

  return distance;
}

type Handlers = { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };

function listen(element: HTMLElement, handlers: Handlers): () => void {
  const controller = new AbortController();
  for (const [type, handler] of Object.entries(handlers))
    element.addEventListener(type, handler as EventListener, { signal: controller.signal });
  return () => controller.abort();
}
