/** `npm start`: builds what is stale, then serves. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { PROJECT_DIR, ensureWebBuild } from './ensure-web-build.ts';

// Parsed and type-stripped modules are kept, which halves the time of the next start.
enableCompileCache(join(PROJECT_DIR, 'node_modules', '.cache', 'compile'));

try {
  await ensureWebBuild();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const { main } = await import('#backend/main.ts');
await main();
