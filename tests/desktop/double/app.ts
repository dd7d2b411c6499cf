import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { preventable } from './preventable.ts';
import { type World, expectPlatform } from './world.ts';

/** Members of Electron's `app` that the double has. */
type Members =
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'requestSingleInstanceLock'
  | 'getPath'
  | 'getAppPath'
  | 'getVersion'
  | 'getName'
  | 'isPackaged'
  | 'setAppUserModelId'
  | 'setToastActivatorCLSID'
  | 'setBadgeCount'
  | 'setLoginItemSettings'
  | 'getLoginItemSettings'
  | 'setAsDefaultProtocolClient'
  | 'relaunch';

/** The app and its life: ready, before-quit, the windows' close, will-quit, quit, in Electron's order. */
export class DoubleApp extends EventEmitter implements Pick<Electron.App, Members> {
  readonly isPackaged: boolean;
  /** What a test looks at. */
  badgeCount = 0;
  appUserModelId: string | undefined;
  toastActivator: string | undefined;
  loginItem: Electron.Settings = { openAtLogin: false };
  /** The exit code, once it has ended. */
  readonly exited: Promise<number>;
  #world: World;
  #ready: Promise<void>;
  #isReady = false;
  #isQuitting = false;
  #end!: (code: number) => void;

  constructor(world: World) {
    super();
    this.#world = world;
    this.isPackaged = world.isPackaged;
    this.exited = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#ready = new Promise((resolve) => {
      setImmediate(() => {
        this.#isReady = true;
        this.emit('ready', {}, {});
        resolve();
      });
    });
  }

  whenReady(): Promise<void> {
    return this.#ready;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  requestSingleInstanceLock(): boolean {
    return true;
  }

  getPath(name: Parameters<Electron.App['getPath']>[0]): string {
    const { userData } = this.#world;
    const paths: Partial<Record<typeof name, string>> = {
      userData,
      logs: join(userData, 'logs'),
      temp: join(userData, 'temp'),
    };
    const path = paths[name];
    if (path === undefined) throw new Error(`The double of Electron has no app.getPath('${name}').`);
    mkdirSync(path, { recursive: true });
    return path;
  }

  getAppPath(): string {
    return PROJECT_DIR;
  }

  getVersion(): string {
    return this.#world.version;
  }

  getName(): string {
    return 'alertdesk';
  }

  setAppUserModelId(id: string): void {
    expectPlatform(this.#world, 'win32', 'app.setAppUserModelId');
    this.appUserModelId = id;
  }

  setToastActivatorCLSID(id: string): void {
    expectPlatform(this.#world, 'win32', 'app.setToastActivatorCLSID');
    if (!/^\{?[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\}?$/i.test(id)) throw new Error('Invalid CLSID format');
    this.toastActivator = id;
  }

  setBadgeCount(count = 0): boolean {
    if (this.#world.platform === 'win32') return false;
    this.badgeCount = count;
    return true;
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    this.loginItem = settings;
  }

  getLoginItemSettings(): Electron.LoginItemSettings {
    const openAtLogin = this.loginItem.openAtLogin ?? false;
    return {
      openAtLogin,
      wasOpenedAtLogin: false,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: openAtLogin,
      launchItems: [],
    };
  }

  setAsDefaultProtocolClient(): boolean {
    return true;
  }

  relaunch(): void {
    this.emit('double:relaunch');
  }

  quit(): void {
    if (this.#isQuitting) return;
    const event = preventable({});
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#isQuitting = true;
    if (this.#world.windows.size === 0) this.#shutDown();
    else for (const window of this.#world.windows) window.close();
  }

  exit(code = 0): void {
    for (const window of this.#world.windows) window.destroy();
    this.emit('quit', {}, code);
    this.#end(code);
  }

  /** Told by a window whose closing was prevented: nothing quits then. */
  closeCancelled(): void {
    this.#isQuitting = false;
  }

  /** Told by the last window when it is gone. */
  allClosed(): void {
    if (this.#isQuitting) this.#shutDown();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #shutDown(): void {
    const event = preventable({});
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#isQuitting = false;
    else this.exit(0);
  }
}
