import { EventEmitter } from 'node:events';
import type { DoubleMenu } from './menu.ts';
import type { DoubleNativeImage } from './native-image.ts';
import type { World } from './world.ts';

type Members = 'setToolTip' | 'destroy' | 'isDestroyed';

/** The icon in the tray, and what a test sees of it. */
export class DoubleTray extends EventEmitter implements Pick<Electron.Tray, Members> {
  image: DoubleNativeImage;
  toolTip = '';
  menu: DoubleMenu | null = null;
  #isDestroyed = false;
  #world: World;

  constructor(world: World, image: DoubleNativeImage) {
    super();
    if (world.hasNoTray) throw new Error('This system has no tray.');
    this.#world = world;
    this.image = image;
    world.trays.add(this);
  }

  setImage(image: DoubleNativeImage): void {
    this.#alive();
    this.image = image;
  }

  setToolTip(toolTip: string): void {
    this.#alive();
    this.toolTip = toolTip;
  }

  setContextMenu(menu: DoubleMenu | null): void {
    this.#alive();
    this.menu = menu;
  }

  /** How many pixels the icon has that Windows gets. Its own small icons have 16 for each unit of scaling. */
  get iconSide(): number {
    return this.image.asBitmap().width;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#world.trays.delete(this);
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  #alive(): void {
    if (this.#isDestroyed) throw new TypeError('Tray is destroyed');
  }
}
