import { type Range, type VirtualItem, type Virtualizer, useVirtualizer } from '@tanstack/react-virtual';
import { useAtom, useAtomValue } from 'jotai';
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router-dom';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import { scrollMemoryAtom } from '#renderer/lib/screen-memory.ts';

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
    measure();
    return () => observer.disconnect();
  }, [list, onMeasure]);
}

/** The nearest element around this one that scrolls it up and down, or the page itself. */
function scrollParentOf(element: Element): Element {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return document.documentElement;
}

/** How far down the list at `place` was left, in pixels. */
export function useScrollLeft(place: string): number {
  return useAtomValue(scrollMemoryAtom).get(place) ?? 0;
}

/** Brings a list to where it was left once it is laid out, and remembers where it is left the next time. */
export function useScrollMemory(place: string, scroller: Element | null): void {
  const memory = useAtomValue(scrollMemoryAtom);
  useLayoutEffect(() => {
    if (!scroller) return undefined;
    scroller.scrollTo({ top: memory.get(place) ?? 0 });
    const note = (): void => void memory.set(place, scroller.scrollTop);
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  }, [place, scroller, memory]);
}

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
  holdsPosition: boolean;
}

/** The rows that are in view, where they stand, and the one that has the focus wherever it is. */
export function useRowVirtualizer(options: RowVirtualizerOptions): {
  virtualizer: Virtualizer<Element, Element>;
  /** Returns which row to keep though it may be out of view. */
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
    anchorTo: holdsPosition ? 'end' : 'start',
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

/** Keeps the row of the open alert in view while somebody goes from one to the next. */
export function useRevealOpen(
  rows: readonly { id: string }[],
  openId: string | undefined,
  virtualizer: Virtualizer<Element, Element>,
): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current === openId) return;
    const index = openId === undefined ? -1 : rows.findIndex(({ id }) => id === openId);
    if (openId !== undefined && index === -1) return;
    shown.current = openId;
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [openId, rows, virtualizer]);
}

/** Brings the alert that somebody asked for into view and gives it the focus, as soon as this list has it. */
export function useAlertToShow(rows: readonly { id: string }[], isReady: boolean, move: (index: number) => void): void {
  const [target, setTarget] = useAtom(alertToShowAtom);
  const { pathname } = useLocation();
  useEffect(() => {
    const isHere = isReady && target?.path === pathname;
    const index = isHere ? rows.findIndex(({ id }) => id === target.id) : -1;
    if (index === -1) return;
    setTarget(undefined);
    move(index);
  }, [target, rows, isReady, pathname, move, setTarget]);
}

/** How far below the upper end of what scrolls each drawn row stands, in pixels, by its key. */
export const topsOf = (items: readonly VirtualItem[], scrolled: number): ReadonlyMap<unknown, number> =>
  new Map(items.map(({ key, start }) => [key, start - scrolled]));
