import { type MouseEvent, type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import type { LeavingRow } from './list-rows.ts';
import { GUARD_MS } from './list-hold.ts';

/** A row that stands within so many pixels of its place has not moved, nor has a pointer. */
const SLACK = 6;

interface MovedGuardOptions {
  rows: readonly { id: string }[];
  leaving: ReadonlyMap<string, LeavingRow>;
  /** Where each drawn row stands on the screen, in pixels, by its alert's id. */
  tops: ReadonlyMap<unknown, number>;
}

/** The last time that rows came or went by somebody else's doing. */
interface Shift {
  at: number;
  /** Where the rows stood before it. */
  tops: ReadonlyMap<unknown, number>;
  /** Whether the pointer has moved since: who moves it sees what is there now. */
  isSeen: boolean;
}

/**
 * Takes clicks from cards that came under a resting pointer, or a finger on its way, just before they were made: the
 * click was meant for another card. What the pointer went down on decides, so that a click begun in time counts.
 */
export function useMovedGuard({ rows, leaving, tops }: MovedGuardOptions) {
  const drawn = useRef({ rows, leaving, tops });
  const shift = useRef<Shift>({ at: Number.NEGATIVE_INFINITY, tops, isSeen: true });
  const pointer = useRef({ x: 0, y: 0 });
  const isBlocked = useRef(false);
  useLayoutEffect(() => {
    const before = drawn.current;
    drawn.current = { rows, leaving, tops };
    if (before.rows === rows || !isOthersDoing(before, rows)) return;
    shift.current = { at: performance.now(), tops: before.tops, isSeen: false };
  });

  return useMemo(
    () => ({
      onPointerMove({ clientX, clientY }: PointerEvent): void {
        const { x, y } = pointer.current;
        if (Math.hypot(clientX - x, clientY - y) <= SLACK) return;
        pointer.current = { x: clientX, y: clientY };
        shift.current.isSeen = true;
      },
      onPointerDown(event: PointerEvent): void {
        const { at, tops: before, isSeen } = shift.current;
        const id = event.target instanceof Element && event.target.closest<HTMLElement>('[data-alert-id]');
        const key = id ? id.dataset['alertId'] : undefined;
        const from = before.get(key);
        const to = drawn.current.tops.get(key);
        const hasMoved = from === undefined || to === undefined || Math.abs(to - from) > SLACK;
        isBlocked.current = key !== undefined && !isSeen && performance.now() - at < GUARD_MS && hasMoved;
        // Neither a drag nor a menu begins with it.
        if (isBlocked.current) event.stopPropagation();
      },
      onClick(event: MouseEvent): void {
        // The click of a key has no pointer.
        if (!isBlocked.current || (event.nativeEvent as Partial<globalThis.PointerEvent>).pointerType === '') return;
        isBlocked.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    }),
    [],
  );
}

/** Whether rows came or went, other than those that the person at this screen took out. */
function isOthersDoing(
  { rows, leaving }: Pick<MovedGuardOptions, 'rows' | 'leaving'>,
  now: MovedGuardOptions['rows'],
): boolean {
  const present = new Set(now.map(({ id }) => id));
  const known = new Set(rows.map(({ id }) => id));
  const hasGone = rows.some(({ id }) => !present.has(id) && !leaving.get(id)?.isOwn);
  return hasGone || now.some(({ id }) => !known.has(id));
}
