import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { errorCode } from './driver-errors.ts';
import { makeDataFile, refusalOf } from './private-files.ts';

/** The file whose lock says that a server works in this folder. */
const LOCK_FILE = 'server.lock';

/**
 * Takes the data folder for this process alone. The lock is the operating system's, by means of an SQLite file of its
 * own: it ends with the process, however that ends, and no number of a dead process is ever mistaken for a live one's.
 *
 * @returns what gives the folder free
 * @throws {StartError} when another process has it, or it cannot be written
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = openLock(dataDir);
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!errorCode(error).startsWith('SQLITE_BUSY')) throw cannotLock(dataDir, error);
    throw new StartError(
      `Another Alertdesk works in the data folder ${dataDir}; stop it first, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return () => lock.close();
}

/** The lock of one of several servers on a MySQL database, which may share a folder. Its name says whose it is. */
const serverFile = (serverId: string): string => `server-${serverId}.lock`;
const SERVER_FILE = /^server-([\da-f-]{36})\.lock$/;

/**
 * Lets others see that this server runs, as long as it does, by a locked file in its data folder. Where that cannot be
 * written, they see it later.
 *
 * @returns what ends that
 */
export function lockServerFile(dataDir: string, serverId: string): () => void {
  const file = join(dataDir, serverFile(serverId));
  try {
    makeDataFile(file);
    const lock = new BetterSqlite3(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return () => {
      lock.close();
      rmSync(file, { force: true });
    };
  } catch {
    return () => undefined;
  }
}

/** Ids of servers that had this data folder and run no longer. Their files are deleted. */
export function endDeadServers(dataDir: string): string[] {
  return readdirSync(dataDir).flatMap((name) => {
    const id = SERVER_FILE.exec(name)?.[1];
    return id !== undefined && isFree(join(dataDir, name)) ? [id] : [];
  });
}

function isFree(file: string): boolean {
  let lock: BetterSqlite3.Database | undefined;
  try {
    lock = new BetterSqlite3(file, { timeout: 0, fileMustExist: true });
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock?.close();
    return false;
  }
  lock.close();
  rmSync(file, { force: true });
  return true;
}

function openLock(dataDir: string): BetterSqlite3.Database {
  const file = join(dataDir, LOCK_FILE);
  try {
    makeDataFile(file);
    return new BetterSqlite3(file, { timeout: 0 });
  } catch (error) {
    throw cannotLock(dataDir, error);
  }
}

const cannotLock = (dataDir: string, error: unknown): StartError =>
  new StartError(
    refusalOf(join(dataDir, LOCK_FILE), error) ??
      `The data folder ${dataDir} cannot be written (${errorCode(error)}); set DATA_DIR to a folder that can.`,
    { cause: error },
  );
