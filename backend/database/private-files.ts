import { chmodSync, closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Read and written by the owner of the process alone. Windows has no such mode; there the folder's rights count. */
const PRIVATE = 0o600;

/** Files of ours in the data folder, with what SQLite and a half-finished write leave beside them. */
const OURS = /^(?:alertdesk\.sqlite|search\.sqlite|secrets\.json|server(?:-[\da-f-]+)?\.lock)/;

/**
 * Makes sure that a file exists and that nobody else can read it, before anything is in it. SQLite takes an empty file
 * for a new database, and gives the files beside it (`-wal`, `-shm`) the same mode.
 */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE));
  makePrivate(file);
}

/** Makes the files of ours in the data folder private that an earlier version, a copy or a restore left readable. */
export function makeFilesPrivate(dataDir: string): void {
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (entry.isFile() && OURS.test(entry.name)) makePrivate(join(dataDir, entry.name));
  }
}

function makePrivate(file: string): void {
  try {
    chmodSync(file, PRIVATE);
  } catch (error) {
    // Gone meanwhile, as SQLite's side files are; or somebody else's, or on a file system without modes.
    if (!['ENOENT', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
