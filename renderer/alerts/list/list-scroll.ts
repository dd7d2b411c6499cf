import type { Virtualizer } from '@tanstack/react-virtual';
import { useAtom, useAtomValue } from 'jotai';
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import { scrollMemoryAtom } from '#renderer/lib/screen-memory.ts';
import { isTyping } from '#renderer/lib/single-keys.ts';
import { type FeedRow, isAlert } from './feed-rows.ts';
import type { ListFold } from './list-fold.ts';

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
 *
 * @param waits measures it once the browser has laid it out anyway, for what is drawn the same without it: before that it
 *   would be laid out twice. It does not follow the size of what scrolls it then
 */
export function useListGeometry(
  list: RefObject<HTMLElement | null>,
  onMeasure: Dispatch<SetStateAction<ListGeometry>>,
  waits = false,
): void {
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    let known: Element | undefined;
    const measure = (): void => {
      const scroller = (known ??= scrollParentOf(element));
      const { top, width } = element.getBoundingClientRect();
      const fromTop = top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      onMeasure((last) =>
        last.scroller === scroller && last.top === fromTop && last.width === width
          ? last
          : { scroller, top: fromTop, width },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element.parentElement ?? element);
    if (!waits) {
      measure();
      if (known) observer.observe(known);
    }
    return () => observer.disconnect();
  }, [list, onMeasure, waits]);
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

/** Where a scroller's upper end is on the screen, in pixels. That of the page itself is the window's. */
export const screenTopOf = (scroller: Element | null): number =>
  scroller === null || scroller === document.documentElement ? 0 : scroller.getBoundingClientRect().top;

/** Brings a list to where it was left once it is laid out, and remembers where it is left the next time. */
export function useScrollMemory(place: string, scroller: Element | null, onScroll: () => void): void {
  const memory = useAtomValue(scrollMemoryAtom);
  useLayoutEffect(() => {
    if (!scroller) return undefined;
    scroller.scrollTo({ top: memory.get(place) ?? 0 });
    const note = (): void => {
      memory.set(place, scroller.scrollTop);
      onScroll();
    };
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  }, [place, scroller, memory, onScroll]);
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

/** What {@link useAlertToShow} asks of its list. */
interface ShowingList {
  rows: readonly FeedRow[];
  fold: Pick<ListFold, 'partsOf'> | undefined;
  isReady: boolean;
  /** Brings a row into view. */
  reveal: (index: number) => void;
  /** Brings a row into view and gives it the focus. */
  move: (index: number) => void;
}

/**
 * Brings the alert that somebody asked for into view and gives it the focus, as soon as this list has it: its row, or that of
 * its group. Who types by then keeps the focus.
 */
export function useAlertToShow({ rows, fold, isReady, reveal, move }: ShowingList): void {
  const [target, setTarget] = useAtom(alertToShowAtom);
  const { pathname } = useLocation();
  useEffect(() => {
    if (!isReady || target?.path !== pathname) return;
    const isMeant = ({ id }: { id: string }): boolean => id === target.id;
    const index = rows.findIndex((row) => isMeant(row) || (isAlert(row) && fold?.partsOf(row).some(isMeant)));
    if (index === -1) return;
    setTarget(undefined);
    if (isTyping({ target: document.activeElement })) reveal(index);
    else move(index);
  }, [target, rows, fold, isReady, pathname, reveal, move, setTarget]);
}

/** Gives the row in the tab order the focus, wherever it is. */
export const focusRow = (): void =>
  document.querySelector<HTMLElement>('[data-alert-id][tabindex="0"]')?.focus({ preventScroll: true });
