import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { ASSIGN } from '#renderer/alerts/actions/assign.ts';
import { DELETE } from '#renderer/alerts/actions/delete.ts';
import { SNOOZE } from '#renderer/alerts/actions/snooze.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import * as styles from './swipe.module.css';

/** A swipe begins after so many pixels, when it is twice as wide as high. */
const SLOP = 12;
/** At the screen's edges the browser's own gestures begin. */
const EDGE = 24;
/** So far to the right accepts. */
const THRESHOLD = 96;
/** A quick one accepts after less: pixels a millisecond. */
const FLICK = 0.5;
/** Width of an action that a swipe to the left reveals. */
const ACTION_WIDTH = 72;
/** What a swipe to the left reveals, in this order. */
const REVEALED: readonly AlertAction[] = [SNOOZE, ASSIGN, DELETE];
/** So wide is what a card that is swiped to the left leaves open. */
const OPEN_WIDTH = REVEALED.length * ACTION_WIDTH;
/** A card that was accepted stays away for so long; one that is still there by then comes back. */
const GONE_MS = 1_000;

// Comes with the first swipe.
const SwipeGround = lazyWithRetry(async () => (await import('./swipe-ground.tsx')).SwipeGround, 'omit');

interface Swipe {
  pointerId: number;
  alertId: string;
  row: HTMLElement;
  x: number;
  y: number;
  time: number;
  /** How far the card was already when the swipe began. */
  from: number;
  isOn: boolean;
}

/** Moves the card of a row so many pixels from its place. */
const place = (row: HTMLElement, x: number): void => row.style.setProperty('--ad-swipe', `${x}px`);

/** A card that is being swiped, or that a swipe to the left has left open. */
interface Swiped {
  alertId: string;
  isOpen: boolean;
}

/**
 * Swipes on cards, by a finger: to the right accepts, to the left reveals further actions. Each has a button on the card,
 * too, and can be undone as there.
 *
 * @param run does it; without it nothing is swiped
 * @returns the handlers of the list, and what stands below the card of an alert
 */
export function useSwipe(
  run: ((action: AlertAction, alert: Alert) => void) | undefined,
  alertOf: (id: string) => Alert | undefined,
) {
  const [swiped, setSwiped] = useState<Swiped>();
  const swipe = useRef<Swipe>(undefined);
  // Until the next touch a click is one that the browser saw in the swipe.
  const wasSwiped = useRef(false);

  const close = useCallback((): void => {
    for (const row of document.querySelectorAll<HTMLElement>(`.${styles.listRow_swiped}`)) place(row, 0);
    setSwiped(undefined);
  }, []);
  const isOpen = swiped?.isOpen === true;
  useEffect(() => {
    if (!isOpen) return undefined;
    const over = new AbortController();
    const options = { capture: true, signal: over.signal, passive: true };
    const onElsewhere = ({ target }: Event): void => {
      if (!(target instanceof Element && target.closest(`.${styles.listRow_swiped}`))) close();
    };
    document.addEventListener('pointerdown', onElsewhere, options);
    document.addEventListener('scroll', close, options);
    return () => over.abort();
  }, [isOpen, close]);

  const end = (isCancelled: boolean, event: { clientX: number; timeStamp: number }): void => {
    const { current } = swipe;
    swipe.current = undefined;
    if (!current?.isOn) return;
    wasSwiped.current = true;
    const { alertId, row, from } = current;
    const x = from + event.clientX - current.x;
    const speed = (event.clientX - current.x) / Math.max(1, event.timeStamp - current.time);
    const alert = alertOf(alertId);
    row.classList.remove(styles.listRow_moving);
    if (!isCancelled && alert && run && x > 0 && (x >= THRESHOLD || speed > FLICK)) {
      place(row, row.clientWidth);
      setTimeout(() => place(row, 0), GONE_MS);
      setSwiped(undefined);
      run(ACCEPT, alert);
      return;
    }
    if (!isCancelled && alert && x < 0 && (x <= -OPEN_WIDTH / 2 || speed < -FLICK)) {
      place(row, -OPEN_WIDTH);
      setSwiped({ alertId, isOpen: true });
      return;
    }
    place(row, 0);
    setSwiped(undefined);
  };

  const handlers = run && {
    onPointerDown(event: PointerEvent): void {
      wasSwiped.current = false;
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-alert-id]') : null;
      const { alertId } = row?.dataset ?? {};
      const isEdge = event.clientX < EDGE || event.clientX > window.innerWidth - EDGE;
      if (event.pointerType !== 'touch' || !event.isPrimary || isEdge || !row || alertId === undefined) return;
      const from = swiped?.isOpen && swiped.alertId === alertId ? -OPEN_WIDTH : 0;
      const { pointerId, clientX: x, clientY: y, timeStamp: time } = event;
      swipe.current = { pointerId, alertId, row, x, y, time, from, isOn: false };
    },
    onPointerMove(event: PointerEvent): void {
      const { current } = swipe;
      if (!current || event.pointerId !== current.pointerId) return;
      const x = event.clientX - current.x;
      if (!current.isOn) {
        const y = Math.abs(event.clientY - current.y);
        if (Math.abs(x) < SLOP && y < SLOP) return;
        if (Math.abs(x) < 2 * y) {
          swipe.current = undefined;
          return;
        }
        current.isOn = true;
        current.row.setPointerCapture(current.pointerId);
        current.row.classList.add(styles.listRow_moving);
        setSwiped({ alertId: current.alertId, isOpen: false });
      }
      place(current.row, Math.min(current.row.clientWidth, Math.max(-OPEN_WIDTH, current.from + x)));
    },
    onPointerUp: (event: PointerEvent): void => end(false, event),
    onPointerCancel: (event: PointerEvent): void => end(true, event),
    onClickCapture(event: MouseEvent): void {
      if (!wasSwiped.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };

  const below = (alert: Alert, labelId: string): ReactNode =>
    swiped?.alertId === alert.id && (
      <Suspense>
        <SwipeGround
          actions={REVEALED}
          isOpen={swiped.isOpen}
          labelId={labelId}
          onAct={(action) => {
            close();
            run?.(action, alert);
          }}
        />
      </Suspense>
    );

  return { handlers, below, swipedId: swiped?.alertId };
}
