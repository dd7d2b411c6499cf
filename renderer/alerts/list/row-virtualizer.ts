import { type Range, type VirtualItem, type Virtualizer, useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useInsertionEffect, useRef, useState } from 'react';

/** Height of the free end of the list, in pixels. */
const END = 96;

/** Rows drawn beyond what is in view. */
const OVERSCAN = 6;

type Rows = readonly { id: string }[];
type RowVirtualizer = Virtualizer<Element, Element>;

interface RowVirtualizerOptions {
  scroller: Element | null;
  /** How far below the scroller's top the list begins, in pixels. */
  top: number;
  /** The rows; their ids are their keys. */
  rows: Rows;
  /** Height of a row before it is measured, in pixels. */
  estimateHeight: (index: number) => number;
  /** How far the list is scrolled at first, in pixels. */
  scrolled: number;
  /** Whether the page's head, which is all that is above the list, stays on top of it. */
  hasHead: boolean;
  /** Keep what is in view where it is when something comes or goes above it. */
  holdsPosition: boolean;
}

/** What is on screen: the rows that were rendered last and committed, and how the virtualizer lays them out. */
interface Committed {
  rows: Rows;
  options: RowVirtualizer['options'];
}

/** The rows as this rendering draws them. */
export interface RowVirtualizerResult {
  virtualizer: RowVirtualizer;
  /** The rows to draw: those in view and around, and the one that has the focus wherever it is. */
  items: readonly VirtualItem[];
  /** Height of all rows, in pixels. */
  height: number;
  /** How far the list is scrolled once this is on screen, in pixels. */
  offset: number;
  /** Sets which row to keep though it may be out of view. */
  keep: (index: number) => void;
}

/**
 * Lays the rows out, finds those that are in view, and keeps them in their place when others come or go above them.
 *
 * The virtualizer changes itself while its component renders, and React may discard a rendering or repeat it, as it does with
 * deferred values. So it knows other rows than those on screen for no longer than a rendering takes; what it anchors, it anchors
 * when they are committed.
 */
export function useRowVirtualizer(props: RowVirtualizerOptions): RowVirtualizerResult {
  const { scroller, top, rows, estimateHeight, scrolled, hasHead, holdsPosition } = props;
  const kept = useRef(0);
  // First what is seen, then what is around it.
  const overscan = useDeferredValue(OVERSCAN, 1);
  // Rows are drawn at once where the size of what scrolls them is known already.
  const [initialRect] = useState(() => ({ width: scroller?.clientWidth ?? 0, height: scroller?.clientHeight ?? 0 }));
  const committed = useRef<Committed>(undefined);
  const last = useRef<RowVirtualizer>(undefined);
  const anchor =
    holdsPosition && committed.current && last.current && committed.current.rows !== rows
      ? findAnchor(last.current, rows)
      : undefined;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    enabled: scroller !== null,
    estimateSize: estimateHeight,
    getItemKey: (index) => rows[index]?.id ?? '',
    scrollMargin: top,
    initialOffset: scrolled,
    scrollPaddingStart: hasHead ? top : 0,
    scrollPaddingEnd: END,
    overscan,
    initialRect,
    rangeExtractor: (range) => indexesOf(range, rows.length, kept.current),
  });
  const drawn = draw(virtualizer, anchor);
  const { options } = virtualizer;
  if (committed.current) {
    virtualizer.options = committed.current.options;
    // It also remembers the range that it returned last.
    if (committed.current.rows !== rows) virtualizer.getVirtualItems();
  }
  // Before the new rows are measured, which their refs do.
  useInsertionEffect(() => {
    committed.current = { rows, options: { ...options, anchorTo: holdsPosition ? 'end' : 'start' } };
    last.current = virtualizer;
    commit(virtualizer, committed.current.options, anchor);
  });
  return { virtualizer, ...drawn, keep: (index) => void (kept.current = index) };
}

/** The row that stays in its place, and where the list will have it. */
interface Anchor {
  /** Where the row begins in the layout on screen, in pixels. */
  start: number;
  /** Its index among the new rows. */
  index: number;
}

/** The first row in view that is there both on screen and among the new rows. */
function findAnchor(virtualizer: RowVirtualizer, rows: Rows): Anchor | undefined {
  const { scrollOffset, options } = virtualizer;
  if (scrollOffset === null) return undefined;
  const upperEdge = scrollOffset + options.scrollPaddingStart;
  for (const { key, start, end } of virtualizer.getVirtualItems()) {
    const index = end > upperEdge ? rows.findIndex(({ id }) => id === key) : -1;
    if (index !== -1) return { start, index };
  }
  return undefined;
}

/** What is drawn with the virtualizer's present options, scrolled so that the anchor is where it was. */
function draw(
  virtualizer: RowVirtualizer,
  anchor: Anchor | undefined,
): Pick<RowVirtualizerResult, 'items' | 'height' | 'offset'> {
  const height = virtualizer.getTotalSize();
  const { scrollOffset } = virtualizer;
  const start = anchor && virtualizer.measurementsCache[anchor.index]?.start;
  if (!anchor || start === undefined || scrollOffset === null) {
    return { items: virtualizer.getVirtualItems(), height, offset: virtualizer.scrollOffset ?? 0 };
  }
  const offset = Math.max(0, scrollOffset + start - anchor.start);
  virtualizer.scrollOffset = offset;
  const items = virtualizer.getVirtualItems();
  virtualizer.scrollOffset = scrollOffset;
  return { items, height, offset };
}

/** Gives the virtualizer the layout that is on screen from now on. It writes the scroll position that goes with it. */
function commit(virtualizer: RowVirtualizer, options: Committed['options'], anchor: Anchor | undefined): void {
  if (!anchor || virtualizer.scrollOffset === null) {
    virtualizer.options = options;
    return;
  }
  // It anchors the row at its own offset, which the page's head may cover and which may have gone.
  const inset = anchor.start - virtualizer.scrollOffset;
  virtualizer.scrollOffset = anchor.start;
  virtualizer.setOptions(options);
  virtualizer.scrollOffset = Math.max(0, virtualizer.scrollOffset - inset);
}

/** The rows in view and around, and the one to keep. */
function indexesOf({ startIndex, endIndex, overscan }: Range, count: number, kept: number): number[] {
  const first = Math.max(0, startIndex - overscan);
  const last = Math.min(count - 1, endIndex + overscan);
  const range = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
  if (kept >= 0 && kept < first) return [kept, ...range];
  return kept > last && kept < count ? [...range, kept] : range;
}

/** How far below the upper end of what scrolls each drawn row stands, in pixels, by its key. */
export const topsOf = (items: readonly VirtualItem[], scrolled: number): ReadonlyMap<unknown, number> =>
  new Map(items.map(({ key, start }) => [key, start - scrolled]));
