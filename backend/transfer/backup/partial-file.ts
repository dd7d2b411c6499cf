import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { errorCode } from '#backend/platform/database/driver-errors.ts';

let begun = 0;

/**
 * Where a file is written before it has its name, beside it. Each call has a place of its own: of two that write the same
 * file at once, such as a nightly job that is started twice, neither takes the other's half. Removes what processes left
 * that have ended since.
 */
export async function beginPartial(file: string): Promise<string> {
  const start = `${basename(file)}.partial-`;
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(start)) continue;
    const writer = Number.parseInt(name.slice(start.length), 10);
    if (writer > 0 && !isRunning(writer)) await rm(join(dirname(file), name), { force: true });
  }
  begun += 1;
  return `${file}.partial-${process.pid}-${begun}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
