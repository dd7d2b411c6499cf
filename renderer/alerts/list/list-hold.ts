/**
 * How long a list keeps still after the pointer moved over it or a key was pressed in it, in milliseconds. Somebody who
 * aims pauses for less; who reads with the pointer at rest for longer is guarded by {@link GUARD_MS}.
 */
export const REST_MS = 1500;

/**
 * The same for a card that left by the person's own action: they expect the gap to close, but the second click of a
 * double click, at most half a second later, must not meet the next card.
 */
export const OWN_REST_MS = 500;

/**
 * Cards that moved by themselves take no click or key for this long, in milliseconds: nobody sees that a card is another
 * one, and holds back, in less.
 */
export const GUARD_MS = 400;

/** A mouse that has rested for so long points at nothing, in milliseconds: a screen on a wall must not keep what is gone. */
export const PARKED_MS = 120_000;

/** A row as it is drawn: where it begins and ends in what scrolls it, in pixels. */
export interface DrawnRow {
  id: string;
  start: number;
  end: number;
}

/** Whether somebody is using a list at this moment, and which of its rows, so that these must not move under them. */
export interface ListHold {
  /** How long the rows must still keep their places, in milliseconds; 0 when they may move. */
  remaining(restMs?: number): number;
  /** Calls `listener` when the list is left or let go of. Returns what ends that. */
  onRelease(listener: () => void): () => void;
  /** The pointer moved over the list: a mouse to so many pixels below the upper end of what scrolls the list. */
  moved(mouseAt?: number): void;
  /** A pointer went down in the list; it counts as used until it goes up again, wherever that is. */
  pressed(): void;
  /** The pointer left the list. */
  left(): void;
  /** A key was pressed in the list. */
  typed(): void;
  /** The list was scrolled. */
  scrolled(): void;
  /** These rows are on screen, or just beside it. `scrollTop` says how far the list is scrolled at any time, in pixels. */
  drew(rows: readonly DrawnRow[], scrollTop: () => number): void;
  /** Where the mouse is over the list, moving or at rest, in pixels as for `moved`; undefined where it is not. */
  mouseAt(): number | undefined;
  /**
   * Whether the row under the mouse would move, or be another one, if the rows with these ids gave up their places: it is
   * one of them, or they stand above it and the list is not scrolled by their height.
   */
  isUnderMouse(ids: ReadonlySet<string>): boolean;
  /** Whether the row was on screen when the list was last drawn: the place of any other may be given up at once. */
  isDrawn(id: string): boolean;
}

/** How often a frozen list looks again while a pointer is down, in milliseconds. Its release is reported anyway. */
const PRESSED_MS = 250;

const atTop = (): number => 0;

/** @param now the clock in milliseconds, which never goes back. */
export function createListHold(now: () => number = () => performance.now()): ListHold {
  const listeners = new Set<() => void>();
  let pointerAt = Number.NEGATIVE_INFINITY;
  let typedAt = Number.NEGATIVE_INFINITY;
  let isPressed = false;
  let isMoved = false;
  let mouseAt: number | undefined;
  let parking: ReturnType<typeof setTimeout> | undefined;
  let drawn: readonly DrawnRow[] = [];
  let scrollTop = atTop;

  const release = (): void => {
    for (const listener of listeners) listener();
  };
  const pointed = (): DrawnRow | undefined => {
    if (mouseAt === undefined) return undefined;
    const at = mouseAt + scrollTop();
    return drawn.find(({ start, end }) => start <= at && at < end);
  };
  const park = (): void => {
    const leftMs = pointerAt + PARKED_MS - now();
    parking = leftMs > 0 ? setTimeout(park, leftMs) : undefined;
    if (parking !== undefined || mouseAt === undefined) return;
    mouseAt = undefined;
    release();
  };
  const left = (): void => {
    removeEventListener('pointermove', watch);
    pointerAt = Number.NEGATIVE_INFINITY;
    mouseAt = undefined;
    release();
  };
  /** Where the card under the mouse has gone meanwhile, nothing but a move elsewhere says that the mouse has left the list. */
  const watch = ({ pointerType }: PointerEvent): void => {
    if (!isMoved && pointerType === 'mouse') left();
    isMoved = false;
  };
  const lift = (): void => {
    removeEventListener('pointerup', lift, true);
    removeEventListener('pointercancel', lift, true);
    isPressed = false;
    pointerAt = now();
    release();
  };
  return {
    remaining: (restMs = REST_MS) =>
      isPressed ? PRESSED_MS : Math.max(0, Math.max(pointerAt, typedAt) + restMs - now()),
    onRelease(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    moved(at) {
      pointerAt = now();
      if (at === undefined) return;
      isMoved = true;
      addEventListener('pointermove', watch);
      const before = pointed();
      mouseAt = at;
      parking ??= setTimeout(park, PARKED_MS);
      if (pointed() !== before) release();
    },
    pressed() {
      isPressed = true;
      addEventListener('pointerup', lift, true);
      addEventListener('pointercancel', lift, true);
    },
    left,
    typed: () => (typedAt = now()),
    scrolled: release,
    drew(rows, scrolled) {
      drawn = rows;
      scrollTop = scrolled;
    },
    mouseAt: () => mouseAt,
    isUnderMouse(ids) {
      const row = pointed();
      if (!row) return false;
      if (ids.has(row.id)) return true;
      const above = drawn.filter(({ id, start }) => ids.has(id) && start < row.start);
      return above.reduce((height, { start, end }) => height + end - start, 0) > scrollTop();
    },
    isDrawn: (wanted) => drawn.some(({ id }) => id === wanted),
  };
}
