import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import BetterSqlite3 from 'better-sqlite3';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { lockDataDir } from '#backend/platform/database/data-dir-lock.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { makeDataFile, makePrivateFile } from '#backend/platform/database/private-files.ts';

/** Files that SQLite keeps beside a database: what they hold belongs to it. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/**
 * Writes a copy of the embedded database, while a server may be writing to it: everything that was acknowledged before
 * is in it, and it is whole. The copy appears under its name only when it is complete and checked.
 *
 * @param file where to; must not exist
 * @returns its size in bytes
 * @throws {StartError} as one sentence for whoever called it
 */
export async function backUp(dataDir: string, file: string): Promise<number> {
  const source = join(dataDir, SQLITE_FILE);
  if (!(await exists(source))) throw new StartError(`There is no database in ${dataDir}; see DATA_DIR.`);
  if (await exists(file)) throw new StartError(`The file ${file} exists already; name another one.`);
  const partial = `${file}.partial`;
  await removeWhole(partial);
  try {
    makePrivateFile(partial);
    const database = new BetterSqlite3(source, { readonly: true, timeout: 10_000 });
    try {
      database.prepare('VACUUM INTO ?').run(partial);
    } finally {
      database.close();
    }
    checkIntegrity(partial);
    await flush(partial);
    await rename(partial, file);
  } catch (error) {
    await removeWhole(partial);
    if (error instanceof StartError) throw error;
    throw new StartError(`The backup could not be written to ${file} (${errorCode(error) || String(error)}).`, {
      cause: error,
    });
  }
  return (await stat(file)).size;
}

/**
 * Puts a backup in the place of the embedded database. What was there is kept beside it.
 *
 * @returns where the database that was there is now; undefined when there was none
 * @throws {StartError} when a server works on the data folder, or the file is not a whole backup
 */
export async function restore(dataDir: string, file: string): Promise<string | undefined> {
  if (!(await exists(file))) throw new StartError(`There is no file ${file}.`);
  const release = lockDataDir(dataDir);
  try {
    checkIntegrity(file);
    const target = join(dataDir, SQLITE_FILE);
    // Copied beside it first: a full disk is noticed before anything has moved.
    // Not by `copyFile`, which gives the copy the mode of its source.
    makeDataFile(`${target}.new`);
    await pipeline(createReadStream(file), createWriteStream(`${target}.new`));
    await flush(`${target}.new`);
    const aside = `${target}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`;
    const hadDatabase = await exists(target);
    for (const suffix of ['', ...SIDE_FILES]) {
      if (await exists(target + suffix)) await rename(target + suffix, aside + suffix);
    }
    await rename(`${target}.new`, target);
    return hadDatabase ? aside : undefined;
  } finally {
    release();
  }
}

/** Also what SQLite leaves beside it when the disk is full or a backup is killed. */
async function removeWhole(file: string): Promise<void> {
  for (const suffix of ['', ...SIDE_FILES]) await rm(file + suffix, { force: true });
}

function checkIntegrity(file: string): void {
  try {
    const database = new BetterSqlite3(file, { readonly: true });
    try {
      const result = database.pragma('integrity_check', { simple: true });
      const alerts = database.prepare("SELECT COUNT(*) FROM sqlite_master WHERE name = 'alerts'").pluck().get();
      if (result !== 'ok' || alerts !== 1) throw new StartError(`The file ${file} is not a whole Alertdesk database.`);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The file ${file} is not a whole Alertdesk database (${errorCode(error)}).`, { cause: error });
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
