import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { lockDataDir } from '#backend/platform/database/data-dir-lock.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { sqliteDialect } from '#backend/platform/database/dialect.ts';
import { RESTORED_ASIDE, RESTORED_NEW, SQLITE_FILE, damagedFile } from '#backend/platform/database/open-database.ts';
import {
  SECRETS_FILE,
  makeDataFile,
  makePrivateFile,
  syncFolder,
  takeOverDataFile,
} from '#backend/platform/database/private-files.ts';
import { beginPartial } from './partial-file.ts';

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
 * @throws {StartError} as one sentence for whoever called it, also where the database is damaged
 */
export async function backUp(dataDir: string, file: string): Promise<number> {
  const source = join(dataDir, SQLITE_FILE);
  if (!(await exists(source))) throw new StartError(`There is no database in ${dataDir}; see DATA_DIR.`);
  if (await exists(file)) throw new StartError(`The file ${file} exists already; name another one.`);
  let partial: string | undefined;
  try {
    partial = await beginPartial(file);
    makePrivateFile(partial);
    await copyWhole(source, partial);
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if (partial !== undefined) await removeWhole(partial);
    if (error instanceof StartError) throw error;
    if (sqliteDialect.isDamaged(error)) throw damagedFile(source, error);
    throw new StartError(`The backup could not be written to ${file} (${errorCode(error) || String(error)}).`, {
      cause: error,
    });
  }
  return (await stat(file)).size;
}

type Move = (from: string, to: string) => Promise<void>;

/**
 * Puts a backup in the place of the embedded database. What was there is kept beside it, and moved back where that fails.
 * The secrets beside it are given to whom the folder belongs, too.
 *
 * @param move moves a file, as `rename` of Node.js does
 * @returns where the database that was there is now; undefined when there was none
 * @throws {StartError} when a server works on the data folder, or the file is not a whole backup
 */
export async function restore(dataDir: string, file: string, move: Move = rename): Promise<string | undefined> {
  if (!(await exists(file))) throw new StartError(`There is no file ${file}.`);
  const release = lockDataDir(dataDir);
  try {
    checkIntegrity(file);
    const target = join(dataDir, SQLITE_FILE);
    const copy = target + RESTORED_NEW;
    // Copied beside it first: a full disk is noticed before anything has moved.
    await removeWhole(copy);
    try {
      makeDataFile(copy);
      await copyWhole(file, copy);
      const aside = `${target}${RESTORED_ASIDE}${new Date().toISOString().replaceAll(':', '-')}`;
      const hadDatabase = await exists(target);
      const moves = ['', ...SIDE_FILES].map((suffix) => [target + suffix, aside + suffix] as const);
      await moveAll([...moves, [copy, target]], move);
      // Root copied it there, on another machine, before the database.
      takeOverDataFile(join(dataDir, SECRETS_FILE));
      return hadDatabase ? aside : undefined;
    } catch (error) {
      // What cannot be removed says nothing about the database.
      await removeWhole(copy).catch(() => undefined);
      if (error instanceof StartError) throw error;
      throw new StartError(`The backup could not be copied to ${copy} (${errorCode(error) || String(error)}).`, {
        cause: error,
      });
    }
  } finally {
    release();
  }
}

/** Moves the files that exist, all of them or none. */
async function moveAll(moves: readonly (readonly [from: string, to: string])[], move: Move): Promise<void> {
  const done: (readonly [from: string, to: string])[] = [];
  try {
    for (const [from, to] of moves) {
      if (!(await exists(from))) continue;
      await move(from, to);
      done.push([from, to]);
    }
    await syncFolder(dirname(moves[0]![0]));
  } catch (error) {
    const left: string[] = [];
    // Each by itself: where one stays, the others are moved back.
    for (const [from, to] of done.toReversed()) {
      // Nothing is moved over what stays.
      const isTaken = left.some((one) => one.startsWith(`${from} to `));
      if (isTaken) left.push(`${to} to ${from}`);
      else await move(to, from).catch(() => left.push(`${to} to ${from}`));
    }
    const end =
      left.length === 0
        ? 'what was there is there again'
        : `what was there could not all be moved back; move ${left.join(', then ')}`;
    throw new StartError(
      `The backup could not be put in the place of the database (${errorCode(error) || String(error)}); ${end}.`,
      { cause: error },
    );
  }
}

/**
 * Copies what a database holds, and checks the copy. SQLite does it: the last commits of a server that was killed, or still runs,
 * are in the log beside its file alone.
 *
 * @param copy an empty file
 */
async function copyWhole(file: string, copy: string): Promise<void> {
  const database = new BetterSqlite3(file, { readonly: true, timeout: 10_000 });
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
  checkIntegrity(copy);
  await flush(copy);
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
