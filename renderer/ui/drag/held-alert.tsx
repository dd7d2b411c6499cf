import { type DraggableSyntheticListeners, useDraggable } from '@dnd-kit/core';
import { type RefObject, useImperativeHandle, useLayoutEffect } from 'react';
import type { Alert } from '#backend/contract/alert.ts';

/** The alert that somebody laid hand on, and the handle it was taken by. */
export interface Held {
  alert: Alert;
  handle: HTMLElement;
}

interface HeldAlertProps extends Held {
  /** Is given what the handle's events are to be passed on to. */
  listeners: RefObject<DraggableSyntheticListeners>;
}

/**
 * Makes the held alert known as draggable. Only one at a time is: the cards themselves have nothing to do with dragging,
 * and are not drawn again for it.
 */
export function HeldAlert({ alert, handle, listeners }: HeldAlertProps) {
  const draggable = useDraggable({ id: alert.id, data: { alert } });
  const { setNodeRef, setActivatorNodeRef, isDragging } = draggable;
  useImperativeHandle(listeners, () => draggable.listeners, [draggable.listeners]);
  useLayoutEffect(() => {
    setNodeRef(handle);
    setActivatorNodeRef(handle);
  }, [handle, setNodeRef, setActivatorNodeRef]);

  useLayoutEffect(() => {
    if (!isDragging) return undefined;
    const row = handle.closest<HTMLElement>('[data-alert-id]');
    const root = document.documentElement;
    row?.setAttribute('data-dragged', '');
    root.setAttribute('data-dragging', '');
    return () => {
      row?.removeAttribute('data-dragged');
      root.removeAttribute('data-dragging');
    };
  }, [isDragging, handle]);
  return null;
}
