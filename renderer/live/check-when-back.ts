import type { Connection } from './connection.ts';

/** Has the connection checked when the network changes or the page is looked at again: it may have gone unnoticed. */
export function checkWhenBack({ check }: Connection): () => void {
  const checkVisible = (): void => {
    if (document.visibilityState === 'visible') check();
  };
  window.addEventListener('online', check);
  window.addEventListener('offline', check);
  document.addEventListener('visibilitychange', checkVisible);
  return () => {
    window.removeEventListener('online', check);
    window.removeEventListener('offline', check);
    document.removeEventListener('visibilitychange', checkVisible);
  };
}
