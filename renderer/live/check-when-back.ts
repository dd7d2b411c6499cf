import type { Connection } from './connection.ts';

/** How often it is looked whether the machine slept, in milliseconds. */
const TICK_MS = 2_000;

/** A tick that comes later than this, in milliseconds, comes after a sleep. */
const SLEPT_MS = 10_000;

/**
 * Has the connection checked when the network changes, and when the page is looked at again or the machine wakes up: what
 * became of it meanwhile may have gone unnoticed. Returns how to stop that.
 */
export function checkWhenBack({ check }: Pick<Connection, 'check'>): () => void {
  const over = new AbortController();
  const { signal } = over;
  const checkVisible = (): void => {
    if (document.visibilityState === 'visible') check();
  };
  for (const type of ['online', 'offline', 'focus', 'pageshow']) {
    window.addEventListener(type, () => check(type === 'online'), { signal });
  }
  document.addEventListener('visibilitychange', checkVisible, { signal });
  document.addEventListener('resume', checkVisible, { signal });
  // A page that is in front when the machine wakes up gets no event. Hidden pages have slow timers, and are checked when shown.
  let tickedAt = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - tickedAt > SLEPT_MS) checkVisible();
    tickedAt = now;
  }, TICK_MS);
  return () => {
    over.abort();
    clearInterval(timer);
  };
}
