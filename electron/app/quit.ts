import { app } from 'electron';

/**
 * Quitting takes the server along: what it has acknowledged is stored, live clients are told goodbye, then the app ends.
 * Closing the last window does not quit; the app stays in the tray.
 */
export function setupQuit({ stopServer }: { stopServer: () => Promise<void> }): { isQuitting: () => boolean } {
  let isQuitting = false;
  let isStopped = false;
  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.on('window-all-closed', () => {
    if (isQuitting) app.quit();
  });
  app.on('will-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    void stopServer().finally(() => {
      isStopped = true;
      app.quit();
    });
  });
  return { isQuitting: () => isQuitting };
}
