import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/**
 * Libraries of the renderer that are hundreds of files each, by the names of their bundles. Blueprint has two files for each
 * icon, and Node reads date-fns' description, of 200 KB, again for each of its files.
 */
const BUNDLES = {
  blueprint: '@blueprintjs/core',
  'blueprint-icons': '@blueprintjs/icons',
  'date-fns': 'date-fns',
  ariakit: '@ariakit/react',
};

const CACHE_DIR = join(PROJECT_DIR, 'node_modules', '.cache');

/** The folder of the bundles. They are made when the installed packages have none yet. */
async function bundle(): Promise<string> {
  const installed = await readFile(join(PROJECT_DIR, 'package-lock.json'));
  const folder = join(CACHE_DIR, `libraries-${createHash('sha256').update(installed).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;

  await mkdir(CACHE_DIR, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  await build({
    entryPoints: BUNDLES,
    bundle: true,
    // Blueprint imports its icons, too: one copy of both.
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    // The app and its libraries share one React.
    external: ['react', 'react/*', 'react-dom', 'react-dom/*'],
    // CommonJS in them requires React.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  // Another run may have made them meanwhile.
  await rename(unfinished, folder).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/**
 * Gives tests these libraries in a few files. To find and load theirs took each worker longer than everything else that a page
 * imports.
 */
export function bundledLibraries(): Plugin {
  const nameOf = new Map(Object.entries(BUNDLES).map(([name, source]) => [source, name]));
  let folder: Promise<string> | undefined;
  return {
    name: 'bundled-libraries',
    enforce: 'pre',
    async resolveId(source) {
      const name = nameOf.get(source);
      return name === undefined ? null : join(await (folder ??= bundle()), `${name}.mjs`);
    },
  };
}
