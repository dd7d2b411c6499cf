import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Says, when an answer has come late, whether what asked for it is still on screen. The same function on every render.
 *
 * @param isShown whether it is, while it is drawn: a dialog is drawn a little longer than it is open
 */
export function useIsShown(isShown = true): () => boolean {
  const shown = useRef(false);
  useLayoutEffect(() => {
    shown.current = isShown;
    return () => void (shown.current = false);
  }, [isShown]);
  return useCallback(() => shown.current, []);
}
