import type { LoaderDefinitionFunction } from 'webpack';
import type { LibraryCut } from './library-cuts.ts';

/**
 * Webpack loader for production: applies the cuts that `library-cuts.ts` lists for a library's file. A cut that matches
 * nothing fails the build: another version of the library is there, and the cut needs a look. (Webpack wants a default export.)
 */
const trimLibraryLoader: LoaderDefinitionFunction<{ cuts: LibraryCut[] }> = function trim(source) {
  let trimmed = source;
  for (const { find, replace } of this.getOptions().cuts) {
    const next = trimmed.replaceAll(find, replace);
    if (next === trimmed)
      throw new Error(`${String(find)} matches nothing in ${this.resourcePath}. See library-cuts.ts.`);
    trimmed = next;
  }
  return trimmed;
};

export default trimLibraryLoader;
