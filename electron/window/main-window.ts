import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { SERVER_PAGE_ORIGIN } from '#electron/contract.ts';
import { type ServerChoice, type ServerState, isSameServer } from '#electron/contract/server-choice.ts';
import type { Quit } from '#electron/app/lifecycle.ts';
import type { Log } from '#electron/logs/logs.ts';
import type { State } from '#electron/state.ts';
import type { Store } from '#electron/store.ts';
import { originOf } from './addresses.ts';
import { askBeforeLeaving } from './ask-before-leaving.ts';
import { MINIMUM_SIZE, fitBounds, isMiddleInSight } from './fit-bounds.ts';
import { watchShown } from './watch-shown.ts';

/** The app's one window. */
export interface MainWindow {
  /** The window, once it is there and while it is. */
  get(): BrowserWindow | undefined;
  /** Whether it is neither in the tray nor minimized. */
  shown: State<boolean>;
  /** In front of everything, with the focus. */
  bringUp(): void;
  /** Shows the page that belongs to how it goes with the server, at `path` when that is the web app. */
  follow(state: ServerState): void;
  /** Goes to a screen of the server's web app; when that is not there yet, once it is. Another server's has no such screen. */
  goTo(path: string, server: ServerChoice | null): void;
  /** The page says whether it follows `goTo`; the next one has to say so itself. */
  setListening(isListening: boolean): void;
  /** Leaves the web app for the app's own page; false when the person wants to stay on it. */
  leave(): Promise<boolean>;
  /** Whose web app is there: also while its server cannot be used, as long as the page is not left. */
  shownOrigin(): string | undefined;
}

interface MainWindowOptions {
  store: Store;
  log: Log;
  quit: Quit;
  /** Said once, when closing left the app in the tray for the first time. */
  onHiddenFirst: () => void;
  onLoadFailed: (error: Error) => void;
  /** The page has crashed too often to be loaded again by itself. */
  onPageBroken: () => void;
  /** A page of another origin takes its place, or it has crashed: what it reported does not hold for the next. */
  onPageGone: () => void;
  /** A page of the same origin takes its place. */
  onPageReloaded: () => void;
  /** Sends the page to a path, while it listens; else it is loaded there. */
  sendGoTo: (path: string) => void;
  /** The connected server's; undefined while there is none. */
  webAppOrigin: () => string | undefined;
  /** The path that is opened where none is asked for. */
  homePath: () => string;
}

/** A screen that was asked for before its server's page is there; of whichever server comes where there was none. */
interface PendingPath {
  path: string;
  server: ServerChoice | null;
}

/** A page that has nothing to show after so long leaves the window as it is, in milliseconds. */
const SHOW_ANYWAY_MS = 5_000;

/** The ground of the web app's themes (`renderer/styles/tokens.css`), for what no page has drawn yet. */
const GROUND = { light: '#f6f7f9', dark: '#1c2127' };

const ground = (): string => (nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light);

/** How long a page may hang before it is loaded again, in milliseconds. */
const HANG_MS = 10_000;

/** Chromium's ERR_ABORTED. */
const ABORTED = -3;

/** A page that crashes more often than this within a minute is not loaded again. */
const MOST_CRASHES = 3;

const SERVER_PAGE = `${SERVER_PAGE_ORIGIN}/`;

/** Opens the window, hidden until there is something to show. */
export function createMainWindow(options: MainWindowOptions): MainWindow {
  const { store, quit } = options;
  const remembered = store.get().window;
  let window: BrowserWindow | undefined = new BrowserWindow({
    ...fitBounds(remembered?.bounds, workAreas()),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    backgroundColor: ground(),
    title: PRODUCT_NAME,
    webPreferences: {
      preload: join(__dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // What is typed here are names and addresses; Chromium would fetch a dictionary from outside for them.
      spellcheck: false,
      // Live events and notifications must come when the window is hidden.
      backgroundThrottling: false,
    },
  });
  const windowShown = watchShown(window);
  const appearance = createAppearance(window, remembered?.isMaximized ?? false);
  nativeTheme.on('updated', () => window?.setBackgroundColor(ground()));
  let pending: PendingPath | undefined;
  let isListening = false;

  window.on('close', (event) => {
    if (!window) return;
    store.change({ window: { bounds: window.getNormalBounds(), isMaximized: appearance.isMaximized() } });
    if (quit.isQuitting()) return;
    event.preventDefault();
    window.hide();
    if (store.get().isTrayExplained) return;
    store.change({ isTrayExplained: true });
    options.onHiddenFirst();
  });
  window.on('closed', () => {
    window = undefined;
  });
  recoverFromCrashes(window, options);
  // The next page does not listen until it says so, and what is sent to it before that is lost.
  let shownOrigin: string | undefined;
  window.webContents.on('did-navigate', (_, url) => {
    isListening = false;
    const origin = originOf(url);
    if (origin === shownOrigin) options.onPageReloaded();
    else options.onPageGone();
    shownOrigin = origin;
  });
  window.webContents.on('render-process-gone', () => {
    isListening = false;
    options.onPageGone();
  });

  window.webContents.on('did-fail-load', (_, code, description, _url, isMainFrame) => {
    // Another page took its place meanwhile: no failure.
    if (isMainFrame && code !== ABORTED) options.onLoadFailed(new Error(description));
  });
  // Whose page was asked for last: the contents name it only once it is there.
  let asked: string | undefined;
  /** The person has stayed on a page whose server cannot be used. */
  let isKept = false;
  const load = async (url: string): Promise<void> => {
    asked = originOf(url);
    isKept = false;
    // did-fail-load reports the same failure.
    await window?.loadURL(url).catch(() => undefined);
  };
  askBeforeLeaving(window, {
    mustLeave: quit.isSessionEnding,
    onStay() {
      quit.cancel();
      const shown = originOf(window?.webContents.getURL() ?? '');
      isKept = shown !== asked;
      asked = shown;
    },
  });

  return {
    get: () => window,
    shown: windowShown,
    bringUp() {
      if (!window) return;
      // One that crashed too often is tried again when somebody wants to see it.
      if (window.webContents.isCrashed()) window.webContents.reload();
      appearance.show();
    },
    follow({ phase, origin, choice }) {
      if (pending?.server && !isSameServer(pending.server, choice)) pending = undefined;
      if (phase === 'connected' && origin !== null) {
        isKept = false;
        if (asked !== origin) void load(`${origin}${pending?.path ?? options.homePath()}`);
        pending = undefined;
      } else if (asked !== SERVER_PAGE_ORIGIN && !isKept) {
        void load(SERVER_PAGE);
      }
    },
    goTo(path, server) {
      // On the way to another server the page of the last may still be there.
      if (asked === undefined || asked !== options.webAppOrigin()) pending = { path, server };
      else if (isListening && originOf(window?.webContents.getURL() ?? '') === asked) options.sendGoTo(path);
      else void load(`${asked}${path}`);
    },
    setListening(isNowListening) {
      isListening = isNowListening;
    },
    async leave() {
      if (asked === SERVER_PAGE_ORIGIN) return true;
      const wasKept = isKept;
      await load(SERVER_PAGE);
      if (asked === SERVER_PAGE_ORIGIN) return true;
      // The page goes on as it was.
      isKept = wasKept;
      pending = undefined;
      return false;
    },
    shownOrigin() {
      const shown = originOf(window?.webContents.getURL() ?? '');
      return shown === SERVER_PAGE_ORIGIN ? undefined : shown;
    },
  };
}

/** Windows moves a window whose display is unplugged, but not one that is hidden then. */
function comeToDisplay(window: BrowserWindow): void {
  const bounds = window.getBounds();
  if (window.isMaximized()) {
    if (isMiddleInSight(bounds, workAreas())) return;
    window.unmaximize();
    window.setBounds(fitBounds(window.getNormalBounds(), workAreas()));
    window.maximize();
    return;
  }
  const fitting = fitBounds(bounds, workAreas());
  if (fitting.x !== bounds.x || fitting.y !== bounds.y) window.setBounds(fitting);
}

/** Of the displays that are there, the primary one first. */
const workAreas = (): Electron.Rectangle[] =>
  [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);

/**
 * How the window comes to be seen: with its page in it, not before, and maximized only then, as Electron shows a hidden
 * window that it maximizes.
 */
function createAppearance(window: BrowserWindow, wasMaximized: boolean) {
  let isReady = false;
  let isWanted = false;
  let isMaximizedFirst = wasMaximized;
  const appear = () => {
    if (window.isDestroyed()) return;
    if (isMaximizedFirst) window.maximize();
    isMaximizedFirst = false;
    if (window.isMinimized()) window.restore();
    if (!window.isVisible()) comeToDisplay(window);
    window.show();
    window.focus();
  };
  const beReady = () => {
    if (!isReady && isWanted) appear();
    isReady = true;
  };
  window.once('ready-to-show', beReady);
  return {
    show() {
      if (isReady) appear();
      else if (!isWanted) setTimeout(beReady, SHOW_ANYWAY_MS).unref();
      isWanted = true;
    },
    /** Also before it was seen. */
    isMaximized: () => isMaximizedFirst || window.isMaximized(),
  };
}

/** A page that crashed or hangs is loaded again; what it showed is on the server. */
function recoverFromCrashes(window: BrowserWindow, { log, onPageBroken }: MainWindowOptions): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    crashes = [...crashes.filter((at) => Date.now() - at < 60_000), Date.now()];
    log.error('the page crashed', { reason });
    if (crashes.length <= MOST_CRASHES) {
      window.webContents.reload();
      return;
    }
    crashes = [];
    onPageBroken();
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
