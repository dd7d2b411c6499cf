/** Longest wait for a frame, in milliseconds. A hidden tab gets no frames at all. */
const FRAME_FALLBACK_MS = 200;

/** Collects items and hands them over once per animation frame, in order. */
export interface FrameQueue<Item> {
  push(items: readonly Item[]): void;
  /** Drops what is waiting and takes no more. */
  close(): void;
}

/** Makes a queue that calls `flush` with all that came since the last frame, so that a burst draws once. */
export function createFrameQueue<Item>(flush: (items: Item[]) => void): FrameQueue<Item> {
  let waiting: Item[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const stop = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  };
  const run = (): void => {
    stop();
    const items = waiting;
    waiting = [];
    if (items.length > 0) flush(items);
  };
  return {
    push(items) {
      if (closed || items.length === 0) return;
      waiting.push(...items);
      if (timer !== undefined) return;
      timer = setTimeout(run, FRAME_FALLBACK_MS);
      frame = requestAnimationFrame(run);
    },
    close() {
      closed = true;
      waiting = [];
      stop();
    },
  };
}
