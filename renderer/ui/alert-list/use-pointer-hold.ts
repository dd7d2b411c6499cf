import { useMemo, useRef } from 'react';

/** How long after a pointer moved over the cards they keep still under it, in milliseconds. */
const HOLD_MS = 1500;

/** Knows whether somebody is just aiming at a card, so that an arrival does not push another one under the pointer. */
export function usePointerHold() {
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  return useMemo(
    () => ({
      isHeld: () => performance.now() - movedAt.current < HOLD_MS,
      onPointerMove: () => {
        movedAt.current = performance.now();
      },
      onPointerLeave: () => {
        movedAt.current = Number.NEGATIVE_INFINITY;
      },
    }),
    [],
  );
}
