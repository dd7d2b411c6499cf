import {
  type MouseEvent,
  type PointerEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { REVEALED } from './swipe-ground.tsx';
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
/** So wide is what a card that is swiped to the left leaves open. */
const OPEN_WIDTH = REVEALED.length * ACTION_WIDTH;
/** A card that was accepted stays away for so long; one that is still there by then comes back. */
const GONE_MS = 1_000;

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
export interface Swiped {
  alertId: string;
  isOpen: boolean;
  /** The class of its row. */
  className: string | undefined;
}

/** What a list passes on of its fingers. */
export interface SwipeHandlers {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: (event: PointerEvent) => void;
  onPointerCancel: (event: PointerEvent) => void;
  onClickCapture: (event: MouseEvent) => void;
  /** Moves the card that is open back to its place. */
  close: () => void;
}

interface SwipesProps {
  ref: Ref<SwipeHandlers>;
  /** Receives the class of a list whose cards can be swiped: from when this is here. */
  onReady: (listClass: string | undefined) => void;
  /** Does what is asked for by a swipe to the right. */
  run: (action: AlertAction, alert: Alert) => void;
  alertOf: (id: string) => Alert | undefined;
  swiped: Swiped | undefined;
  onSwiped: (swiped: Swiped | undefined) => void;
}

/**
 * Swipes on cards, by a finger: to the right accepts, to the left reveals further actions ({@link REVEALED}). Each has a
 * button on the card, too, and can be undone as there. It draws nothing, and is fetched where cards can be swiped.
 */
export function Swipes({ ref, onReady, run, alertOf, swiped, onSwiped }: SwipesProps) {
  const swipe = useRef<Swipe>(undefined);
  // Until the next touch a click is one that the browser saw in the swipe.
  const wasSwiped = useRef(false);

  useEffect(() => {
    onReady(styles.list_swipe);
    return () => onReady(undefined);
  }, [onReady]);
  const close = useCallback((): void => {
    for (const row of document.querySelectorAll<HTMLElement>(`.${styles.listRow_swiped}`)) place(row, 0);
    onSwiped(undefined);
  }, [onSwiped]);
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

  const end = (isCancelled: boolean, event: PointerEvent): void => {
    const { current } = swipe;
    // Another finger says nothing about this one.
    if (event.pointerId !== current?.pointerId) return;
    swipe.current = undefined;
    if (!current.isOn) return;
    wasSwiped.current = true;
    const { alertId, row, from } = current;
    const x = from + event.clientX - current.x;
    const speed = (event.clientX - current.x) / Math.max(1, event.timeStamp - current.time);
    const alert = alertOf(alertId);
    row.classList.remove(styles.listRow_moving);
    if (!isCancelled && alert && x > 0 && (x >= THRESHOLD || speed > FLICK)) {
      place(row, row.clientWidth);
      setTimeout(() => place(row, 0), GONE_MS);
      onSwiped(undefined);
      run(ACCEPT, alert);
      return;
    }
    if (!isCancelled && alert && x < 0 && (x <= -OPEN_WIDTH / 2 || speed < -FLICK)) {
      place(row, -OPEN_WIDTH);
      onSwiped({ alertId, isOpen: true, className: styles.listRow_swiped });
      return;
    }
    place(row, 0);
    onSwiped(undefined);
  };

  useImperativeHandle(ref, () => ({
    onPointerDown(event) {
      wasSwiped.current = false;
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-alert-id]') : null;
      const { alertId } = row?.dataset ?? {};
      const isEdge = event.clientX < EDGE || event.clientX > window.innerWidth - EDGE;
      if (event.pointerType !== 'touch' || !event.isPrimary || isEdge || !row || alertId === undefined) return;
      const from = swiped?.isOpen && swiped.alertId === alertId ? -OPEN_WIDTH : 0;
      const { pointerId, clientX: x, clientY: y, timeStamp: time } = event;
      swipe.current = { pointerId, alertId, row, x, y, time, from, isOn: false };
    },
    onPointerMove(event) {
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
        onSwiped({ alertId: current.alertId, isOpen: false, className: styles.listRow_swiped });
      }
      place(current.row, Math.min(current.row.clientWidth, Math.max(-OPEN_WIDTH, current.from + x)));
    },
    onPointerUp: (event) => end(false, event),
    onPointerCancel: (event) => end(true, event),
    onClickCapture(event) {
      if (!wasSwiped.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
    close,
  }));
  return null;
}
