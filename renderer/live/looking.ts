import type { LiveLooking } from '#backend/contract/looking.ts';
import { shownAlert, watchShownAlert } from '#renderer/alerts/panel/shown-alert.ts';
import type { Connection } from './connection.ts';

/** An alert that is left within this time was passed by, as with J and K, in milliseconds. */
const SETTLE_MS = 250;

/** Reports which alert the member has open in front of them. */
export interface LookingReport {
  /** The server greeted: a new connection knows nothing of it. */
  greeted(): void;
  stop(): void;
}

/**
 * Says over the live connection which alert is open while the page is visible and has the focus, and when that ends: at once
 * where the page is hidden or left, whose timers may stand still. A page that shows no alert says nothing.
 */
export function createLookingReport({ send }: Pick<Connection, 'send'>): LookingReport {
  let said: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (): void => {
    clearTimeout(timer);
    const isInFront = document.visibilityState === 'visible' && document.hasFocus();
    const alertId = (isInFront && shownAlert()) || null;
    if (alertId === said) return;
    if (send(JSON.stringify({ type: 'looking', alertId } satisfies LiveLooking))) said = alertId;
  };
  const settle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(say, SETTLE_MS);
  };
  const turned = (): void => {
    if (document.visibilityState === 'visible' && document.hasFocus()) settle();
    else say();
  };
  const unwatch = watchShownAlert(settle);
  const ending = new AbortController();
  const { signal } = ending;
  document.addEventListener('visibilitychange', turned, { signal });
  window.addEventListener('focus', turned, { signal });
  window.addEventListener('blur', turned, { signal });
  say();
  return {
    greeted() {
      said = null;
      say();
    },
    stop() {
      clearTimeout(timer);
      unwatch();
      ending.abort();
    },
  };
}
