import { useCallback, useSyncExternalStore } from 'react';

/** Under this width, 768 px, the sidebar is a sheet and cards are stacked. */
export const MOBILE = '(max-width: 767.98px)';

/** Fingers: what is pressed is 40 px high, and a tap anywhere on a card opens its alert. */
export const COARSE = '(pointer: coarse)';

/** Whether the media query matches, kept current. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
