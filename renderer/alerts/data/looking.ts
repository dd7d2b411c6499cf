import { useSyncExternalStore } from 'react';
import type { Looker } from '#backend/contract/live-event.ts';

/** Which colleagues have an alert open now, as long as the live connection stands. */
const lookers = new Map<string, readonly Looker[]>();
const listeners = new Set<() => void>();

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Replaces who looks at an alert; without an alert nobody looks at any, as far as is known. Written by the live connection. */
export function setLookers(alertId?: string, people: readonly Looker[] = []): void {
  if (alertId === undefined) lookers.clear();
  else if (people.length > 0) lookers.set(alertId, people);
  else lookers.delete(alertId);
  for (const listener of listeners) listener();
}

/** Which colleagues look at an alert; undefined for none. What shows it is drawn again only when that is another. */
export const useLookers = (alertId: string): readonly Looker[] | undefined =>
  useSyncExternalStore(watch, () => lookers.get(alertId));
