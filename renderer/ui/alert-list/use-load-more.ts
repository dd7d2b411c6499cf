import { useEffect } from 'react';

/** How many rows before the end of what is loaded the next page is asked for. */
const AHEAD = 25;

/** The way to the next page of a list. */
export interface NextPage {
  load: () => void;
  /** Why the last attempt failed. */
  error: Error | null;
  /** The list is being fetched, in whole or in part: asking now would only join that. */
  isBusy: boolean;
}

/**
 * Loads the next page when the list is scrolled near the end of what is there, as soon as nothing else of it is being
 * fetched. After a failure it waits to be asked.
 */
export function useLoadMore(lastDrawn: number, loaded: number, more: NextPage | undefined): void {
  const isWanted = more !== undefined && more.error === null && !more.isBusy && loaded - lastDrawn < AHEAD;
  useEffect(() => {
    if (isWanted) more.load();
  }, [isWanted, more]);
}
