import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import type { Tip } from './tip-bubble.tsx';

const TipBubble = lazyWithRetry(async () => (await import('./tip-bubble.tsx')).TipBubble, 'omit');

/**
 * One tooltip for everything inside that has a `data-tip`: shown when the text there is cut off, or always with
 * `data-tip-always`; at once with `data-tip-now`, on the side `data-tip-side`, with the count `data-tip-count` or the key
 * `data-tip-key`. A tooltip per value would cost a list more than its cards.
 */
export function HoverTip({ className, children }: { className?: string; children: ReactNode }) {
  const { tip, handlers } = useHoverTip();
  return (
    // These listen to what bubbles up from the controls inside; the element itself is no control.
    <div role="presentation" className={className} {...handlers}>
      {children}
      {tip && (
        <Suspense>
          <TipBubble key={`${tip.rect.left} ${tip.rect.top} ${tip.text}`} tip={tip} />
        </Suspense>
      )}
    </div>
  );
}

/** How long a pointer rests before a tooltip opens, and how soon after one the next opens at once. */
const OPEN_DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/** What a row that shows only its icon says of itself, at once and beside it. */
export const railTip = (label: string, count: number | undefined) => ({
  'data-tip': label,
  'data-tip-always': true,
  'data-tip-now': true,
  'data-tip-side': 'right',
  'data-tip-count': count,
});

/** Finds out which tooltip is due, from events that bubble up from its possible owners. */
export function useHoverTip() {
  const [tip, setTip] = useState<Tip>();
  const owner = useRef<HTMLElement>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const closedAt = useRef(Number.NEGATIVE_INFINITY);

  const handlers = useMemo(() => {
    const close = (): void => {
      clearTimeout(timer.current);
      owner.current = undefined;
      setTip((open) => {
        if (open) closedAt.current = performance.now();
        return undefined;
      });
    };
    const openFor = (target: EventTarget, isAsked: boolean): void => {
      const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;
      if (element === owner.current) return;
      close();
      if (!element || !isNeeded(element)) return;
      owner.current = element;
      const isNext =
        isAsked || element.dataset['tipNow'] !== undefined || performance.now() - closedAt.current < SKIP_DELAY_MS;
      timer.current = setTimeout(
        () => {
          if (element.isConnected) setTip(tipOf(element));
        },
        isNext ? 0 : OPEN_DELAY_MS,
      );
    };
    return {
      onPointerOver: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') openFor(event.target, false);
      },
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') close();
      },
      onPointerDown: close,
      // A finger cannot hover: a tap on a text that is cut off shows the rest of it.
      onPointerUp: (event: PointerEvent) => {
        const isOnControl = event.target instanceof Element && event.target.closest('a, button') !== null;
        if (event.pointerType === 'touch' && !isOnControl) openFor(event.target, true);
      },
      onFocus: (event: FocusEvent) => {
        if (event.target.matches(':focus-visible')) openFor(event.target, true);
      },
      onBlur: close,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') close();
      },
      onWheel: close,
    };
  }, []);

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!tip) return undefined;
    const close = (): void => setTip(undefined);
    document.addEventListener('scroll', close, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', close, { capture: true });
  }, [tip]);

  return { tip, handlers };
}

function tipOf(element: HTMLElement): Tip {
  const { tip = '', tipCount, tipKey, tipSide } = element.dataset;
  return {
    text: tip,
    count: tipCount === undefined ? undefined : Number(tipCount),
    hotkey: tipKey,
    rect: element.getBoundingClientRect(),
    side: tipSide === 'right' || tipSide === 'bottom-start' ? tipSide : 'top',
  };
}

/** Whether the tooltip would show more than is visible. */
function isNeeded(element: HTMLElement): boolean {
  if (element.dataset['tip'] === '') return false;
  if (element.dataset['tipAlways'] !== undefined) return true;
  const parts = [element, ...element.querySelectorAll<HTMLElement>('*')];
  return parts.some((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 4);
}
