import { globalShortcut } from 'electron';

/** Brings the window up from anywhere; off unless the user sets one. */
export interface GlobalShortcut {
  /**
   * Takes another shortcut in the place of the present one; null: none.
   *
   * @throws {Error} with a sentence when another program holds it; the present one stays then
   */
  use(accelerator: string | null): void;
}

export function createGlobalShortcut(onPressed: () => void): GlobalShortcut {
  let current: string | null = null;
  return {
    use(accelerator) {
      if (accelerator === current) return;
      if (accelerator !== null && !globalShortcut.register(accelerator, onPressed)) {
        throw new Error(`${accelerator.replaceAll('+', ' + ')} is used by another program. Choose another shortcut.`);
      }
      if (current !== null) globalShortcut.unregister(current);
      current = accelerator;
    },
  };
}
