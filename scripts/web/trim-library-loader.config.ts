import { createHash } from 'node:crypto';
import type { LoaderDefinitionFunction } from 'webpack';
import type { CutFile } from './library-cut.ts';

/**
 * Webpack loader for production: applies the cuts that `library-cuts.ts` lists for a library's file. A cut that matches
 * nothing fails the build, as does a file with another digest: another version of the library is there, and the cuts need
 * a look. (Webpack wants a default export.)
 */
const trimLibraryLoader: LoaderDefinitionFunction<Omit<CutFile, 'file'>> = function trim(source) {
  const { cuts, digest } = this.getOptions();
  if (digest !== undefined && createHash('sha256').update(source).digest('hex') !== digest)
    throw new Error(`${this.resourcePath} is not the file that its cuts were made for. See library-cuts.ts.`);
  let trimmed = source;
  for (const { find, replace } of cuts) {
    const next = trimmed.replaceAll(find, replace);
    if (next === trimmed)
      throw new Error(`${String(find)} matches nothing in ${this.resourcePath}. See library-cuts.ts.`);
    trimmed = next;
  }
  return trimmed;
};

export default trimLibraryLoader;
