import { useEffect } from 'react';

let open: string | undefined;
const listeners = new Set<() => void>();

/** The alert that this page shows all of, beside a list or by itself; undefined when it shows none. */
export const shownAlert = (): string | undefined => open;

/** Calls back when another alert is shown, or none any more. Returns what ends that. */
export function watchShownAlert(notify: () => void): () => void {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}

/** Says that all of an alert is shown while its component is. */
export function useShowsAlert(alertId: string, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const set = (id: string | undefined): void => {
      open = id;
      for (const notify of listeners) notify();
    };
    set(alertId);
    return () => {
      if (open === alertId) set(undefined);
    };
  }, [alertId, isShown]);
}
