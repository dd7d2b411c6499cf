/** `npm run build`: builds the web app into dist/web when its sources have changed; `--force` builds it anyway. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpack, { type Configuration } from 'webpack';
import {
  PROJECT_DIR,
  STAMP_FILE,
  WEB_DIR,
  fingerprintSources,
  isWebBuildFresh,
  replaceBuild,
} from './ensure-web-build.ts';

/** Tool configuration belongs to no module, so it has no # path. */
const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.renderer.config.ts')).href;

/** What the project's configuration is made of. */
type Configs = Record<'webConfig' | 'serviceWorkerConfig' | 'wallboardConfig', (mode: 'production') => Configuration>;

const ERRORS_ONLY = { all: false, errors: true, errorsCount: true, moduleTrace: true, colors: process.stderr.isTTY };

/** Runs webpack into `directory`; resolves to readable errors, or to an empty text when it went well. */
async function build(directory: string): Promise<string> {
  const { webConfig, serviceWorkerConfig, wallboardConfig }: Configs = await import(CONFIG);
  const into = (config: Configuration): Configuration => ({ ...config, output: { ...config.output, path: directory } });
  const compiler = webpack(
    [webConfig, serviceWorkerConfig, wallboardConfig].map((config) => into(config('production'))),
  );
  if (!compiler) return 'webpack refused its configuration.';
  return new Promise((resolve) => {
    compiler.run((failure, stats) => {
      const errors = failure?.stack ?? (stats?.hasErrors() ? stats.toString(ERRORS_ONLY) : '');
      compiler.close((error) => resolve(errors || (error?.message ?? '')));
    });
  });
}

async function main(): Promise<void> {
  if (!process.argv.includes('--force') && (await isWebBuildFresh())) return;
  const started = performance.now();
  console.log('Building the web app …');
  await mkdir(dirname(WEB_DIR), { recursive: true });
  const built = await mkdtemp(join(dirname(WEB_DIR), '.web-'));
  try {
    // Taken before the build: what changes while it runs makes the build stale.
    const stamp = await fingerprintSources();
    const errors = await build(built);
    if (errors) {
      console.error(`${errors}\n\nThe web app could not be built.`);
      process.exitCode = 1;
      return;
    }
    await writeFile(join(built, STAMP_FILE), stamp);
    await replaceBuild(built, WEB_DIR);
    console.log(`Web app built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

await main();
