/** Builds the desktop app's bundles into dist/desktop when their sources have changed; `--force` builds them anyway. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration } from 'webpack';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';
import { PROJECT_DIR, SERVER_DIR, STAMP_FILE } from './ensure-web-build.ts';
import { ensureServerBuild } from './desktop/build-server.ts';
import { runWebpack } from './desktop/run-webpack.ts';
import { hashFiles } from './hash-files.ts';

/** Tool configuration belongs to no module, so it has no # path. */
const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.main.config.ts')).href;

const SOURCES = [
  'electron',
  'renderer',
  'backend/contract',
  'webpack.main.config.ts',
  'webpack.renderer.config.ts',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build-desktop.ts',
];

interface DesktopConfig {
  DESKTOP_BUILD_DIR: string;
  desktopConfigs: (mode: 'production') => Configuration[];
}

/**
 * The `package.json` that Electron reads. The project's own says that scripts are modules, which the bundle is not, and
 * lists what is bundled already.
 *
 * @param bundle where the main process lies, relative to the `package.json`
 */
export const appPackageJson = (bundle: string): string =>
  `${JSON.stringify({ name: 'alertdesk', productName: PRODUCT_NAME, version: PRODUCT_VERSION, main: bundle }, null, 2)}\n`;

/** Puts the built server where the app has it, when that is another one. */
async function takeServer(folder: string): Promise<void> {
  const [own, built] = await Promise.all(
    [folder, SERVER_DIR].map((place) => readFile(join(place, STAMP_FILE), 'utf8').catch(() => '')),
  );
  if (own === built) return;
  await rm(folder, { recursive: true, force: true });
  await cp(SERVER_DIR, folder, { recursive: true });
}

async function main(): Promise<void> {
  await ensureServerBuild();
  const { DESKTOP_BUILD_DIR, desktopConfigs }: DesktopConfig = await import(CONFIG);
  await takeServer(join(DESKTOP_BUILD_DIR, 'server'));
  const stampFile = join(DESKTOP_BUILD_DIR, STAMP_FILE);
  // Taken before the build: what changes while it runs makes the build stale.
  const stamp = await hashFiles(PROJECT_DIR, SOURCES);
  const last = await readFile(stampFile, 'utf8').catch(() => '');
  if (last === stamp && !process.argv.includes('--force')) return;
  const started = performance.now();
  console.log('Building the desktop app …');
  await Promise.all(desktopConfigs('production').map(runWebpack));
  await mkdir(DESKTOP_BUILD_DIR, { recursive: true });
  // Electron takes name and version from it when it is started with the folder.
  await writeFile(join(DESKTOP_BUILD_DIR, 'package.json'), appPackageJson('main.cjs'));
  await writeFile(stampFile, stamp);
  console.log(`Desktop app built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`${error instanceof Error ? error.message : error}\n\nThe desktop app could not be built.`);
    process.exitCode = 1;
  });
}
