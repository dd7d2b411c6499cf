import { type Dispatch, type RefObject, type SetStateAction, useLayoutEffect } from 'react';
import { scrollParentOf } from './scroll-parent-of.ts';

/** Where a list stands: what scrolls it, how far below that one's top it begins, and how wide it is, in pixels. */
export interface ListGeometry {
  scroller: Element | null;
  top: number;
  width: number;
}

/** Before a list was measured. */
export const UNKNOWN_GEOMETRY: ListGeometry = { scroller: null, top: 0, width: 0 };

/**
 * Measures the list, and again whenever its surroundings change their size. Who holds the geometry keeps it for the list
 * that takes this one's place, which can then draw its rows at once.
 */
export function useListGeometry(
  list: RefObject<HTMLElement | null>,
  onMeasure: Dispatch<SetStateAction<ListGeometry>>,
): void {
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const scroller = scrollParentOf(element);
    const measure = (): void => {
      const { top, width } = element.getBoundingClientRect();
      const fromTop = top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      onMeasure((known) =>
        known.scroller === scroller && known.top === fromTop && known.width === width
          ? known
          : { scroller, top: fromTop, width },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    if (element.parentElement) observer.observe(element.parentElement);
    // The head grows by a row when its filters do not fit beside the title.
    const head = element.closest('.ad-page')?.firstElementChild;
    if (head) observer.observe(head);
    measure();
    return () => observer.disconnect();
  }, [list, onMeasure]);
}
