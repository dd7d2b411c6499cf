import { Classes } from '@blueprintjs/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import * as styles from '#renderer/ui/page-head/page-head.module.css';

/** Whether a dialog is open, and how it closes. `key` differs at each opening, so that its fields start empty. */
export interface DialogPresence {
  isOpen: boolean;
  onClose: () => void;
  /** Called when it has gone from the screen. */
  onClosed: () => void;
  /** {@link useDialog} gives the focus back as it closes: once more at the end would take it from where it is by then. */
  shouldReturnFocusOnClose: false;
}

/** Counts the openings of all dialogs: siblings on one page may be on screen together, and their keys must differ. */
let openings = 0;

/** A dialog about something: what it is about while it is on screen, and how to open it. */
export interface DialogState<Subject> {
  shown: { subject: Subject; key: number; presence: DialogPresence } | undefined;
  /** `opener` takes the focus back afterwards; by default what has the focus now. */
  open: (subject: Subject, opener?: HTMLElement | null) => void;
}

/** A row of a list, which ends with what is done with it. */
const ROW = 'main :is(tr, li)';

/** What has the focus, or the button of the menu that has it, which closes. Of a card it is the card that takes the focus back. */
export function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const button = focused?.closest(`.${Classes.POPOVER}`) && document.querySelector<HTMLElement>(MENU_BUTTON);
  return button ?? focused;
}

const MENU_BUTTON = 'button[aria-haspopup][aria-expanded="true"]:not([role="feed"] *)';

/** Where the focus goes when a dialog closes, the first place that is left by then: its opener, or the rows around that. */
function findPlaces(opener: HTMLElement | null): (Element | null | undefined)[] {
  const row = opener?.closest(ROW);
  return [opener, row?.nextElementSibling, row?.previousElementSibling];
}

/**
 * Keeps a dialog on screen from its opening until it has faded out. When it closes, the focus goes back to where it
 * came from, and when that has gone (a deleted row, a menu), to the next row, the card in the tab order of a list, else to
 * the page's action; never to the page's top.
 */
export function useDialog<Subject = true>(): DialogState<Subject> {
  const [state, setState] = useState<{ subject: Subject; key: number; isOpen: boolean }>();
  const places = useRef<ReturnType<typeof findPlaces>>([]);

  const open = useCallback((subject: Subject, from?: HTMLElement | null) => {
    openings += 1;
    places.current = findPlaces(from ?? findOpener());
    setState({ subject, key: openings, isOpen: true });
  }, []);
  const onClose = useCallback(() => setState((now) => now && { ...now, isOpen: false }), []);
  const onClosed = useCallback(() => setState((now) => (now?.isOpen ? now : undefined)), []);

  const isClosing = state?.isOpen === false;
  useEffect(() => {
    if (isClosing) giveFocusBack(places.current);
  }, [isClosing]);

  // What the focus came back to may have gone since, or the dialog has taken the focus once more while it faded.
  const isGone = state === undefined;
  useEffect(() => {
    if (isGone && places.current[0] && document.activeElement === document.body) giveFocusBack(places.current);
  }, [isGone]);

  const { subject, key, isOpen } = state ?? { key: 0, isOpen: false };
  return {
    shown: state && {
      subject: subject as Subject,
      key,
      presence: { isOpen, onClose, onClosed, shouldReturnFocusOnClose: false },
    },
    open,
  };
}

/** What has the focus where nothing else on the page should: the list's card in the tab order, the page's action, or the page. */
export const placeOnPage = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[role="feed"] > [tabindex="0"]') ??
  document.querySelector<HTMLElement>(`.${styles.action}`) ??
  document.querySelector('main');

function giveFocusBack(places: ReturnType<typeof findPlaces>): void {
  const place = places.find(
    (one) => one?.isConnected && one !== document.body && !one.closest('[role="dialog"]:not(.bp6-drawer)'),
  );
  const taker = place?.matches(ROW) ? [...place.querySelectorAll<HTMLElement>('button:enabled')].at(-1) : place;
  ((taker as HTMLElement | undefined) ?? placeOnPage())?.focus();
  ignoreKeysPressedBefore();
}

/**
 * The Enter that sent a dialog comes up on what has the focus by then, and Blueprint's buttons take a key that comes up
 * for a click: the dialog would open again. A key counts from its next going down.
 */
function ignoreKeysPressedBefore(): void {
  const over = new AbortController();
  const listen = (type: 'keydown' | 'keyup', listener: (event: KeyboardEvent) => void) =>
    document.addEventListener(type, listener, { capture: true, signal: over.signal });
  listen('keyup', (event) => event.stopImmediatePropagation());
  listen('keydown', ({ repeat }) => {
    if (!repeat) over.abort();
  });
}
