import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFiles } from './hash-files.ts';

/** The project's folder. */
export const PROJECT_DIR = join(import.meta.dirname, '..');

/** Where the built web app is served from. */
export const WEB_DIR = join(PROJECT_DIR, 'dist', 'web');

/** Where parsed and type-stripped modules are kept, which halves the time of the next start. */
export const COMPILE_CACHE_DIR = join(PROJECT_DIR, 'node_modules', '.cache', 'compile');

/** Name of the file in a build that says from which sources it was made. A dot file, so it is never served. */
export const STAMP_FILE = '.sources';

/** What a web build is made from. */
const SOURCES = [
  'renderer',
  'backend/contract',
  'webpack.renderer.config.ts',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build-web.ts',
];

/** Fingerprint of everything that the web build is made from. Takes a few hundredths of a second. */
export const fingerprintSources = (): Promise<string> => hashFiles(PROJECT_DIR, SOURCES);

/** True when `dist/web` was made from the sources as they are now. */
export async function isWebBuildFresh(): Promise<boolean> {
  const stamp = await readFile(join(WEB_DIR, STAMP_FILE), 'utf8').catch(() => '');
  return stamp !== '' && stamp === (await fingerprintSources());
}

/**
 * Builds the web app when its sources have changed since the last build, so that `npm start` never serves a stale one.
 *
 * The build runs in a process of its own, which prints its own errors: webpack's memory does not stay with a server.
 *
 * @throws {Error} when the build failed; the reason has been printed by then.
 */
export async function ensureWebBuild(): Promise<void> {
  if (await isWebBuildFresh()) return;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'build-web.ts')], {
    cwd: PROJECT_DIR,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error('The web app could not be built; the lines above say why.');
}
