/** Whether the window around the page is shown: reported by the desktop app, whose pages always count as visible. */
let isWindowShown = true;

const listeners = new Set<() => void>();

/** Whether the page is shown: neither a tab in the background nor in a window that is in the tray or minimized. */
export const isPageShown = (): boolean =>
  isWindowShown && (typeof document === 'undefined' || document.visibilityState === 'visible');

/** Calls when the page comes to be shown and when it is hidden, until the returned function is called. */
export function watchPageShown(listener: () => void): () => void {
  listeners.add(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** The desktop app has shown or hidden its window. */
export function setWindowShown(isShown: boolean): void {
  if (isShown === isWindowShown) return;
  isWindowShown = isShown;
  for (const listener of listeners) listener();
}
