import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Alert } from '#backend/contract/alert.ts';

/** A storm is more than so many arrivals within so many milliseconds; then nothing moves. */
const STORM_COUNT = 3;
const STORM_MS = 1000;

/** Lets the cards of alerts that just arrived fade in from 8 px above. */
export function useArrivals(list: RefObject<HTMLElement | null>, alerts: readonly Alert[]): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  const arrivedAt = useRef<number[]>([]);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = new Set(alerts.map(({ id }) => id));
    if (!before) return;
    const newest = alerts.find(({ id }) => before.has(id))?.id ?? '';
    const arrived = alerts.filter(({ id }) => !before.has(id) && id > newest);
    const now = performance.now();
    arrivedAt.current = [...arrivedAt.current, ...arrived.map(() => now)].filter((at) => now - at < STORM_MS);
    if (arrivedAt.current.length > STORM_COUNT || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const { id } of arrived) {
      const card = list.current?.querySelector(`[data-alert-id="${CSS.escape(id)}"] > *`);
      card?.animate(
        { opacity: [0, 1], transform: ['translateY(-8px)', 'none'] },
        { duration: 160, easing: 'cubic-bezier(0.4, 1, 0.75, 0.9)' },
      );
    }
  }, [list, alerts]);
}
