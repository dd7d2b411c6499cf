import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What an app that was used has in its data folder: settings, or the embedded server's data. */
const USED = ['desktop.json', 'server'];

/** Lies in a folder that was copied, until the folder that it was copied from is gone. */
const COPIED = 'moved-by-copying';

interface MoveParts {
  /** A unique name for this process. */
  id: string;
  /** Gives a folder another name on the same volume, or throws. */
  rename?: (from: string, to: string) => void;
}

/**
 * Moves the app's data to `to`, where versions before 1.0.4 have left it in `from`. After a crash at any moment the data is
 * whole in one of the two, and the next start finds it. Of two starts at once one moves. Before the lock of the data
 * folder, which lies in it.
 *
 * @returns the folder to use: `from` when its data cannot be moved, as while an older version still runs on it
 */
export function moveData(from: string, to: string, { id, rename = renameSync }: MoveParts): string {
  if (from === to) return to;
  if (existsSync(to)) {
    endCopy(from, to);
    return to;
  }
  if (!isUsed(from)) return to;
  mkdirSync(dirname(to), { recursive: true });
  try {
    rename(from, to);
    return to;
  } catch (error) {
    if (existsSync(to)) return to;
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') return from;
  }
  return copyData(from, to, id) ? to : from;
}

const isUsed = (folder: string): boolean => USED.some((name) => existsSync(join(folder, name)));

/** To another volume, as where a company keeps roaming folders on a server: whole, or not at all. */
function copyData(from: string, to: string, id: string): boolean {
  const staging = `${to}.${id}.moving`;
  try {
    cpSync(from, staging, { recursive: true, preserveTimestamps: true });
    mkdirSync(join(staging, COPIED));
    flush(staging);
    renameSync(staging, to);
  } catch {
    rmSync(staging, { recursive: true, force: true });
    // Another start may have been quicker.
    return existsSync(to);
  }
  endCopy(from, to);
  return true;
}

/** Removes what a copy has left, also one that was interrupted. */
function endCopy(from: string, to: string): void {
  try {
    const unfinished = readdirSync(dirname(to)).filter(
      (name) => name.startsWith(`${basename(to)}.`) && name.endsWith('.moving'),
    );
    for (const name of unfinished) rmSync(join(dirname(to), name), { recursive: true, force: true });
    const marker = join(to, COPIED);
    if (!existsSync(marker)) return;
    rmSync(from, { recursive: true, force: true });
    rmSync(marker, { recursive: true });
  } catch {
    // It is tried again at the next start.
  }
}

/** Has the disk write all files: a name must not come before what it names. */
function flush(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(entry.parentPath, entry.name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}
