import { useEffect } from 'react';

/** How many rows before the end of what is loaded the next page is asked for. */
const AHEAD = 25;

/** Loads the next page when the list is scrolled near the end of what is there. After a failure it waits to be asked. */
export function useLoadMore(
  lastDrawn: number,
  loaded: number,
  more: { load: () => void; error: Error | null } | undefined,
): void {
  const isNear = more !== undefined && more.error === null && loaded - lastDrawn < AHEAD;
  useEffect(() => {
    if (isNear) more.load();
  }, [isNear, more]);
}
