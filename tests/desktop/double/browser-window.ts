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
  | 'getTitle'
  | 'setBackgroundColor';

/** The one size that Electron gives an overlay, whatever the display's scaling (shell/browser/ui/win/taskbar_host.cc). */
const OVERLAY = { width: 16, height: 16 };

/** How long the taskbar takes to make a window's button, in milliseconds. */
const TASKBAR_BUTTON_MS = 100;

/** How far a maximized window reaches over each edge of its display on Windows, in pixels. */
const OVERHANG = 8;

/** A window: the state that the main process sees, around a real page. */
export class DoubleBrowserWindow extends EventEmitter implements Pick<Electron.BrowserWindow, Members> {
  readonly webContents: DoubleWebContents;
  readonly options: Electron.BrowserWindowConstructorOptions;
  /** On the taskbar button: gone with it, and never there before it. */
  overlay: { image: DoubleNativeImage; description: string } | undefined;
  isFlashing = false;
  #hasTaskbarButton = false;
  #world: World;
  #bounds: Electron.Rectangle;
  /** Where it is while it is maximized. */
  #maximizedBounds: Electron.Rectangle | undefined;
  #is = { visible: false, focused: false, minimized: false, destroyed: false };

  constructor(world: World, ipc: DoubleIpcMain, options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    this.#world = world;
    this.options = options;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.webContents = strict('webContents', new DoubleWebContents(world, ipc, options.webPreferences ?? {}));
    // Each document's first layout that is not empty, whether the window is shown by then or not.
    this.webContents.on('ready-to-show', () => {
      if (!this.#is.destroyed) this.emit('ready-to-show', {});
    });
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
      // Windows makes the button some time after the window; Electron has no event for it.
      setTimeout(() => (this.#hasTaskbarButton = this.#is.visible), TASKBAR_BUTTON_MS);
      this.emit('show', {});
    }
    this.focus();
  }

  hide(): void {
    this.#alive();
    this.blur();
    this.#is.visible = false;
    this.#loseTaskbarButton();
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
    else void this.#unload();
  }

  /** The window goes once its page is gone, which the page may prevent. */
  async #unload(): Promise<void> {
    const isUnloaded = await this.webContents.unload();
    if (isUnloaded) this.destroy();
    else this.#world.app.closeCancelled();
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
    this.#maximizedBounds ??= this.#boundsOnDisplay();
    this.emit('maximize', {});
    // A hidden window is shown by it.
    this.show();
  }

  unmaximize(): void {
    this.#alive();
    this.#maximizedBounds = undefined;
    this.emit('unmaximize', {});
  }

  isMaximized(): boolean {
    this.#alive();
    return this.#maximizedBounds !== undefined;
  }

  getBounds(): Electron.Rectangle {
    this.#alive();
    return this.#maximizedBounds ?? this.#bounds;
  }

  getNormalBounds(): Electron.Rectangle {
    this.#alive();
    return this.#bounds;
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#alive();
    // One that is maximized goes there, too, and stays maximized.
    if (this.#maximizedBounds) this.#maximizedBounds = { ...this.#maximizedBounds, ...bounds };
    else this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('resize', {});
  }

  flashFrame(isFlashing: boolean): void {
    this.#alive();
    this.isFlashing = isFlashing;
  }

  setOverlayIcon(image: DoubleNativeImage | null, description: string): void {
    this.#alive();
    expectPlatform(this.#world, 'win32', 'BrowserWindow.setOverlayIcon');
    const { width, height } = image ? image.asBitmap() : OVERLAY;
    if (width !== OVERLAY.width || height !== OVERLAY.height)
      throw new Error(`Electron shrinks an overlay of ${width}×${height} pixels to 16×16.`);
    if (!this.#hasTaskbarButton) return;
    this.overlay = image ? { image, description } : undefined;
  }

  /** Explorer starts again: Electron restores thumbnail buttons then, and no overlay. */
  restartTaskbar(): void {
    this.#loseTaskbarButton();
    this.#hasTaskbarButton = this.#is.visible;
  }

  setBackgroundColor(color: string): void {
    this.#alive();
    this.options.backgroundColor = color;
  }

  getTitle(): string {
    this.#alive();
    return this.webContents.getTitle();
  }

  #boundsOnDisplay(): Electron.Rectangle {
    const { displays, platform } = this.#world;
    const { x, y } = this.#bounds;
    const { width, height, ...at } =
      displays.find((area) => x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height) ??
      displays[0] ??
      this.#bounds;
    const over = platform === 'win32' ? OVERHANG : 0;
    return { x: at.x - over, y: at.y - over, width: width + 2 * over, height: height + 2 * over };
  }

  #loseTaskbarButton(): void {
    this.#hasTaskbarButton = false;
    this.overlay = undefined;
    this.isFlashing = false;
  }

  #alive(): void {
    if (this.#is.destroyed) throw new TypeError('Object has been destroyed');
  }
}
