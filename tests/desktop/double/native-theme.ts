import { EventEmitter } from 'node:events';

type ThemeSource = Electron.NativeTheme['themeSource'];

/** Electron's `nativeTheme`: the system's theme, unless the app has taken another. */
export class DoubleNativeTheme
  extends EventEmitter
  implements Pick<Electron.NativeTheme, 'shouldUseDarkColors' | 'themeSource'>
{
  /** What the system is set to; a test may change it. */
  systemIsDark = false;
  #source: ThemeSource = 'system';

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark' || (this.#source === 'system' && this.systemIsDark);
  }

  get themeSource(): ThemeSource {
    return this.#source;
  }

  set themeSource(source: ThemeSource) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`Unknown theme source ${String(source)}`);
    const before = this.shouldUseDarkColors;
    this.#source = source;
    if (before !== this.shouldUseDarkColors) this.emit('updated', {});
  }
}
