import { useCallback, useSyncExternalStore } from 'react';
import type { Looker } from '#backend/contract/live-event.ts';

/** Listeners of one thing each. */
type Listeners = Set<() => void>;

const NOBODY: readonly Looker[] = [];

/** Who has an alert open now beside the member at this screen, as long as the live connection stands. */
const lookers = new Map<string, readonly Looker[]>();
const cards = new Map<string, Listeners>();

/** Replaces who looks at an alert. Written by the live connection alone. */
export function setLookers(alertId: string, people: readonly Looker[]): void {
  if (people.length > 0) lookers.set(alertId, people);
  else if (!lookers.delete(alertId)) return;
  cards.get(alertId)?.forEach((notify) => notify());
}

/** Nothing is known any more of who looks at what. */
export function forgetLookers(): void {
  for (const alertId of lookers.keys()) setLookers(alertId, NOBODY);
}

/** Which colleagues look at an alert. What shows one alert is drawn again for that one alone. */
export function useLookers(alertId: string): readonly Looker[] {
  const watch = useCallback(
    (notify: () => void) => {
      const listeners: Listeners = cards.get(alertId) ?? new Set();
      cards.set(alertId, listeners.add(notify));
      return () => {
        listeners.delete(notify);
        if (listeners.size === 0 && cards.get(alertId) === listeners) cards.delete(alertId);
      };
    },
    [alertId],
  );
  return useSyncExternalStore(watch, () => lookers.get(alertId) ?? NOBODY);
}
