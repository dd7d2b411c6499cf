import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { app, autoUpdater, dialog } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { openLogs } from '#electron/logs/logs.ts';
import { isQuitRequest } from './app-link.ts';
import { moveData } from './data-folder.ts';
import { DEVELOPMENT, INSTALLED } from './identity.ts';

/** How the app ends. */
export interface Quit {
  isQuitting(): boolean;
  /** Windows ends the session: nothing can be asked any more. */
  isSessionEnding(): boolean;
  /** The page is not left after all, and so the app goes on. */
  cancel(): void;
  /** Leaves what the app was started for again to the next start, which follows the end; false unless the app ends already. */
  leaveToNext(argv: readonly string[]): boolean;
}

/**
 * Quitting stops the server first: it stores what it has acknowledged and closes live connections, then the app ends.
 * Closing the last window does not quit; the app stays in the tray.
 */
export function setupQuit({ stopServer }: { stopServer: () => Promise<void> }): Quit {
  let isQuitting = false;
  let isSessionEnding = false;
  let isStopping = false;
  let isStopped = false;
  let isUpdating = false;
  /** How the app was started again while it ends. */
  let next: readonly string[] | undefined;
  // The installer starts the app by itself.
  autoUpdater.once('before-quit-for-update', () => {
    isUpdating = true;
  });
  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.on('window-all-closed', () => {
    if (isQuitting) app.quit();
  });
  app.on('will-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    if (isStopping) return;
    isStopping = true;
    const end = () => {
      isStopped = true;
      if (next && !isUpdating && !isSessionEnding) app.relaunch({ args: next.slice(1) });
      // Electron ignores a quit() until this event is over, with the microtasks that it runs inside of it.
      setImmediate(() => app.quit());
    };
    void stopServer().then(end, end);
  });
  if (process.platform === 'win32') {
    app.on('browser-window-created', (_, window) => {
      window.on('session-end', () => {
        isSessionEnding = true;
        // Windows ends the processes right after this event, so the server is asked at once. An app that has not begun
        // to quit by then is ended by Electron itself.
        void stopServer();
        app.quit();
      });
    });
  }
  return {
    isQuitting: () => isQuitting,
    isSessionEnding: () => isSessionEnding,
    cancel() {
      isQuitting = false;
    },
    leaveToNext(argv) {
      if (isStopping) next = isQuitRequest(argv) ? undefined : argv;
      return isStopping;
    },
  };
}

/**
 * Says who this is: before the lock, which belongs to the data folder, before the first window and the first toast. Apart
 * from `identity.ts`, which the build reads too.
 */
export function setupIdentity(): void {
  const { name, appUserModelId, toastActivator } = app.isPackaged ? INSTALLED : DEVELOPMENT;
  app.setName(name);
  // The command line goes first: tests give each start a folder of its own.
  if (!app.commandLine.hasSwitch('user-data-dir')) {
    const folder = dataFolder(name);
    mkdirSync(folder, { recursive: true });
    // The pages' data is there, too, as long as it is set before the app is ready.
    app.setPath('userData', folder);
  }
  if (process.platform !== 'win32') return;
  app.setAppUserModelId(appUserModelId);
  app.setToastActivatorCLSID(toastActivator);
}

/**
 * Where the app keeps its data. On Windows that is the local application data: databases do not belong into what Windows
 * copies between computers at each sign-in, or a company keeps on a server.
 */
function dataFolder(name: string): string {
  const before = join(app.getPath('appData'), name);
  const local = process.env['LOCALAPPDATA'];
  if (process.platform !== 'win32' || local === undefined) return before;
  return moveData(before, join(local, name), { id: String(process.pid) });
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
