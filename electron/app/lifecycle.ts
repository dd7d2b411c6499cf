import { join } from 'node:path';
import process from 'node:process';
import { app, dialog } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { openLogs } from '#electron/logs/logs.ts';
import { DEVELOPMENT, INSTALLED } from './identity.ts';

/**
 * Quitting stops the server first: it stores what it has acknowledged and closes live connections, then the app ends.
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

/**
 * Says who this is: before the lock, which belongs to the data folder, before the first window and the first toast. Apart
 * from `identity.ts`, which the build reads too.
 */
export function setupIdentity(): void {
  const { name, appUserModelId, toastActivator } = app.isPackaged ? INSTALLED : DEVELOPMENT;
  app.setName(name);
  // The command line goes first: tests give each start a folder of its own.
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', join(app.getPath('appData'), name));
  if (process.platform !== 'win32') return;
  app.setAppUserModelId(appUserModelId);
  app.setToastActivatorCLSID(toastActivator);
}

/**
 * Ends a start that went wrong, with an entry in the log and a box that says why: else a process without a window would
 * hold the lock, and each further start would end without a word.
 */
export function failStart(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  let hint = '';
  try {
    const logs = openLogs({ folder: join(app.getPath('userData'), 'logs') });
    logs.error('the app could not start', error);
    hint = `\n\nThe log is at ${logs.path}`;
  } catch {
    // The disk may be the reason. The box comes all the same.
  }
  dialog.showErrorBox(`${PRODUCT_NAME} cannot start`, `${reason}${hint}`);
  app.exit(1);
}
