import { EventEmitter } from 'node:events';
import { DoubleApp } from './app.ts';
import { DoubleBrowserWindow } from './browser-window.ts';
import { DoubleIpcMain } from './ipc-main.ts';
import { createMenu } from './menu.ts';
import { doubleNativeImage } from './native-image.ts';
import { DoubleNativeTheme } from './native-theme.ts';
import { fetchAsElectron, requestAsElectron } from './net.ts';
import { DoubleNotification, notificationStatics } from './notification.ts';
import { DoublePowerMonitor } from './power-monitor.ts';
import { preventable } from './preventable.ts';
import { DoubleScreen } from './screen.ts';
import { DoubleSession } from './session.ts';
import { strict, strictClass } from './strict.ts';
import { DoubleTray } from './tray.ts';
import { DoubleUtilityProcess } from './utility-process.ts';
import type { StartedApp, Surroundings, World } from './world.ts';
import type { BrowserContext } from '@playwright/test';

/** What `require('electron')` gives in the main process, and what a test sees of the world around it. */
export function createDouble(surroundings: Surroundings, started: StartedApp, context: BrowserContext) {
  const world = {
    ...surroundings,
    started,
    context,
    windows: new Set(),
    trays: new Set(),
    applicationMenu: null,
    notifications: [],
    activation: undefined,
    openedOutside: [],
    clipboard: '',
    shortcuts: new Map(),
    schemes: new Map(),
    children: new Set(),
    crashReporter: undefined,
    refusesToasts: false,
    questions: [],
    answer: undefined,
    errorBoxes: [],
    output: [],
    errors: [],
    session: new DoubleSession(),
  } as Omit<World, 'app' | 'screen'> as World;
  world.app = new DoubleApp(world);
  world.screen = new DoubleScreen(world);
  const ipc = new DoubleIpcMain();
  const { session } = world;

  const parts = {
    app: strict('app', world.app),
    ipcMain: strict('ipcMain', ipc),
    BrowserWindow: strictClass(
      'BrowserWindow',
      class extends DoubleBrowserWindow {
        constructor(options?: Electron.BrowserWindowConstructorOptions) {
          super(world, ipc, options);
          world.app.emit('browser-window-created', preventable({}), this);
        }
      },
    ),
    Tray: strictClass(
      'Tray',
      class extends DoubleTray {
        constructor(image: ConstructorParameters<typeof DoubleTray>[1]) {
          super(world, image);
        }
      },
    ),
    Notification: strictClass(
      'Notification',
      Object.assign(
        class extends DoubleNotification {
          constructor(options?: Electron.NotificationConstructorOptions) {
            super(world, options);
          }
        },
        notificationStatics(world),
      ),
    ),
    Menu: strict('Menu', createMenu(world)),
    nativeImage: strict('nativeImage', doubleNativeImage),
    session: strict('session', {
      defaultSession: strict('session.defaultSession', session),
      // Another one, of which nothing but its being another is used.
      fromPartition: () => strict('session.fromPartition', new DoubleSession()),
    }),
    autoUpdater: strict('autoUpdater', new EventEmitter()),
    crashReporter: strict('crashReporter', {
      start: (options) => {
        if (options.submitURL === undefined && options.uploadToServer !== false)
          throw new Error('submitURL must be specified when uploadToServer is true');
        world.crashReporter = options;
      },
    } satisfies Pick<Electron.CrashReporter, 'start'>),
    utilityProcess: strict('utilityProcess', {
      fork: (modulePath: string, args?: string[], options?: Electron.ForkOptions) =>
        strict('utilityProcess', new DoubleUtilityProcess(world, modulePath, args, options)),
    }),
    net: strict('net', { fetch: fetchAsElectron, request: requestAsElectron } satisfies Pick<
      Electron.Net,
      'fetch' | 'request'
    >),
    screen: strict('screen', world.screen),
    shell: strict('shell', {
      openExternal: async (url) => void world.openedOutside.push(url),
      openPath: async (path) => {
        world.openedOutside.push(path);
        return '';
      },
    } satisfies Pick<Electron.Shell, 'openExternal' | 'openPath'>),
    dialog: strict('dialog', {
      showErrorBox: (title: string, content: string) => void world.errorBoxes.push({ title, content }),
      showMessageBoxSync: (_window: object, options: Electron.MessageBoxSyncOptions) => ask(world, options),
    }),
    nativeTheme: strict('nativeTheme', new DoubleNativeTheme()),
    clipboard: strict('clipboard', {
      writeText: async (text) => {
        world.clipboard = text;
      },
    } satisfies Pick<Electron.Clipboard, 'writeText'>),
    protocol: strict('protocol', {
      registerSchemesAsPrivileged: () => {
        if (world.app.isReady()) throw new Error('Schemes must be registered before the app is ready.');
      },
      handle: (scheme, handler) => {
        if (world.schemes.has(scheme)) throw new Error('The scheme has been registered');
        world.schemes.set(scheme, handler as (request: Request) => Response | Promise<Response>);
      },
    } satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>),
    globalShortcut: strict('globalShortcut', {
      register: (accelerator, callback) => {
        if (world.shortcuts.has(accelerator) || world.takenShortcuts.includes(accelerator)) return false;
        world.shortcuts.set(accelerator, callback);
        return true;
      },
      unregister: (accelerator) => void world.shortcuts.delete(accelerator),
    } satisfies Pick<Electron.GlobalShortcut, 'register' | 'unregister'>),
    powerMonitor: strict('powerMonitor', new DoublePowerMonitor()),
  };
  return { world, session, electron: strict('electron', parts) };
}

/** A box that waits for the person. */
function ask(world: World, { message, detail = '', buttons = [], cancelId = 0 }: Electron.MessageBoxSyncOptions) {
  world.questions.push({ message, detail, buttons });
  return world.answer === undefined ? cancelId : buttons.indexOf(world.answer);
}

/** A running double. */
export type Double = ReturnType<typeof createDouble>;
