import { join } from 'node:path';
import { BrowserWindow, screen } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { SERVER_PAGE_ORIGIN } from '#electron/contract.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import type { Log } from '#electron/log.ts';
import type { Store } from '#electron/store.ts';
import { MINIMUM_SIZE, fitBounds } from './fit-bounds.ts';
import { originOf } from './origin-of.ts';

/** The app's one window. */
export interface MainWindow {
  /** The window, once it is there and while it is. */
  get(): BrowserWindow | undefined;
  /** In front of everything, with the focus. */
  bringUp(): void;
  /** Shows the page that belongs to how it goes with the server, at `path` when that is the web app. */
  follow(state: ServerState): void;
  /** Goes to a screen of the web app; when that is not there yet, once it is. */
  goTo(path: string): void;
}

interface MainWindowOptions {
  store: Store;
  log: Log;
  /** False once the app is quitting: then closing closes. */
  closesToTray: () => boolean;
  /** Said once, when closing left the app in the tray for the first time. */
  onHiddenFirst: () => void;
  onLoadFailed: (error: Error) => void;
  /** Whether the page is there to be told; else it is loaded at the path. */
  hearsGoTo: () => boolean;
  tellGoTo: (path: string) => void;
  /** The path that is opened where none is asked for. */
  homePath: () => string;
}

/** How long a page may hang before it is loaded anew, in milliseconds. */
const HANG_MS = 10_000;

/** Chromium's ERR_ABORTED. */
const ABORTED = -3;

/** A page that crashes more often than this within a minute is not loaded anew. */
const MOST_CRASHES = 3;

/** Opens the window, hidden until there is something to show. */
export function createMainWindow(options: MainWindowOptions): MainWindow {
  const { store, closesToTray } = options;
  const remembered = store.get().window;
  const { workArea: primary } = screen.getPrimaryDisplay();
  const workAreas = [primary, ...screen.getAllDisplays().map(({ workArea }) => workArea)];
  let window: BrowserWindow | undefined = new BrowserWindow({
    ...fitBounds(remembered?.bounds, workAreas),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    title: PRODUCT_NAME,
    webPreferences: {
      preload: join(__dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // Live events and notifications must come when the window is hidden.
      backgroundThrottling: false,
    },
  });
  if (remembered?.isMaximized) window.maximize();
  let waitingPath: string | undefined;

  window.on('close', (event) => {
    if (!window) return;
    store.change({ window: { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() } });
    if (!closesToTray()) return;
    event.preventDefault();
    window.hide();
    if (store.get().toldOfTray) return;
    store.change({ toldOfTray: true });
    options.onHiddenFirst();
  });
  window.on('closed', () => {
    window = undefined;
  });
  recoverFromCrashes(window, options);

  window.webContents.on('did-fail-load', (_, code, description, _url, isMainFrame) => {
    // Another page took its place meanwhile: no failure.
    if (isMainFrame && code !== ABORTED) options.onLoadFailed(new Error(description));
  });
  // It rejects where did-fail-load tells the same.
  const load = (url: string): void => void window?.loadURL(url).catch(() => undefined);

  return {
    get: () => window,
    bringUp() {
      if (!window) return;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    follow({ phase, origin }) {
      if (!window) return;
      const shown = originOf(window.webContents.getURL());
      if (phase === 'connected' && origin !== null) {
        if (shown !== origin) load(`${origin}${waitingPath ?? options.homePath()}`);
        waitingPath = undefined;
      } else if (shown !== SERVER_PAGE_ORIGIN) {
        load(`${SERVER_PAGE_ORIGIN}/`);
      }
    },
    goTo(path) {
      const shown = window && originOf(window.webContents.getURL());
      if (shown === undefined || shown === SERVER_PAGE_ORIGIN) waitingPath = path;
      else if (options.hearsGoTo()) options.tellGoTo(path);
      else load(`${shown}${path}`);
    },
  };
}

/** A page that crashed or hangs is loaded anew; what it showed is on the server. */
function recoverFromCrashes(window: BrowserWindow, { log }: MainWindowOptions): void {
  const crashes: number[] = [];
  window.webContents.on('render-process-gone', (_, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    crashes.push(Date.now());
    log.error('the page crashed', { reason });
    if (crashes.filter((at) => Date.now() - at < 60_000).length <= MOST_CRASHES) window.webContents.reload();
  });
  let hang: ReturnType<typeof setTimeout> | undefined;
  window.on('unresponsive', () => {
    log.warn('the page hangs');
    hang = setTimeout(() => {
      if (!window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
    }, HANG_MS);
  });
  window.on('responsive', () => clearTimeout(hang));
}
