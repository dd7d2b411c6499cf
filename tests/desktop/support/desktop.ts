import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** The built app: a folder with a `package.json`, from which Electron takes the name and the version. */
export const APP_FOLDER = join(PROJECT_DIR, 'dist', 'desktop');

/** Ends the embedded server's process. Electron lists it as `node.mojom.NodeService`; its own name is in `name`. */
export function endServer(metrics: readonly { pid: number; name?: string }[]): void {
  const server = metrics.find(({ name }) => name === 'Alertdesk server');
  if (!server) throw new Error(`No process is the server among: ${metrics.map(({ name }) => name).join(', ')}.`);
  process.kill(server.pid, 'SIGKILL');
}

/** A native notification as people see it. */
export interface ShownNotification {
  title: string;
  body: string;
  buttons: string[];
}

/** The taskbar icon's overlay: what it says, and its side in pixels by scale factor. */
export interface Overlay {
  description: string;
  sizes: Record<string, number>;
}

/** How the app is started. */
export interface Launch {
  /** What it was started with, such as a link. */
  argv?: string[];
  /** The app's data folder; another start with the same one finds what the first has left. */
  userData?: string;
  /** The app is not given its data folder, and makes one for itself in this one. */
  appData?: string;
  /** %LOCALAPPDATA%; the same as `appData` where it is not given. */
  localAppData?: string;
  platform?: 'win32' | 'darwin' | 'linux';
  displays?: { x: number; y: number; width: number; height: number; scaleFactor?: number }[];
  notificationsBlocked?: boolean;
  /** What `reg query` writes, by key. */
  registry?: Record<string, string>;
  /** What the system starts when somebody signs in, as the app or its user has left it. */
  loginItem?: { openAtLogin: boolean; args?: string[]; enabled?: boolean };
  takenShortcuts?: string[];
  /** The app is installed, with what ships beside its archive in this folder. */
  resourcesPath?: string;
  /** The system has no tray, so that the start fails. */
  hasNoTray?: boolean;
}

/** The running desktop app, as specs see it: the same on the double and on real Electron. */
export interface Desktop {
  /** Which of the two ran. */
  readonly driver: 'double' | 'electron';
  readonly userData: string;
  /** The window's page. */
  page(): Promise<Page>;
  /** The value of a script in the page, also of one that has crashed before; undefined while it cannot be asked. */
  inPage(script: string): Promise<unknown>;
  isVisible(): Promise<boolean>;
  isMaximized(): Promise<boolean>;
  isFlashing(): Promise<boolean>;
  bounds(): Promise<{ x: number; y: number; width: number; height: number }>;
  /** The user closes, leaves or moves the window. */
  closeWindow(): Promise<void>;
  blur(): Promise<void>;
  maximizeWindow(): Promise<void>;
  moveWindow(bounds: { x: number; y: number; width: number; height: number }): Promise<void>;
  overlay(): Promise<Overlay | undefined>;
  badgeCount(): Promise<number>;
  trayTip(): Promise<string>;
  trayMenu(): Promise<string[]>;
  chooseInTray(label: string): Promise<void>;
  pressKeys(accelerator: string): Promise<void>;
  pressGlobalKeys(accelerator: string): Promise<void>;
  notifications(): Promise<ShownNotification[]>;
  /** Clicks on the notification with this title, or on one of its buttons. */
  useNotification(title: string, button?: string): Promise<void>;
  openedOutside(): Promise<string[]>;
  clipboard(): Promise<string>;
  /** Starts the app again while it runs. */
  startAgain(...argv: string[]): Promise<void>;
  /** Ends the embedded server's process, as a crash does. */
  crashServer(): Promise<void>;
  crashPage(): Promise<void>;
  quit(): Promise<void>;
  /** The exit code, once it has ended. */
  readonly exited: Promise<number>;
}
