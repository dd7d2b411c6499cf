import { mkdir, open, stat } from 'node:fs/promises';
import { StartError } from '#backend/platform/logger/start-error.ts';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { errorCode } from './driver-errors.ts';

/** Read and written by the owner of the process alone. Windows has no such mode; there the folder's rights count. */
const PRIVATE = 0o600;

/** Name of the secrets' file in the data folder. */
export const SECRETS_FILE = 'secrets.json';

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

/**
 * As {@link makePrivateFile}, in the data folder. A command that root runs leaves a file there to whom the folder belongs,
 * so that a server under a user of its own can open it.
 */
export function makeDataFile(file: string): void {
  makePrivateFile(file);
  giveToOwner(file);
}

/**
 * As {@link makeDataFile}, for a file that was put there by hand, if it is there. What cannot be changed is left: the start
 * says which file it cannot open.
 */
export function takeOverDataFile(file: string): void {
  try {
    // A link might lead to somebody else's file.
    if (!lstatSync(file).isFile()) return;
    makePrivate(file);
    giveToOwner(file);
  } catch {
    // It is missing, on a file system that is read only, or otherwise out of reach.
  }
}

/** Where root runs this, gives a file to whom its folder belongs. */
function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  const found = lstatSync(file);
  // A link might lead to somebody else's file.
  if (found.uid !== uid && found.isFile() && found.nlink === 1) lchownSync(file, uid, gid);
}

/** What a folder answers that cannot be synced: by its file system, or because it may be written and not read. */
const NO_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM']);

/**
 * Has the names of a folder's files on the disk, too, where its file system can. Windows opens no folders, and writes
 * names by itself.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!NO_SYNC.has(errorCode(error))) throw error;
  }
}

/**
 * What to say of a file that could not be opened because of its owner or mode, with what to do.
 *
 * @returns undefined where this process may read and write it, or it is not there
 */
export function refusalOf(file: string, error: unknown): string | undefined {
  const user = process.getuid?.();
  const found = statSync(file, { throwIfNoEntry: false });
  if (user === undefined || !found) return undefined;
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (denied) {
    // On a file system that is read only neither owner nor mode is the reason.
    if (errorCode(denied) === 'EROFS') return undefined;
    const mode = (found.mode & 0o777).toString(8);
    return `The file ${file} cannot be opened (${errorCode(error)}): it belongs to user ${found.uid} with mode ${mode}, and this process runs as user ${user}; give it to that user (chown) with mode 600.`;
  }
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
    // Gone meanwhile, as SQLite's side files are; or somebody else's, or on a file system without modes or that is read only.
    if (!['ENOENT', 'EPERM', 'ENOTSUP', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Creates the data folder, readable by its owner only, when it is missing. Files of ours in it become private. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    makeFilesPrivate(dataDir);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be created (${errorCode(error)}); set DATA_DIR to a folder that can be written.`,
      { cause: error },
    );
  }
}

/**
 * Makes a folder and what is missing above it. Not by `recursive`: Node tries for ever where a folder exists but takes
 * no new ones, as in /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}
