import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';

interface RovingFocusOptions {
  list: RefObject<HTMLElement | null>;
  rows: readonly Alert[];
  /** Rows on their way out, which take no focus. */
  leaving: ReadonlyMap<string, unknown>;
  /** Brings a row into view, so that it exists to be focused. */
  reveal: (index: number) => void;
  /** What Enter and A do with the focused alert. */
  onPrimary: ((alert: Alert) => void) | undefined;
}

/**
 * One card of a list is in the tab order; arrow keys, J and K, Home and End move between cards (ux.md, "Hands"). When
 * the focused card leaves, focus goes to the next one, else to the one before.
 */
export function useRovingFocus({ list, rows, leaving, reveal, onPrimary }: RovingFocusOptions) {
  const [activeId, setActiveId] = useState<string>();
  const hasFocus = useRef(false);
  const wanted = useRef<string | undefined>(undefined);
  const lastIndex = useRef(0);
  const found = rows.findIndex(({ id }) => id === activeId && !leaving.has(id));
  const active =
    found === -1
      ? nearest(
          rows,
          leaving,
          rows.findIndex(({ id }) => id === activeId),
        )
      : found;

  // The focused card left: the next one takes over.
  useLayoutEffect(() => {
    if (found !== -1) lastIndex.current = found;
    else if (activeId !== undefined && hasFocus.current) {
      const from = rows.findIndex(({ id }) => id === activeId);
      const next = rows[nearest(rows, leaving, from === -1 ? lastIndex.current : from)]?.id;
      wanted.current = next;
      setActiveId(next);
    }
  }, [rows, leaving, activeId, found]);

  // A card may have to be scrolled to before it exists.
  useLayoutEffect(() => {
    const row = wanted.current === undefined ? null : rowOf(list.current, wanted.current);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });

  const move = (index: number): void => {
    const target = rows[index];
    if (!target) return;
    wanted.current = target.id;
    setActiveId(target.id);
    reveal(index);
    rowOf(list.current, target.id)?.focus({ preventScroll: true });
  };

  const step = (direction: 1 | -1): void => {
    let index = active + direction;
    while (rows[index] && leaving.has(rows[index]?.id ?? '')) index += direction;
    move(index);
  };

  return {
    /** Index of the card in the tab order. */
    active,
    move,
    /** What puts the card at `index` in the tab order, or within reach of {@link move}. Cards of a feed take the focus. */
    reach: (index: number) => ({ tabIndex: index === active ? 0 : -1 }),
    onFocus: (event: FocusEvent<HTMLElement>): void => {
      hasFocus.current = true;
      const id = idOf(event.target);
      if (id !== undefined && id !== activeId) setActiveId(id);
    },
    onBlur: (event: FocusEvent<HTMLElement>): void => {
      // A card that is taken away under the focus has nowhere to blur to.
      if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) hasFocus.current = false;
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isForList(event)) return;
      const done = handleKey(event, {
        next: () => step(1),
        previous: () => step(-1),
        first: () => move(0),
        last: () => move(rows.length - 1),
        primary: () => {
          const alert = rows[active];
          if (alert && onPrimary) onPrimary(alert);
        },
      });
      if (done) event.preventDefault();
    },
  };
}

interface Moves {
  next: () => void;
  previous: () => void;
  first: () => void;
  last: () => void;
  primary: () => void;
}

/** Does what a key asks for. False when it asks for nothing here. */
function handleKey(event: KeyboardEvent<HTMLElement>, moves: Moves): boolean {
  const isOnCard = event.target instanceof HTMLElement && event.target.dataset['alertId'] !== undefined;
  switch (event.key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      moves.next();
      return true;
    case 'ArrowUp':
    case 'k':
    case 'K':
      moves.previous();
      return true;
    case 'Home':
      moves.first();
      return true;
    case 'End':
      moves.last();
      return true;
    case 'Enter':
      // On a button or a link inside the card, Enter is theirs.
      if (isOnCard) moves.primary();
      return isOnCard;
    case 'a':
    case 'A':
      moves.primary();
      return true;
    default:
      return false;
  }
}

/** Keys inside a radio group, a menu or a dialog, and those of a drag, belong to it; React lets them through from portals, too. */
function isForList(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget } = event;
  return (
    target instanceof Element &&
    currentTarget.contains(target) &&
    !target.closest('[role="radiogroup"], input, [data-dragged]')
  );
}

const idOf = (target: EventTarget): string | undefined =>
  target instanceof Element
    ? (target.closest<HTMLElement>('[data-alert-id]')?.dataset['alertId'] ?? undefined)
    : undefined;

const rowOf = (list: HTMLElement | null, id: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-alert-id="${CSS.escape(id)}"]`) ?? null;

/** The row at `index` or the next one that stays, else the one before. */
function nearest(rows: readonly Alert[], leaving: ReadonlyMap<string, unknown>, index: number): number {
  const from = Math.min(Math.max(index, 0), Math.max(rows.length - 1, 0));
  const after = rows.findIndex(({ id }, at) => at >= from && !leaving.has(id));
  return after === -1
    ? Math.max(
        0,
        rows.findLastIndex(({ id }, at) => at < from && !leaving.has(id)),
      )
    : after;
}
