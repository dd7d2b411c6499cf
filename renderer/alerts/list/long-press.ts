import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { ListSelection } from '#renderer/alerts/bulk/list-selection.ts';

/** So long a finger rests on a card before it selects it, in milliseconds. */
const PRESS_MS = 500;
/** A finger that moves further than this, in pixels, scrolls or swipes. */
const SLACK = 10;

/** Else browsers select a word, or show what they offer for a link. */
const UNSELECTABLE = ['user-select', '-webkit-user-select', '-webkit-touch-callout'];

/** What is pressed for itself. The headline's link is part of its card. */
const CONTROLS = 'button, input, label, [role="radiogroup"], a:not([tabindex="-1"])';

interface LongPressProps {
  list: RefObject<HTMLElement | null>;
  selection: ListSelection;
  alertOf: (id: string) => Alert | undefined;
}

/** A finger on a card that has not moved yet. */
interface Press {
  alertId: string;
  pointerId: number;
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout>;
}

const rowAt = ({ target }: Event): string | undefined =>
  target instanceof Element && !target.closest(CONTROLS)
    ? target.closest<HTMLElement>('[data-alert-id]')?.dataset['alertId']
    : undefined;

/**
 * Selecting by finger: a long press on a card begins, taps go on. It draws nothing, and is fetched where there are fingers.
 * A touch that selected does nothing else: it swipes no card, opens no alert and no menu of the browser.
 */
export function LongPress({ list, selection, alertOf }: LongPressProps) {
  const select = useEffectEvent((id: string): void => {
    const alert = alertOf(id);
    if (alert) selection.toggle(alert);
  });
  const takesTaps = useEffectEvent(() => selection.count > 0);

  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    let press: Press | undefined;
    // The touch that selected, until the next one.
    let selectedBy: number | undefined;
    const over = new AbortController();
    const end = (): void => {
      clearTimeout(press?.timer);
      press = undefined;
    };
    const listen = <K extends keyof HTMLElementEventMap>(
      type: K,
      onEvent: (event: HTMLElementEventMap[K]) => void,
      capture = false,
    ): void => element.addEventListener(type, onEvent, { capture, signal: over.signal });
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };

    listen('pointerdown', (event) => {
      end();
      selectedBy = undefined;
      const { pointerId, pointerType, isPrimary, clientX: x, clientY: y } = event;
      const alertId = rowAt(event);
      if (pointerType !== 'touch' || !isPrimary || alertId === undefined) return;
      const timer = setTimeout(() => {
        press = undefined;
        selectedBy = pointerId;
        select(alertId);
      }, PRESS_MS);
      press = { alertId, pointerId, x, y, timer };
    });
    listen('pointermove', (event) => {
      if (event.pointerId === selectedBy) event.stopPropagation();
      if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) end();
    });
    listen('pointerup', end);
    listen('pointercancel', end);
    listen('contextmenu', (event) => {
      if (press || selectedBy !== undefined) stop(event);
    });
    // A link would be dragged.
    listen('dragstart', (event) => {
      if (press || selectedBy !== undefined) stop(event);
    });
    listen(
      'click',
      (event) => {
        const { pointerId, pointerType } = event as PointerEvent;
        if (selectedBy !== undefined && (pointerId === selectedBy || pointerType === 'touch')) {
          stop(event);
          return;
        }
        const alertId = rowAt(event);
        if (pointerType !== 'touch' || !takesTaps() || alertId === undefined) return;
        stop(event);
        select(alertId);
      },
      true,
    );
    document.addEventListener('scroll', end, { capture: true, passive: true, signal: over.signal });
    for (const name of UNSELECTABLE) element.style.setProperty(name, 'none');
    return () => {
      end();
      over.abort();
      for (const name of UNSELECTABLE) element.style.removeProperty(name);
    };
  }, [list]);
  return null;
}
