import { EventEmitter } from 'node:events';
import type { World } from './world.ts';

type Item = Electron.MenuItemConstructorOptions;

/** A menu as it was built, with a way to use it as people do. */
export class DoubleMenu extends EventEmitter {
  readonly items: readonly Item[];
  #world: World;

  constructor(world: World, items: readonly Item[]) {
    super();
    this.#world = world;
    this.items = items;
  }

  /** What can be read in it, submenus below their entry with a `›` between. */
  labels(): string[] {
    return this.#flat().map(({ path }) => path.join(' › '));
  }

  /** Uses the entry at `path`, e.g. `Pause notifications › For 1 hour`. */
  choose(path: string): void {
    const found = this.#flat().find((entry) => entry.path.join(' › ') === path);
    if (!found) throw new Error(`There is no "${path}" among: ${this.labels().join(', ')}`);
    this.#use(found.item);
  }

  /** Presses the keys of an entry; false when there is none with these keys. */
  press(accelerator: string): boolean {
    const found = this.#flat().find(
      ({ item }) => item.accelerator === accelerator && item.registerAccelerator !== false,
    );
    if (found) this.#use(found.item);
    return found !== undefined;
  }

  find(path: string): Item | undefined {
    return this.#flat().find((entry) => entry.path.join(' › ') === path)?.item;
  }

  #use(item: Item): void {
    const [window] = this.#world.windows;
    if (item.role === 'reload') window?.webContents.reload();
    else if (item.role === 'close') window?.close();
    else if (item.role !== undefined) throw new Error(`The double of Electron does not do the role ${item.role}.`);
    if (item.type === 'checkbox') item.checked = !item.checked;
    if (item.type === 'radio') for (const one of this.#groupOf(item)) one.checked = one === item;
    item.click?.({ checked: item.checked } as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent);
  }

  /** The radio entries of which one is marked: those that stand together. */
  #groupOf(item: Item): Item[] {
    const { beside = [] } = this.#flat().find((entry) => entry.item === item) ?? {};
    const at = beside.indexOf(item);
    const isOther = ({ type }: Item) => type !== 'radio';
    const end = beside.findIndex((one, index) => index > at && isOther(one));
    return beside.slice(beside.slice(0, at).findLastIndex(isOther) + 1, end < 0 ? undefined : end);
  }

  #flat(items = this.items, above: string[] = []): { path: string[]; item: Item; beside: readonly Item[] }[] {
    return items.flatMap((item) => {
      if (item.type === 'separator') return [];
      const path = [...above, String(item.label ?? item.role).replace('&', '')];
      const below = Array.isArray(item.submenu) ? this.#flat(item.submenu as Item[], path) : [];
      return [{ path, item, beside: items }, ...below];
    });
  }
}

/** Electron's `Menu`, as the main process uses it. */
export const createMenu = (world: World) => ({
  buildFromTemplate: (template: Item[]) => new DoubleMenu(world, template),
  setApplicationMenu: (menu: DoubleMenu | null) => {
    world.applicationMenu = menu;
  },
});
