import { type LiveShown, SHOWN_EVERY_MS, SHOWN_MAX_MS } from '#backend/contract/latency.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { isPageShown, watchPageShown } from '#renderer/lib/page-shown.ts';
import type { Connection } from './connection.ts';

/** A page reports one alert in at least this time, in milliseconds: more than the server asks for. */
const PAUSE_MS = SHOWN_EVERY_MS * 1.5;

/** When the clock of day and the page's own differ by more in between, in milliseconds, the machine slept. */
const SLEPT_MS = 250;

/** Samples of how long new alerts take to this page's screen. */
export interface LatencySample {
  /** Events came over the connection just now. */
  arrived(events: readonly LiveEvent[]): void;
  /** What came is in the data that is drawn from. */
  applied(): void;
  stop(): void;
}

interface Sampled {
  alertId: string;
  arrivedAt: number;
  clockAt: number;
}

/**
 * Reports now and then how long a new alert took from its event to the screen: half of a round trip, which is measured
 * right then, and the time until the frame with it was drawn. No clocks are compared. A page that is hidden meanwhile, or
 * whose machine slept, reports nothing.
 *
 * @param random from 0 up to 1: pages that receive the same alert do not all report the same ones.
 */
export function createLatencySample({ measure }: Pick<Connection, 'measure'>, random = Math.random): LatencySample {
  let sampled: Sampled | undefined;
  let dueAt = performance.now();

  const forget = (): void => (sampled = undefined);
  const unwatch = watchPageShown(forget);

  const report = (drawn: Sampled): void => {
    if (drawn !== sampled) return;
    const drawnAfterMs = performance.now() - drawn.arrivedAt;
    measure((roundTripMs) => {
      if (drawn !== sampled) return undefined;
      forget();
      const passedMs = performance.now() - drawn.arrivedAt;
      const afterMs = roundTripMs / 2 + drawnAfterMs;
      if (Math.abs(Date.now() - drawn.clockAt - passedMs) > SLEPT_MS || afterMs > SHOWN_MAX_MS) return undefined;
      return JSON.stringify({ type: 'shown', alertId: drawn.alertId, afterMs } satisfies LiveShown);
    });
  };

  return {
    arrived(events) {
      const now = performance.now();
      if (now < dueAt || !isPageShown()) return;
      // The server remembers the last of a frame.
      const last = events.findLast((event) => event.type === 'new_alert');
      if (!last) return;
      dueAt = now + PAUSE_MS * (1 + random());
      sampled = { alertId: last.alert.id, arrivedAt: now, clockAt: Date.now() };
    },
    applied() {
      const applying = sampled;
      if (!applying) return;
      // A frame begins with these callbacks; the task behind them runs once it was drawn.
      requestAnimationFrame(() => setTimeout(() => report(applying)));
    },
    stop() {
      forget();
      unwatch();
    },
  };
}
