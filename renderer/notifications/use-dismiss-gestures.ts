import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** How far to the right a swipe must go to dismiss, in pixels. */
const SWIPE_THRESHOLD = 50;

/** What is less than this is a click or the selection of a word, in pixels. */
const SWIPE_START = 4;

/**
 * Calls `onDismiss` after a swipe to the right beyond the threshold, and at Escape when the focus is inside. Returns how
 * far a swipe that is under way has come, in pixels.
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
        setDistance(moved);
      },
      pointerup: end,
      pointercancel: () => {
        moved = 0;
        end();
      },
      keydown: ({ key }: KeyboardEvent) => {
        if (key === 'Escape') dismiss();
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
