import { fileURLToPath } from 'node:url';

/**
 * Where `npm run build` puts the web app. Said here because the built server's bundles lie in one folder, as this file does
 * in the backend: a path that is relative to a module is the same in both.
 */
export const WEB_BUILD_DIR = fileURLToPath(new URL('../dist/web', import.meta.url));
