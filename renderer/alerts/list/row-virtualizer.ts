import {
  type Range,
  type VirtualItem,
  type Virtualizer,
  measureElement,
  useVirtualizer,
} from '@tanstack/react-virtual';
import { startTransition, useEffect, useInsertionEffect, useRef, useState } from 'react';

/** Height of the free end of the list, in pixels. */
const END = 96;

/** Rows drawn beyond what is in view. */
const OVERSCAN = 6;

/** So many of them are drawn with what is in view, though they are new. */
const FEW = 2;

/** Scrolled down by more than this, in pixels, a list keeps its position when alerts come on top. */
export const SCROLLED = 4;

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
  /** Rows have that height by their styles: none is measured, which would lay all new ones out at once. */
  isExact: boolean;
  /** How far the list is scrolled at first, in pixels. */
  scrolled: number;
  /** Whether the page's head, which is all that is above the list, stays on top of it. */
  hasHead: boolean;
  /** Keep what is in view where it is when something comes or goes above it, also at the top. */
  isInUse: boolean;
  /** Where the mouse is over the list, in pixels below the scroller's top: the row under it is the one that keeps its place. */
  mouseAt: () => number | undefined;
}

/** The state on screen: the rows that React committed last, and the virtualizer's options for them. */
interface Committed {
  virtualizer: RowVirtualizer;
  rows: Rows;
  options: RowVirtualizer['options'];
  /** Ids of the rows that are drawn. */
  drawn: ReadonlySet<unknown>;
  /** Rows around the view are still to be drawn. */
  isPartial: boolean;
}

/** The rows as this render draws them. */
export interface RowVirtualizerResult {
  virtualizer: RowVirtualizer;
  /**
   * The rows to draw: those in view and around, and the one that has the focus wherever it is. What is new around the view
   * comes in a render of its own, so that many new rows are not one long task.
   */
  items: readonly VirtualItem[];
  /** Height of all rows, in pixels. */
  height: number;
  /** How far the list is scrolled once this render is committed, in pixels. */
  offset: number;
  /** Whether what is in view stays where it is when something comes or goes above it. */
  holdsPosition: boolean;
  /** Sets which row to keep though it may be out of view. */
  keep: (index: number) => void;
}

/**
 * Lays the rows out, draws those in view, and keeps these where they are when rows are added or removed above them.
 *
 * TanStack's virtualizer has no concurrent mode: a render gives it the new rows, and with `anchorTo: 'end'` moves its scroll
 * offset at once. React discards and repeats renders of deferred values, and the next commit then writes an offset for rows that
 * are not on screen. So each render restores the committed options and offset before it returns, and the scroll offset is
 * anchored in the commit.
 */
export function useRowVirtualizer(props: RowVirtualizerOptions): RowVirtualizerResult {
  const { scroller, top, rows, estimateHeight, isExact, scrolled, hasHead, isInUse, mouseAt } = props;
  const kept = useRef(0);
  /** The rows that are drawn around the view, too. */
  const [whole, setWhole] = useState<Rows>();
  // Rows are drawn at once where the size of what scrolls them is known already.
  const [initialRect] = useState(() => ({ width: scroller?.clientWidth ?? 0, height: scroller?.clientHeight ?? 0 }));
  const committed = useRef<Committed>(undefined);
  const before = committed.current;
  const areOthers = before !== undefined && before.rows !== rows;
  // The virtualizer's own offset is what it wrote last, also where the browser could not scroll that far. The element is asked
  // only where it matters: that lays the page out.
  const scrolledBy = areOthers ? scroller?.scrollTop : before?.virtualizer.scrollOffset;
  // First what is seen, then what is around it.
  const isPartly = whole !== rows && (areOthers || before?.isPartial !== false);
  let isPartial = false;
  const holdsPosition = isInUse || (scrolledBy ?? 0) > SCROLLED;
  const anchor = holdsPosition && areOthers ? findAnchor(before.virtualizer, rows, mouseAt()) : undefined;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    enabled: scroller !== null,
    estimateSize: estimateHeight,
    measureElement: (row, entry, instance) =>
      isExact ? estimateHeight(instance.indexFromElement(row)) : measureElement(row, entry, instance),
    getItemKey: (index) => rows[index]?.id ?? '',
    scrollMargin: top,
    initialOffset: scrolled,
    scrollPaddingStart: hasHead ? top : 0,
    scrollPaddingEnd: END,
    overscan: OVERSCAN,
    initialRect,
    rangeExtractor(range) {
      const all = indexesOf(range, rows.length, kept.current);
      if (!isPartly) return all;
      const { startIndex, endIndex } = range;
      const isFirst = (index: number): boolean =>
        (index >= startIndex && index <= endIndex + 1) ||
        index === kept.current ||
        before?.drawn.has(rows[index]?.id) === true;
      const first = all.filter(isFirst);
      isPartial = all.length - first.length > FEW;
      return isPartial ? first : all;
    },
  });
  const drawn = draw(virtualizer, anchor);
  const isUnfinished = isPartial;
  const { options } = virtualizer;
  if (before) {
    virtualizer.options = before.options;
    // A scroll event renders the list when the range differs from the one that was read last.
    if (areOthers) virtualizer.getVirtualItems();
  }
  // Refs run after this and measure the new rows, which needs their options.
  useInsertionEffect(() => {
    const next: Committed = {
      virtualizer,
      rows,
      options: { ...options, anchorTo: holdsPosition ? 'end' : 'start' },
      drawn: new Set(drawn.items.map(({ key }) => key)),
      isPartial: isUnfinished,
    };
    committed.current = next;
    commit(next, anchor);
  });
  useEffect(() => {
    if (isUnfinished) startTransition(() => setWhole(rows));
  }, [isUnfinished, rows]);
  return { virtualizer, ...drawn, holdsPosition, keep: (index) => void (kept.current = index) };
}

/** The row that keeps its place on screen. */
interface Anchor {
  /** Where it begins in the committed layout, in pixels. */
  start: number;
  /** Its index among the new rows. */
  index: number;
}

/**
 * The row under the mouse, else the first one in view, that is also among the new rows, and that has not been moved past
 * others.
 */
function findAnchor(virtualizer: RowVirtualizer, rows: Rows, mouseAt: number | undefined): Anchor | undefined {
  const { scrollOffset, options } = virtualizer;
  if (scrollOffset === null) return undefined;
  const upper = scrollOffset + options.scrollPaddingStart;
  const lower = scrollOffset + (virtualizer.scrollRect?.height ?? 0);
  const staying = virtualizer
    .getVirtualItems()
    .filter(({ start, end }) => end > upper && start < lower)
    .map(({ key, start, end, index: was }) => ({ start, end, was, index: rows.findIndex(({ id }) => id === key) }))
    .filter(({ index }) => index !== -1);
  const kept = staying.filter(({ was, index }, at) => {
    const next = staying[at + 1];
    // Rows between the two can only leave.
    return !next || (next.index > index && next.index - index <= next.was - was);
  });
  const pointed = mouseAt === undefined ? undefined : mouseAt + scrollOffset;
  return kept.find(({ start, end }) => pointed !== undefined && start <= pointed && pointed < end) ?? kept[0];
}

/** What the virtualizer draws with the options of this render, scrolled so that the anchor keeps its place. */
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

/** Gives the virtualizer the committed options. Its own layout effect then writes the scroll position that follows. */
function commit({ virtualizer, options }: Committed, anchor: Anchor | undefined): void {
  const { scrollOffset } = virtualizer;
  if (!anchor || scrollOffset === null) {
    virtualizer.options = options;
    return;
  }
  // It anchors the row at its own offset, which the page's head can cover, and which can be one that was removed.
  const inset = anchor.start - scrollOffset;
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
