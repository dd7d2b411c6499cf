import { EventEmitter } from 'node:events';
import type { DoubleIpcMain } from './ipc-main.ts';
import type { DoubleNativeImage } from './native-image.ts';
import { preventable } from './preventable.ts';
import { strict } from './strict.ts';
import { DoubleWebContents } from './web-contents.ts';
import { type World, expectPlatform } from './world.ts';

type Members =
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'blur'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
  | 'isVisible'
  | 'isFocused'
  | 'minimize'
  | 'isMinimized'
  | 'restore'
  | 'maximize'
  | 'unmaximize'
  | 'isMaximized'
  | 'getBounds'
  | 'getNormalBounds'
  | 'setBounds'
  | 'flashFrame'
  | 'getTitle';

/** A window: the state that the main process sees, around a real page. */
export class DoubleBrowserWindow extends EventEmitter implements Pick<Electron.BrowserWindow, Members> {
  readonly webContents: DoubleWebContents;
  readonly options: Electron.BrowserWindowConstructorOptions;
  overlay: { image: DoubleNativeImage; description: string } | undefined;
  isFlashing = false;
  #world: World;
  #bounds: Electron.Rectangle;
  #is = { visible: false, focused: false, minimized: false, maximized: false, destroyed: false };

  constructor(world: World, ipc: DoubleIpcMain, options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    this.#world = world;
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.webContents = strict('webContents', new DoubleWebContents(world, ipc, options.webPreferences ?? {}));
    world.windows.add(this);
    world.app.emit('web-contents-created', {}, this.webContents);
    if (options.show !== false) this.show();
  }

  loadURL(url: string): Promise<void> {
    this.#alive();
    return this.webContents.loadURL(url);
  }

  show(): void {
    this.#alive();
    if (!this.#is.visible) {
      this.#is.visible = true;
      this.emit('show', {});
    }
    this.focus();
  }

  hide(): void {
    this.#alive();
    this.blur();
    this.#is.visible = false;
    this.emit('hide', {});
  }

  focus(): void {
    this.#alive();
    if (this.#is.focused || !this.#is.visible) return;
    this.#is.focused = true;
    this.isFlashing = false;
    this.emit('focus', {});
  }

  blur(): void {
    this.#alive();
    if (!this.#is.focused) return;
    this.#is.focused = false;
    this.emit('blur', {});
  }

  close(): void {
    this.#alive();
    const event = preventable({});
    this.emit('close', event);
    if (event.defaultPrevented) this.#world.app.closeCancelled();
    else this.destroy();
  }

  destroy(): void {
    if (this.#is.destroyed) return;
    this.#is.destroyed = true;
    this.#world.windows.delete(this);
    void this.webContents.destroy();
    this.emit('closed', {});
    if (this.#world.windows.size === 0) this.#world.app.allClosed();
  }

  isDestroyed(): boolean {
    return this.#is.destroyed;
  }

  isVisible(): boolean {
    this.#alive();
    return this.#is.visible;
  }

  isFocused(): boolean {
    this.#alive();
    return this.#is.focused;
  }

  minimize(): void {
    this.#alive();
    this.blur();
    this.#is.minimized = true;
    this.emit('minimize', {});
  }

  isMinimized(): boolean {
    this.#alive();
    return this.#is.minimized;
  }

  restore(): void {
    this.#alive();
    this.#is.minimized = false;
    this.emit('restore', {});
  }

  maximize(): void {
    this.#alive();
    this.#is.maximized = true;
    this.emit('maximize', {});
  }

  unmaximize(): void {
    this.#alive();
    this.#is.maximized = false;
    this.emit('unmaximize', {});
  }

  isMaximized(): boolean {
    this.#alive();
    return this.#is.maximized;
  }

  getBounds(): Electron.Rectangle {
    this.#alive();
    return this.#is.maximized ? (this.#world.displays[0] ?? this.#bounds) : this.#bounds;
  }

  getNormalBounds(): Electron.Rectangle {
    this.#alive();
    return this.#bounds;
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#alive();
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('resize', {});
  }

  flashFrame(isFlashing: boolean): void {
    this.#alive();
    this.isFlashing = isFlashing;
  }

  setOverlayIcon(image: DoubleNativeImage | null, description: string): void {
    this.#alive();
    expectPlatform(this.#world, 'win32', 'BrowserWindow.setOverlayIcon');
    this.overlay = image ? { image, description } : undefined;
  }

  getTitle(): string {
    this.#alive();
    return this.webContents.getTitle();
  }

  #alive(): void {
    if (this.#is.destroyed) throw new TypeError('Object has been destroyed');
  }
}
