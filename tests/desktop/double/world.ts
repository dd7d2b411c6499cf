import type { BrowserContext } from '@playwright/test';
import type { DoubleApp } from './app.ts';
import type { DoubleBrowserWindow } from './browser-window.ts';
import type { DoubleMenu } from './menu.ts';
import type { DoubleNotification } from './notification.ts';
import type { DoubleScreen } from './screen.ts';
import type { DoubleSession } from './session.ts';
import type { DoubleTray } from './tray.ts';
import type { DoubleUtilityProcess } from './utility-process.ts';

/** A display's work area, and its scaling: 1.5 is 150 %. */
export interface DisplayArea extends Electron.Rectangle {
  scaleFactor?: number;
}

/** How the computer is on which the app runs. */
export interface Surroundings {
  platform: 'win32' | 'darwin' | 'linux';
  /** The folder that holds each app's data: %APPDATA% on Windows. */
  appData: string;
  /** %LOCALAPPDATA% on Windows. */
  localAppData: string;
  /** What the app was started with, after the program. `--user-data-dir` names its data folder. */
  argv: readonly string[];
  isPackaged: boolean;
  /** Where what ships beside the archive lies. */
  resourcesPath: string | undefined;
  /** What `reg query` writes, by key. */
  registry: Readonly<Record<string, string>>;
  /** The primary one first. */
  displays: readonly DisplayArea[];
  /** The user, or a policy, has turned off the app's notifications. */
  notificationsBlocked: boolean;
  /** What the system starts when somebody signs in; it outlives the app. */
  loginItem: Electron.Settings;
  /** Shortcuts that other programs hold. */
  takenShortcuts: readonly string[];
  /** The system has no tray: `new Tray` throws. */
  hasNoTray: boolean;
}

/** What was started: Electron takes name and version from the folder's `package.json`, else they are its own. */
export interface StartedApp {
  path: string;
  name: string;
  version: string;
}

/** One running app with everything around it that a test looks at. */
export interface World extends Surroundings {
  started: StartedApp;
  context: BrowserContext;
  app: DoubleApp;
  screen: DoubleScreen;
  session: DoubleSession;
  windows: Set<DoubleBrowserWindow>;
  trays: Set<DoubleTray>;
  applicationMenu: DoubleMenu | null;
  notifications: DoubleNotification[];
  /** Listens to uses of notifications that have no object any more. */
  activation: ((details: Electron.ActivationArguments) => void) | undefined;
  openedOutside: string[];
  clipboard: string;
  shortcuts: Map<string, () => void>;
  schemes: Map<string, (request: Request) => Response | Promise<Response>>;
  children: Set<DoubleUtilityProcess>;
  /** How crashes are kept; undefined while they are not. */
  crashReporter: Electron.CrashReporterStartOptions | undefined;
  /** Windows cannot read what the app hands over as toasts. */
  refusesToasts: boolean;
  /** The boxes that asked something. */
  questions: { message: string; detail: string; buttons: readonly string[] }[];
  /** The button that the person takes in such a box; Escape when undefined. */
  answer: string | undefined;
  /** What stood in error boxes. */
  errorBoxes: { title: string; content: string }[];
  /** What the main process wrote to its terminal. */
  output: string[];
  /** What went wrong in listeners; a test fails of it. */
  errors: unknown[];
}

/** Whether it is Windows; a member that exists only there is an error elsewhere. */
export function expectPlatform(world: World, platform: Surroundings['platform'], member: string): void {
  if (world.platform !== platform)
    throw new Error(`${member} is there on ${platform} only, and this is ${world.platform}.`);
}
