import { useSyncExternalStore } from 'react';

/** How often relative times are looked at again, in milliseconds. They change once a minute. */
const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // Nobody was looking at the clock, so it may have stopped long ago.
    now = new Date();
    timer = setInterval(tick, TICK_MS);
  }
  document.addEventListener('visibilitychange', tick);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', tick);
  };
}

function tick(): void {
  now = new Date();
  for (const listener of listeners) listener();
}

/**
 * What `read` makes of the present moment. One clock serves the whole page, and a component is drawn again only when
 * what it reads has changed, so ticking costs next to nothing.
 */
export function useNow<Reading extends string | undefined>(read: (now: Date) => Reading): Reading {
  return useSyncExternalStore(subscribe, () => read(now));
}
