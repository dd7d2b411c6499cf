import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { errorCode } from '#backend/platform/database/driver-errors.ts';

let begun = 0;

/** A file of this process or another one, and what SQLite keeps beside it. */
const PARTIAL = /^(?<name>.+)\.partial-(?<writer>\d+)-\d+(?:-journal|-wal|-shm)?$/;

/** For how long a file of another name is written by nobody before it is removed, in milliseconds. */
const UNTOUCHED_MS = 60 * 60 * 1000;

/**
 * Where a file is written before it has its name, beside it. Each call has a place of its own: of two that write the same
 * file at once, such as a nightly job that is started twice, neither takes the other's half. Removes what processes left in
 * the folder that have ended since. Files of other names, such as yesterday's, only once they are old: where machines or
 * containers share a folder, their processes are not seen here.
 */
export async function beginPartial(file: string): Promise<string> {
  for (const entry of await readdir(dirname(file))) {
    const { name, writer } = PARTIAL.exec(entry)?.groups ?? {};
    if (name === undefined || isRunning(Number(writer))) continue;
    const path = join(dirname(file), entry);
    if (name === basename(file) || (await isUntouched(path))) await rm(path, { force: true });
  }
  begun += 1;
  return `${file}.partial-${process.pid}-${begun}`;
}

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
