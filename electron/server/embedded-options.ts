import { join } from 'node:path';

/**
 * The script that the embedded server's process runs, beside the main process's own bundle. The server's files are not
 * inside of the archive: its thread, its native modules and the files that it serves are read without Electron's archive support.
 *
 * @param bundleFolder the folder that the main process's bundle lies in
 */
export const embeddedEntry = (bundleFolder: string): string =>
  join(bundleFolder.replace(/\bapp\.asar(?=[\\/])/, 'app.asar.unpacked'), 'server', 'backend', 'embedded.mjs');

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long to wait before the server is started again, in milliseconds: doubling with each crash in a row. */
export const restartDelay = (crashes: number): number => Math.min(FIRST_MS * 2 ** Math.max(0, crashes - 1), LONGEST_MS);

/** What any program needs, and what an administrator may have set for the server; nothing else of this environment. */
const INHERITED = new Set([
  'PATH',
  'HOME',
  'USERPROFILE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'LOG_LEVEL',
]);

export const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && INHERITED.has(name.toUpperCase()) ? [[name, value]] : [],
    ),
  );
