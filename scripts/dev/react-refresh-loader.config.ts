import { transformWithOxc } from 'vite';
import type { LoaderContext, LoaderDefinitionFunction } from 'webpack';

const options: Parameters<typeof transformWithOxc>[2] = {
  lang: 'jsx',
  target: 'es2022',
  sourcemap: true,
  jsx: { runtime: 'automatic', development: true, refresh: true },
};

/**
 * Webpack loader for development: registers components and hooks with React Refresh, so that an edit keeps their
 * state. esbuild cannot do this; Vite's transformer, there for the tests, can. (Webpack wants a default export.)
 */
const reactRefreshLoader: LoaderDefinitionFunction = function load(source, map) {
  const before = typeof map === 'string' ? (JSON.parse(map) as object) : map;
  void transform(this.async(), `${this.resourcePath}.jsx`, source, before);
};

async function transform(
  done: ReturnType<LoaderContext<unknown>['async']>,
  filename: string,
  source: string,
  before: object | undefined,
): Promise<void> {
  try {
    const { code, map } = await transformWithOxc(source, filename, options, before);
    done(null, code, JSON.stringify(map));
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

export default reactRefreshLoader;
