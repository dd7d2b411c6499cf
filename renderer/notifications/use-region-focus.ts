import { type RefObject, useEffect, useRef } from 'react';

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
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('focusin', onFocusIn);
    };
  }, [region]);

  return () => {
    if (!region.current?.contains(document.activeElement)) return;
    const back = origin.current?.isConnected ? origin.current : document.querySelector('main');
    if (back instanceof HTMLElement) back.focus();
  };
}
