import { ANSWER_TIMEOUT_MS, PING_AFTER_MS } from '#backend/contract/live-event.ts';

/** Watches whether the other end of an open connection is still there. */
export interface Heartbeat {
  /** Something came over the connection: it stands. */
  heard(): void;
  /** Asks now. */
  ask(): void;
  stop(): void;
}

/** A timer that fires later than this was held up, in milliseconds: the page slept, or the machine. */
const LATE_MS = 1_000;

/**
 * Asks with `ping` when nothing came for a while, and calls `onDead` when there is no answer in time. A page that slept
 * meanwhile asks once more, because the answer may lie behind the timer in the queue.
 */
export function createHeartbeat(ping: () => void, onDead: () => void): Heartbeat {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;

  const ask = (isRepeated = false): void => {
    if (isAsked && !isRepeated) return;
    isAsked = true;
    ping();
    const dueAt = performance.now() + ANSWER_TIMEOUT_MS;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isRepeated && performance.now() - dueAt > LATE_MS) ask(true);
      else onDead();
    }, ANSWER_TIMEOUT_MS);
  };
  return {
    heard() {
      clearTimeout(timer);
      isAsked = false;
      timer = setTimeout(ask, PING_AFTER_MS);
    },
    ask: () => ask(),
    stop: () => clearTimeout(timer),
  };
}
