import { type RefObject, useEffect, useState } from 'react';

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
