import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { preventable } from './preventable.ts';
import { type World, expectPlatform } from './world.ts';

type PathName = Parameters<Electron.App['getPath']>[0] & Parameters<Electron.App['setPath']>[0];

/** Members of Electron's `app` that the double has. */
type Members =
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'requestSingleInstanceLock'
  | 'getPath'
  | 'setPath'
  | 'getAppPath'
  | 'getAppMetrics'
  | 'getVersion'
  | 'getName'
  | 'setName'
  | 'isPackaged'
  | 'setAppUserModelId'
  | 'setToastActivatorCLSID'
  | 'setBadgeCount'
  | 'setLoginItemSettings'
  | 'getLoginItemSettings'
  | 'setAsDefaultProtocolClient'
  | 'setJumpList'
  | 'relaunch';

/** Who holds the lock of a data folder: Electron looks for the folder's name among all processes. */
const locks = new Map<string, World>();

/** The app and its life: ready, before-quit, the windows' close, will-quit, quit, in Electron's order. */
export class DoubleApp extends EventEmitter implements Pick<Electron.App, Members> {
  readonly isPackaged: boolean;
  /** What a test looks at. */
  badgeCount = 0;
  appUserModelId: string | undefined;
  toastActivator: string | undefined;
  readonly protocols = new Set<string>();
  readonly commandLine: Pick<Electron.CommandLine, 'hasSwitch' | 'getSwitchValue'>;
  jumpList: Electron.JumpListItem[] = [];
  /** With which arguments it is to be started once it has ended. */
  relaunches: string[][] = [];
  /** The exit code, once it has ended. */
  readonly exited: Promise<number>;
  #world: World;
  #ready: Promise<void>;
  #isReady = false;
  #isQuitting = false;
  #name: string;
  #paths: Partial<Record<PathName, string>> = {};
  #end!: (code: number) => void;

  constructor(world: World) {
    super();
    this.#world = world;
    this.isPackaged = world.isPackaged;
    this.#name = world.started.name;
    const valueOf = (name: string) => world.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
    this.commandLine = {
      hasSwitch: (name) => world.argv.includes(`--${name}`) || valueOf(name) !== undefined,
      getSwitchValue: (name) => valueOf(name) ?? '',
    };
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

  /** What the system starts when somebody signs in. */
  get loginItem(): Electron.Settings {
    return this.#world.loginItem;
  }

  whenReady(): Promise<void> {
    return this.#ready;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  requestSingleInstanceLock(): boolean {
    const userData = this.getPath('userData');
    const first = locks.get(userData);
    if (first && first !== this.#world) {
      const argv = ['alertdesk', ...this.#world.argv];
      // Never before the first is ready.
      void first.app.whenReady().then(() => first.app.emit('second-instance', {}, argv, userData, {}));
      return false;
    }
    locks.set(userData, this.#world);
    return true;
  }

  getPath(name: PathName): string {
    const { appData } = this.#world;
    const userData =
      this.#paths.userData ?? (this.commandLine.getSwitchValue('user-data-dir') || join(appData, this.#name));
    const [logs, temp, crashDumps] = ['logs', 'temp', 'Crashpad'].map((one) => join(userData, one)) as [
      string,
      string,
      string,
    ];
    const paths = { appData, userData, logs, temp, crashDumps, ...this.#paths };
    const path: string | undefined = (paths as Partial<Record<PathName, string>>)[name];
    if (path === undefined) throw new Error(`The double of Electron has no app.getPath('${name}').`);
    mkdirSync(path, { recursive: true });
    return path;
  }

  setPath(name: PathName, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    this.#paths[name] = path;
  }

  getAppPath(): string {
    return this.#world.started.path;
  }

  getAppMetrics(): Electron.ProcessMetric[] {
    return [...this.#world.children].flatMap(({ metric }) => metric ?? []);
  }

  getVersion(): string {
    return this.#world.started.version;
  }

  getName(): string {
    return this.#name;
  }

  setName(name: string): void {
    this.#name = name;
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
    this.#world.loginItem = settings;
  }

  /** On Windows the app is found under the same arguments only; switched off in the Task Manager it stays registered. */
  getLoginItemSettings({ args = [] }: Electron.LoginItemSettingsOptions = {}): Electron.LoginItemSettings {
    const { openAtLogin: isSet = false, args: setArgs = [], enabled = true } = this.#world.loginItem;
    const openAtLogin = isSet && (this.#world.platform !== 'win32' || args.join(' ') === setArgs.join(' '));
    return {
      openAtLogin,
      wasOpenedAtLogin: false,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: isSet && enabled,
      launchItems: [],
    };
  }

  setJumpList(categories: Electron.JumpListCategory[] | null): ReturnType<Electron.App['setJumpList']> {
    expectPlatform(this.#world, 'win32', 'app.setJumpList');
    this.jumpList = (categories ?? []).flatMap(({ items = [] }) => items);
    const isComplete = this.jumpList.every(({ title, program, description = '' }) =>
      Boolean(title && program && description.length <= 260),
    );
    return isComplete ? 'ok' : 'error';
  }

  setAsDefaultProtocolClient(protocol: string): boolean {
    this.protocols.add(protocol);
    return true;
  }

  relaunch({ args = [...this.#world.argv] }: Electron.RelaunchOptions = {}): void {
    this.relaunches.push(args);
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
    this.#terminate(code);
  }

  #terminate(code: number): void {
    for (const [folder, holder] of locks) if (holder === this.#world) locks.delete(folder);
    // Nothing outlives the app's process.
    for (const child of this.#world.children) child.kill();
    this.#end(code);
  }

  /** Windows ends the session: each window learns it, and a process that has not begun to quit is gone at once. */
  endSession(): void {
    expectPlatform(this.#world, 'win32', 'session-end');
    for (const window of this.#world.windows) window.emit('session-end', { reasons: ['shutdown'] });
    if (!this.#isQuitting) this.#terminate(0);
  }

  /** Called by a window whose closing was prevented: nothing quits then. */
  closeCancelled(): void {
    this.#isQuitting = false;
  }

  /** Called by the last window when it is gone. */
  allClosed(): void {
    if (this.#isQuitting) this.#shutDown();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #shutDown(): void {
    const event = preventable({});
    this.emit('will-quit', event);
    // Electron runs microtasks inside of the emit: a quit() of theirs finds it still quitting, and does nothing.
    if (event.defaultPrevented) setImmediate(() => (this.#isQuitting = false));
    else this.exit(0);
  }
}
