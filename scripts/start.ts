/** `npm start`: builds what is stale, then serves as the built server does. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { ensureServerBuild } from './desktop/build-server.ts';
import { COMPILE_CACHE_DIR, SERVER_DIR } from './ensure-web-build.ts';

enableCompileCache(COMPILE_CACHE_DIR);

try {
  await ensureServerBuild();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
// For workers, which are processes of their own (WORKERS) with the same command line.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE_DIR;
const commandLine = join(SERVER_DIR, 'backend', 'alertdesk.mjs');
process.argv = [process.execPath, commandLine, 'serve'];
await import(pathToFileURL(commandLine).href);
