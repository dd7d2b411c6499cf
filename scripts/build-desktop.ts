/** Builds the desktop app's bundles into dist/desktop when their sources have changed; `--force` builds them anyway. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpack, { type Configuration } from 'webpack';
import { PROJECT_DIR, STAMP_FILE } from './ensure-web-build.ts';
import { SERVER_DIR, ensureServerBuild } from './desktop/build-server.ts';
import { appPackageJson } from './desktop/forge-main-config.ts';
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
  'scripts/desktop/forge-main-config.ts',
];

const ERRORS_ONLY = { all: false, errors: true, errorsCount: true, moduleTrace: true, colors: process.stderr.isTTY };

interface DesktopConfig {
  DESKTOP_BUILD_DIR: string;
  desktopConfigs: (mode: 'production') => Configuration[];
}

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
  const compiler = webpack(desktopConfigs('production'));
  if (!compiler) throw new Error('webpack refused its configuration.');
  const errors = await new Promise<string>((resolve) => {
    compiler.run((failure, stats) => {
      const found = failure?.stack ?? (stats?.hasErrors() ? stats.toString(ERRORS_ONLY) : '');
      compiler.close((error) => resolve(found || (error?.message ?? '')));
    });
  });
  if (errors) {
    console.error(`${errors}\n\nThe desktop app could not be built.`);
    process.exitCode = 1;
    return;
  }
  await mkdir(DESKTOP_BUILD_DIR, { recursive: true });
  // Electron takes name and version from it when it is started with the folder.
  await writeFile(join(DESKTOP_BUILD_DIR, 'package.json'), appPackageJson('main.cjs'));
  await writeFile(stampFile, stamp);
  console.log(`Desktop app built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

await main();
