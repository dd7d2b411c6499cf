import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { STYLE_MODULE, classesOf, styleClassName } from '#renderer/styles/style-class-name.ts';

/** What is added to a style module's path, so that Vite takes its names for a script. */
const AS_SCRIPT = '.js';

/**
 * Gives tests the names of style modules that the build gives them, without the styles: a DOM without a browser does not
 * draw any.
 */
export const styleModules = (): Plugin => ({
  name: 'style-modules',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!STYLE_MODULE.test(source)) return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved && `\0${resolved.id}${AS_SCRIPT}`;
  },
  async load(id) {
    const path = id.slice(1, -AS_SCRIPT.length);
    if (!id.startsWith('\0') || !STYLE_MODULE.test(path)) return null;
    const names = [...classesOf(await readFile(path, 'utf8'))];
    return names
      .map((name, place) => `const c${place} = '${styleClassName(path, name)}';\nexport { c${place} as '${name}' };`)
      .join('\n');
  },
});
