/** `npm start`: builds what is stale, then serves. */
import { enableCompileCache } from 'node:module';
import { COMPILE_CACHE_DIR, ensureWebBuild } from './ensure-web-build.ts';

enableCompileCache(COMPILE_CACHE_DIR);

try {
  await ensureWebBuild();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
// For workers, which are processes of their own (WORKERS).
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE_DIR;
const { main } = await import('#backend/main.ts');
await main();
