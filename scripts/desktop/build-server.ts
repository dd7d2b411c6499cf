import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration } from 'webpack';
import { PROJECT_DIR, STAMP_FILE, WEB_DIR, ensureWebBuild } from '#scripts/ensure-web-build.ts';
import { hashFiles } from '#scripts/hash-files.ts';
import { runWebpack } from './run-webpack.ts';
import { type Target, shippedFiles } from './shipped-files.ts';

/** Tool configuration belongs to no module, so it has no # path. */
const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.server.config.ts')).href;

/** Where the copy for this machine lies, which development and tests start. */
export const SERVER_DIR = join(PROJECT_DIR, 'dist', 'desktop', 'server');

/** What it is made from. */
const SOURCES = ['backend', 'renderer', 'webpack.server.config.ts', 'package-lock.json', 'scripts/desktop'];

const isShipped = (path: string): boolean => !path.endsWith('.map');

/** The machine that runs this, as a target. */
export const thisMachine = (): Target => ({
  platform: process.platform as Target['platform'],
  arch: process.arch as Target['arch'],
});

/**
 * Builds the server that the desktop app embeds into `folder`, complete: nothing else of the project is needed to run it.
 *
 * `backend/embedded.mjs` starts it. Laid out as the project is, because the backend finds the web app, its pages and
 * packages by paths relative to itself.
 */
export async function buildServer(folder: string, target: Target): Promise<void> {
  const { serverConfig }: { serverConfig: () => Configuration } = await import(CONFIG);
  const config = serverConfig();
  await rm(folder, { recursive: true, force: true });
  await Promise.all([
    runWebpack({ ...config, output: { ...config.output, path: join(folder, 'backend') } }),
    ensureWebBuild(),
  ]);
  await Promise.all([
    cp(WEB_DIR, join(folder, 'dist', 'web'), { recursive: true, filter: isShipped }),
    cp(join(PROJECT_DIR, 'backend', 'api-document', 'page'), join(folder, 'backend', 'page'), { recursive: true }),
    ...shippedFiles(target).map((path) =>
      cp(join(PROJECT_DIR, 'node_modules', path), join(folder, 'node_modules', path), { recursive: true }),
    ),
  ]);
  // Node would else look upwards, into the app's own package.json, for how to read `.js` files.
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ private: true, type: 'module' })}\n`);
}

/** Builds this machine's copy when its sources have changed since the last time. */
export async function ensureServerBuild(): Promise<void> {
  const stampFile = join(SERVER_DIR, STAMP_FILE);
  const stamp = await hashFiles(PROJECT_DIR, SOURCES);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  await buildServer(SERVER_DIR, thisMachine());
  await writeFile(stampFile, stamp);
}

if (import.meta.main) {
  await ensureServerBuild();
  console.log(`The embedded server is in ${SERVER_DIR}.`);
}
