import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Compiler, Configuration } from 'webpack';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { buildServer, thisMachine } from './build-server.ts';
import { runWebpack } from './run-webpack.ts';

type Mode = 'production' | 'development';

/** What `webpack.main.config.ts` exports; tool configuration belongs to no module, so it has no # path. */
interface DesktopConfigs {
  mainConfig: (mode: Mode) => Configuration;
  preloadConfig: (mode: Mode) => Configuration;
  serverPageConfig: (mode: Mode) => Configuration;
}

/**
 * The `package.json` that Electron reads. The project's own says that scripts are modules, which the bundle is not, and
 * lists what is bundled already.
 *
 * @param main the bundle's folder or file, relative to the `package.json`
 */
export const appPackageJson = (main: string): string =>
  `${JSON.stringify({ name: 'alertdesk', productName: PRODUCT_NAME, version: PRODUCT_VERSION, private: true, main }, null, 2)}\n`;

/**
 * The main process as Forge's webpack plugin builds it: the configuration that tests build too, at the place and under
 * the name that the plugin wants, with the preload script and the app's own page beside it.
 */
export async function forgeMainConfig(
  _environment: unknown,
  { mode }: Record<string, unknown>,
): Promise<Configuration> {
  const configs: DesktopConfigs = await import(pathToFileURL(join(PROJECT_DIR, 'webpack.main.config.ts')).href);
  const kind: Mode = mode === 'production' ? 'production' : 'development';
  const main = configs.mainConfig(kind);
  const { path: _path, ...output } = main.output ?? {};
  return {
    ...main,
    // The name is what Forge's preparations look for.
    output: { ...output, filename: 'index.js' },
    plugins: [
      ...(main.plugins ?? []),
      new BesidePlugin([configs.preloadConfig(kind), configs.serverPageConfig(kind)], kind),
    ],
  };
}

/** Builds into the folder of another build, once that is written. */
class BesidePlugin {
  readonly #configs: readonly Configuration[];
  readonly #mode: Mode;
  #isDone = false;

  constructor(configs: readonly Configuration[], mode: Mode) {
    this.#configs = configs;
    this.#mode = mode;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.afterEmit.tapPromise('Beside', async ({ outputOptions }) => {
      // While developing, the main process is built again with each change; what lies beside it is not.
      if (this.#isDone) return;
      this.#isDone = true;
      const folder = outputOptions.path ?? '';
      for (const config of this.#configs) await runWebpack(within(folder, config));
      if (this.#mode === 'production') return;
      // Development starts from here; what is packaged has its own of both.
      await writeFile(join(folder, 'package.json'), appPackageJson('index.js'));
      await buildServer(join(folder, 'server'), thisMachine());
    });
  }
}

/** The configuration with its output in `folder`: the page in its own folder there, a script beside the others. */
function within(folder: string, config: Configuration): Configuration {
  const { path } = config.output ?? {};
  const isPage = path?.endsWith('server-page') === true;
  return { ...config, output: { ...config.output, path: isPage ? join(folder, 'server-page') : folder } };
}
