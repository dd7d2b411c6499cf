import { join } from 'node:path';

/**
 * The script that the embedded server's process runs, beside the main process's own bundle. The server's files are not
 * inside of the archive: its thread, its native modules and the files that it serves are read by ways that know none.
 *
 * @param bundleFolder the folder that the main process's bundle lies in
 */
export const embeddedEntry = (bundleFolder: string): string =>
  join(bundleFolder.replace(/\bapp\.asar(?=[\\/])/, 'app.asar.unpacked'), 'server', 'backend', 'embedded.mjs');
