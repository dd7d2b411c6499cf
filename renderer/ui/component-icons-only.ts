import * as texts from './texts.tsx';

/**
 * Stands in for Blueprint's loader of icons by name (see webpack.renderer.config.ts). Icons are imported as components
 * here, and the loader alone would bring the names and code points of 700 icons into the first load, a twentieth of it.
 * An icon that is asked for by its name has no picture, and the console says so.
 */
export const Icons = {
  getPaths: () => undefined,
  load: (icon: string | string[]) => Promise.reject(new Error(texts.importComponentOfFromBlueprintjs(String(icon)))),
};
