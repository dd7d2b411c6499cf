import { type Range, type Virtualizer, useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useRef, useState } from 'react';

/** Height of the free end of the list, in pixels. */
const END = 96;

/** Rows drawn beyond what is in view. */
const OVERSCAN = 6;

interface RowVirtualizerOptions {
  scroller: Element | null;
  /** How far below the scroller's top the list begins, in pixels. */
  top: number;
  count: number;
  keyOf: (index: number) => string;
  /** Height of a row before it is measured, in pixels. */
  estimateHeight: (index: number) => number;
  /** How far the list is scrolled at first, in pixels. */
  scrolled: number;
  /** Whether the page's head, which is all that is above the list, stays on top of it. */
  hasHead: boolean;
  /** Keep what is in view where it is when something comes or goes above it. */
  holdsPosition: () => boolean;
}

/** The rows that are in view, where they stand, and the one that has the focus wherever it is. */
export function useRowVirtualizer(options: RowVirtualizerOptions): {
  virtualizer: Virtualizer<Element, Element>;
  /** Tells which row to keep though it may be out of view. */
  keep: (index: number) => void;
} {
  const { scroller, top, count, keyOf, estimateHeight, scrolled, hasHead, holdsPosition } = options;
  const kept = useRef(0);
  // First what is seen, then what is around it.
  const overscan = useDeferredValue(OVERSCAN, 1);
  // Rows are drawn at once where the size of what scrolls them is known already.
  const [initialRect] = useState(() => ({ width: scroller?.clientWidth ?? 0, height: scroller?.clientHeight ?? 0 }));
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    enabled: scroller !== null,
    estimateSize: estimateHeight,
    getItemKey: keyOf,
    scrollMargin: top,
    initialOffset: scrolled,
    scrollPaddingStart: hasHead ? top : 0,
    scrollPaddingEnd: END,
    overscan,
    initialRect,
    anchorTo: holdsPosition() ? 'end' : 'start',
    rangeExtractor: (range) => indexesOf(range, count, kept.current),
  });
  return { virtualizer, keep: (index) => void (kept.current = index) };
}

/** The rows in view and around, and the one to keep. */
function indexesOf({ startIndex, endIndex, overscan }: Range, count: number, kept: number): number[] {
  const first = Math.max(0, startIndex - overscan);
  const last = Math.min(count - 1, endIndex + overscan);
  const range = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
  if (kept >= 0 && kept < first) return [kept, ...range];
  return kept > last && kept < count ? [...range, kept] : range;
}
