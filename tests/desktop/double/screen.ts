import { EventEmitter } from 'node:events';
import type { DisplayArea, World } from './world.ts';

const FULL_HD: DisplayArea = { x: 0, y: 0, width: 1920, height: 1040 };

/** The displays; a test changes them while the app runs. */
export class DoubleScreen
  extends EventEmitter
  implements Pick<Electron.Screen, 'getPrimaryDisplay' | 'getAllDisplays'>
{
  #world: World;

  constructor(world: World) {
    super();
    this.#world = world;
  }

  getPrimaryDisplay(): Electron.Display {
    return display(this.#world.displays[0] ?? FULL_HD);
  }

  getAllDisplays(): Electron.Display[] {
    return this.#world.displays.map((area) => display(area));
  }

  /** Displays are plugged in or out, or get another scaling; Electron reports each change by itself. */
  change(displays: readonly DisplayArea[]): void {
    const before = this.#world.displays;
    this.#world.displays = displays;
    for (const area of before.slice(displays.length)) this.emit('display-removed', {}, display(area));
    for (const area of displays.slice(before.length)) this.emit('display-added', {}, display(area));
    for (const area of displays.slice(0, before.length))
      this.emit('display-metrics-changed', {}, display(area), ['bounds', 'workArea', 'scaleFactor']);
  }
}

const display = ({ scaleFactor = 1, ...workArea }: DisplayArea): Electron.Display =>
  ({ workArea, bounds: workArea, scaleFactor }) as Electron.Display;
