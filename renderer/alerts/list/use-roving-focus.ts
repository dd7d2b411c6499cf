import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { NextPage } from '#renderer/alerts/data/alert-queries.ts';
import type { LeavingRow } from './list-rows.ts';
import { isTyping } from '#renderer/lib/single-keys.ts';
import { GUARD_MS } from './list-hold.ts';
import { type FeedRow, GROUP_ROW, isAlert, nearest, stays } from './feed-rows.ts';
import { useGoToEnd } from './use-go-to-end.ts';
import * as alertCardStyles from '#renderer/alerts/card/alert-card.module.css';
import * as styles from './selection.module.css';

interface RovingFocusOptions {
  list: RefObject<HTMLElement | null>;
  rows: readonly FeedRow[];
  /** Rows on their way out: the focus is not moved to them, and their alerts take no action. */
  leaving: ReadonlyMap<string, LeavingRow>;
  /** Those of them that do not keep the focus either. */
  gone: ReadonlySet<string>;
  /** The next page that is missing on the way to the end: undefined when there is none. */
  more: NextPage | undefined;
  /** Brings a row into view, so that it exists to be focused. */
  reveal: (index: number) => void;
  /** What Enter does with the focused alert. */
  onOpen: (alert: Alert) => void;
  /** What Space does with it. */
  onSelect: ((alert: Alert) => void) | undefined;
  /** Opens the group or closes it. */
  onToggle: ((isOpen: boolean) => void) | undefined;
}

/**
 * One card of a list is in the tab order; up and down, Home and End (of the whole list) move between cards, left and
 * right between a card and its controls, which are no tab stops. Ctrl+Home and Ctrl+End leave the list, as in WAI-ARIA's feed. When the
 * focused card leaves, focus goes to the next one, else to the one before. A card that somebody else took keeps the focus
 * until it fades, and the first moment after that takes no key: it was meant for the card before.
 */
export function useRovingFocus(options: RovingFocusOptions) {
  const { list, rows, more, leaving, gone, reveal, onOpen, onSelect, onToggle } = options;
  const [activeId, setActiveId] = useState<string>();
  const hasFocus = useRef(false);
  const pendingId = useRef<string | undefined>(undefined);
  const lastIndex = useRef(0);
  const movedOnAt = useRef(Number.NEGATIVE_INFINITY);
  const leftBefore = useRef(leaving);
  const found = rows.findIndex(({ id }) => id === activeId && !gone.has(id));
  useNoInnerTabStops(list);
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
      // A row that has just gone altogether (the focus came back to it from a dialog) was on its way out before.
      const row = leaving.get(activeId) ?? leftBefore.current.get(activeId);
      if (!row?.isOwn) movedOnAt.current = performance.now();
      pendingId.current = next;
      setActiveId(next);
    }
    leftBefore.current = leaving;
  }, [rows, leaving, activeId, found]);

  // What had the focus inside a card went with the card's content: the card itself keeps it.
  const isLeaving = activeId !== undefined && leaving.has(activeId) && !gone.has(activeId);
  useLayoutEffect(() => {
    if (!isLeaving || !hasFocus.current || document.activeElement !== document.body) return;
    rowOf(list.current, activeId)?.focus({ preventScroll: true });
  }, [isLeaving, activeId, list]);

  // A card may have to be scrolled to before it exists. Who types by then keeps the focus.
  useLayoutEffect(() => {
    const row = pendingId.current === undefined ? null : rowOf(list.current, pendingId.current);
    if (!row) return;
    pendingId.current = undefined;
    if (!isTyping({ target: document.activeElement })) row.focus({ preventScroll: true });
  });

  const move = (index: number): void => {
    const target = rows[index];
    if (!target) return;
    pendingId.current = target.id;
    movedOnAt.current = Number.NEGATIVE_INFINITY;
    setActiveId(target.id);
    reveal(index);
    rowOf(list.current, target.id)?.focus({ preventScroll: true });
  };

  const last = rows.findLastIndex((row) => stays(row, leaving));
  const end = useGoToEnd({ count: last + 1, more, reveal, move });

  const step = (direction: 1 | -1): void => {
    let index = active + direction;
    while (rows[index] && !stays(rows[index], leaving)) index += direction;
    move(index);
  };

  /** The alert that a key is about: not one that leaves, and not one that only just came under the focus. */
  const target = (): Alert | undefined => {
    const alert = rows[active];
    const isMeant = performance.now() - movedOnAt.current >= GUARD_MS;
    return isAlert(alert) && isMeant && !leaving.has(alert.id) ? alert : undefined;
  };
  /** Held down, the key would go on with the cards that take over the focus. */
  const act = ({ repeat }: KeyboardEvent, action: ((alert: Alert) => void) | undefined): void => {
    const alert = target();
    if (alert && !repeat) action?.(alert);
  };
  const isInside = (): boolean => list.current?.contains(document.activeElement) === true;

  return {
    /** The card in the tab order, for keys that come from anywhere on the page. */
    cursor: {
      step,
      show: () => {
        if (isInside()) return false;
        move(active);
        return rows.length > 0;
      },
      target: () => (isInside() ? target() : undefined),
    },
    /** Index of the card in the tab order. */
    active,
    /** End was pressed, and pages are missing on the way to the last card. */
    isGoingToEnd: end.isGoing,
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
      if (event.defaultPrevented || event.metaKey || event.altKey || !isForList(event)) return;
      if (event.ctrlKey) {
        if (leaveList(event.key, event.currentTarget)) event.preventDefault();
        return;
      }
      if (idOf(event.target) === GROUP_ROW && onToggle && isOfGroup(event, onToggle)) return;
      const done = handleKey(event, {
        next: () => step(1),
        previous: () => step(-1),
        first: () => move(0),
        last: end.go,
        open: () => act(event, onOpen),
        select: () => act(event, onSelect),
      });
      if (done) event.preventDefault();
    },
  };
}

/** Right opens the group and Left closes it; Enter and Space are its button's own, once while they are held down. */
function isOfGroup(event: KeyboardEvent, onToggle: (isOpen: boolean) => void): boolean {
  const { key, repeat } = event;
  const isArrow = key === 'ArrowRight' || key === 'ArrowLeft';
  if (isArrow) onToggle(key === 'ArrowRight');
  else if (key !== 'Enter' && key !== ' ') return false;
  if (isArrow || repeat) event.preventDefault();
  return true;
}

interface Moves {
  next: () => void;
  previous: () => void;
  first: () => void;
  last: () => void;
  open: () => void;
  select: () => void;
}

/** Does what a key asks for. False when it asks for nothing here. */
function handleKey(event: KeyboardEvent<HTMLElement>, moves: Moves): boolean {
  const isOnCard = event.target instanceof HTMLElement && event.target.dataset['alertId'] !== undefined;
  switch (event.key) {
    case 'ArrowRight':
      return moveInCard(event.target, 1);
    case 'ArrowLeft':
      return moveInCard(event.target, -1);
    case 'Escape':
      if (!isOnCard) cardOf(event.target)?.focus();
      return !isOnCard;
    case 'ArrowDown':
      moves.next();
      return true;
    case 'ArrowUp':
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
      if (isOnCard) moves.open();
      return isOnCard;
    case ' ':
      if (isOnCard) moves.select();
      return isOnCard;
    default:
      return false;
  }
}

/** What can be done inside a card by a key. */
const CONTROLS = `a[href]:not(.${alertCardStyles.link}), button:not(:disabled, [data-alert-id]), [role="radio"], input:not(:disabled, .${styles.select} input)`;

const cardOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-alert-id]') : null;

/** Moves the focus among a card and its controls, in a circle. A group of radio buttons is one of them: it has keys of its own. */
function moveInCard(target: EventTarget, direction: 1 | -1): boolean {
  const card = cardOf(target);
  if (!card) return false;
  const controls = [...card.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) => control.role !== 'radio' || control.ariaChecked === 'true',
  );
  const stops = [card, ...controls];
  const at = stops.findIndex((stop) => stop === target);
  stops[(at + direction + stops.length) % stops.length]?.focus();
  return true;
}

/** What takes the focus on a page. */
const STOPS = 'a[href], button:not(:disabled), input:not(:disabled), textarea, select, [tabindex="0"]';

/** Ctrl+Home and Ctrl+End: to what stands before and after the list (WAI-ARIA practices, "Feed pattern"). */
function leaveList(key: string, list: HTMLElement): boolean {
  if (key !== 'Home' && key !== 'End') return false;
  const side = key === 'Home' ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const around = [...document.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) =>
      stop.tabIndex >= 0 &&
      !list.contains(stop) &&
      (list.compareDocumentPosition(stop) & side) !== 0 &&
      stop.checkVisibility({ visibilityProperty: true }),
  );
  (key === 'Home' ? around.at(-1) : around[0])?.focus();
  return true;
}

/**
 * Keeps what is inside the cards of a list out of the tab order: with a stop for each control, passing twenty cards
 * takes eighty presses long. Cards come and change while the list is scrolled, so that the list is watched.
 */
function useNoInnerTabStops(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const leaveOut = () => {
      for (const control of element.querySelectorAll<HTMLElement>(CONTROLS))
        if (control.tabIndex >= 0) control.tabIndex = -1;
    };
    leaveOut();
    const observer = new MutationObserver(leaveOut);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['tabindex', 'disabled', 'href'] });
    return () => observer.disconnect();
  }, [list]);
}

/** Keys inside a radio group, a menu or a dialog, and those of a drag, belong to it; React lets them through from portals, too. */
function isForList(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget } = event;
  return (
    target instanceof Element &&
    currentTarget.contains(target) &&
    // Escape leads back from a group of radio buttons to its card.
    !target.closest(event.key === 'Escape' ? 'input, [data-dragged]' : '[role="radiogroup"], input, [data-dragged]')
  );
}

const idOf = (target: EventTarget): string | undefined => cardOf(target)?.dataset['alertId'];

const rowOf = (list: HTMLElement | null, id: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-alert-id="${CSS.escape(id)}"]`) ?? null;
