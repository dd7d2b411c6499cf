import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFiles } from './hash-files.ts';

/** The project's folder. */
export const PROJECT_DIR = join(import.meta.dirname, '..');

/** Where the built web app is served from. */
export const WEB_DIR = join(PROJECT_DIR, 'dist', 'web');

/** Where the server for this machine lies, which `npm start`, the desktop app of a clone and tests start. */
export const SERVER_DIR = join(PROJECT_DIR, 'dist', 'server');

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
  'scripts/web/keep-used-styles.ts',
];

/** Fingerprint of everything that the web build is made from. Takes a few hundredths of a second. */
export const fingerprintSources = (): Promise<string> => hashFiles(PROJECT_DIR, SOURCES);

/** True when `dist/web` was made from the sources as they are now. */
export async function isWebBuildFresh(): Promise<boolean> {
  const stamp = await readFile(join(WEB_DIR, STAMP_FILE), 'utf8').catch(() => '');
  return stamp !== '' && stamp === (await fingerprintSources());
}

/**
 * Builds the web app when its sources have changed since the last build.
 *
 * @throws {Error} when the build failed; the reason has been printed by then.
 */
export async function ensureWebBuild(): Promise<void> {
  if (!(await isWebBuildFresh())) await runBuild('build-web.ts', 'The web app could not be built');
}

/**
 * Runs a script that builds something, in a process of its own, which prints its own errors: webpack's memory does not
 * stay with a server.
 *
 * @throws {Error} which begins with `failure`, when it failed
 */
export async function runBuild(script: string, failure: string): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    cwd: PROJECT_DIR,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${failure}; the lines above say why.`);
}

/** Puts a finished build, beside it on the same disk, in the place of the last one. */
export async function replaceBuild(built: string, folder: string): Promise<void> {
  // Made as a temporary folder, which is its maker's alone; another user may serve it.
  await chmod(built, 0o755);
  const aside = `${built}-replaced`;
  if (existsSync(folder)) await rename(folder, aside);
  await rename(built, folder);
  await rm(aside, { recursive: true, force: true });
}
