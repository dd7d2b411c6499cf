import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration } from 'webpack';
import { LAUNCHED } from '#backend/platform/logger/command-line.ts';
import {
  PROJECT_DIR,
  SERVER_DIR,
  STAMP_FILE,
  WEB_DIR,
  ensureWebBuild,
  replaceBuild,
  runBuild,
} from '#scripts/ensure-web-build.ts';
import { hashFiles } from '#scripts/hash-files.ts';
import { runWebpack } from './run-webpack.ts';
import { type Target, shippedFiles } from './shipped-files.ts';

/** Tool configuration belongs to no module, so it has no # path. */
const CONFIG = pathToFileURL(join(PROJECT_DIR, 'webpack.server.config.ts')).href;

/** What it is made from. */
const SOURCES = [
  'backend',
  'renderer',
  'scripts',
  'webpack.server.config.ts',
  'webpack.renderer.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** Least Node.js that runs it, as a clone does (`scripts/bootstrap.mjs`). */
const LEAST_NODE = [22, 18] as const;

/** Starts the command line with the Node.js of the machine, in whatever folder it is called, also through a link. */
const LAUNCHER = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${LEAST_NODE[0]} || (major === ${LEAST_NODE[0]} && minor < ${LEAST_NODE[1]})) {
  console.error(\`Alertdesk runs on Node.js ${LEAST_NODE.join('.')} or newer; here is \${process.version}.\`);
  process.exit(1);
}
process.env['${LAUNCHED}'] = '1';
await import('./backend/alertdesk.mjs');
`;
const WINDOWS_LAUNCHER = '@node "%~dp0alertdesk" %*\r\n';

const isShipped = (path: string): boolean => !path.endsWith('.map');

/** The machine that runs this, as a target. */
export const thisMachine = (): Target => ({
  platform: process.platform as Target['platform'],
  arch: process.arch as Target['arch'],
});

/**
 * Builds what is alike for every machine into `folder`. `alertdesk` is its command line, `backend/embedded.mjs` what the
 * desktop app starts. Laid out as the project is, because the backend finds the web app, its pages and packages by paths
 * relative to itself.
 */
async function buildCommonParts(folder: string): Promise<void> {
  const { serverConfig }: { serverConfig: () => Configuration } = await import(CONFIG);
  const config = serverConfig();
  await rm(folder, { recursive: true, force: true });
  await Promise.all([
    runWebpack({ ...config, output: { ...config.output, path: join(folder, 'backend') } }),
    ensureWebBuild(),
  ]);
  await Promise.all([
    cp(WEB_DIR, join(folder, 'dist', 'web'), { recursive: true, filter: isShipped }),
    cp(join(PROJECT_DIR, 'backend', 'http', 'api-document', 'page'), join(folder, 'backend', 'page'), {
      recursive: true,
    }),
  ]);
  const { version } = JSON.parse(await readFile(join(PROJECT_DIR, 'package.json'), 'utf8')) as { version: string };
  await Promise.all([
    // Node would else look upwards, into the app's own package.json, for how to read `.js` files.
    writeFile(join(folder, 'package.json'), `${JSON.stringify({ private: true, version, type: 'module' })}\n`),
    writeFile(join(folder, 'alertdesk'), LAUNCHER),
    writeFile(join(folder, 'alertdesk.cmd'), WINDOWS_LAUNCHER),
  ]);
  await chmod(join(folder, 'alertdesk'), 0o755);
}

/** Copies the packages that ship, with their binaries for a machine. */
async function copyPackages(folder: string, target: Target): Promise<void> {
  await Promise.all(
    shippedFiles(target).map((path) =>
      cp(join(PROJECT_DIR, 'node_modules', path), join(folder, 'node_modules', path), { recursive: true }),
    ),
  );
}

/**
 * Puts the server for a machine into `folder`, complete: with a Node.js, nothing else of the project is needed to run it.
 * Only its packages differ from those of this machine's server, which is built first when it is stale.
 */
export async function buildServer(folder: string, target: Target): Promise<void> {
  await ensureServerBuild();
  const ownParts = new Set([join(SERVER_DIR, 'node_modules'), join(SERVER_DIR, STAMP_FILE)]);
  await rm(folder, { recursive: true, force: true });
  await cp(SERVER_DIR, folder, { recursive: true, filter: (path) => !ownParts.has(path) });
  await copyPackages(folder, target);
}

/** Fingerprint of everything that the server is made from. */
const fingerprint = (): Promise<string> => hashFiles(PROJECT_DIR, SOURCES);

const isFresh = async (stamp: string): Promise<boolean> =>
  (await readFile(join(SERVER_DIR, STAMP_FILE), 'utf8').catch(() => '')) === stamp;

/**
 * Builds this machine's server when its sources have changed since the last time, so that `npm start` never serves a stale
 * one.
 *
 * @throws {Error} when the build failed; the reason has been printed by then.
 */
export async function ensureServerBuild(): Promise<void> {
  if (!(await isFresh(await fingerprint()))) await runBuild('desktop/build-server.ts', 'The server could not be built');
}

async function main(): Promise<void> {
  // Taken before the build: what changes while it runs makes the build stale.
  const stamp = await fingerprint();
  if (!process.argv.includes('--force') && (await isFresh(stamp))) return;
  const started = performance.now();
  console.log('Building the server …');
  await mkdir(dirname(SERVER_DIR), { recursive: true });
  const built = await mkdtemp(join(dirname(SERVER_DIR), '.server-'));
  try {
    await buildCommonParts(built);
    await copyPackages(built, thisMachine());
    await writeFile(join(built, STAMP_FILE), stamp);
    await replaceBuild(built, SERVER_DIR);
    console.log(`Server built in ${((performance.now() - started) / 1000).toFixed(1)} s: ${SERVER_DIR}`);
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
