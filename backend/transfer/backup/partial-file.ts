import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { errorCode } from '#backend/platform/database/driver-errors.ts';

/** Paths that this process has given out. */
const own = new Set<string>();

/** A file of this process or another one, and what SQLite keeps beside it. */
const PARTIAL = /^(?<name>.+)\.partial-(?<writer>\d+)-[\da-f]+(?:-journal|-wal|-shm)?$/;

/** For how long a file whose writer is not certain is written by nobody before it is removed, in milliseconds. */
const UNTOUCHED_MS = 60 * 60 * 1000;

/**
 * Where a file is written before it has its name, beside it. Each call has a place of its own: of two that write the same
 * file at once, such as a nightly job that is started twice, neither takes the other's half. Removes what processes left in
 * the folder that have ended since. Files of other names, such as yesterday's, only once they are old: where machines or
 * containers share a folder, their processes are not seen here. The same for files with the number of this process, which
 * in a container is that of every run.
 */
export async function beginPartial(file: string): Promise<string> {
  for (const entry of await readdir(dirname(file))) {
    const { name, writer } = PARTIAL.exec(entry)?.groups ?? {};
    const path = join(dirname(file), entry);
    const isOwnNumber = Number(writer) === process.pid;
    if (name === undefined || (isOwnNumber ? isOwn(path) : isRunning(Number(writer)))) continue;
    const isCertain = name === basename(file) && !isOwnNumber;
    if (isCertain || (await isUntouched(path))) await rm(path, { force: true });
  }
  const partial = `${file}.partial-${process.pid}-${randomBytes(4).toString('hex')}`;
  own.add(partial);
  return partial;
}

/** Whether it is of this process, or what SQLite keeps beside such a file. */
const isOwn = (path: string): boolean => own.has(path.replace(/-(?:journal|wal|shm)$/, ''));

/** Whether it is a file that is old. What cannot be looked at is left. */
async function isUntouched(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && Date.now() - found.mtimeMs > UNTOUCHED_MS;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
