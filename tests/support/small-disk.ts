import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { orRequired } from './find-program.ts';

const run = promisify(execFile);

/** A data folder whose space can run out. */
export interface SmallDisk {
  dataDir: string;
  /** Command line before a server's own: what makes it subject to the limit. */
  launcher: string[];
  /** Leaves at most `bytes` for the server `pid`; without a server the next one finds so little. */
  leave(bytes: number, pid?: number): Promise<void>;
  /** Gives the space back. */
  free(pid?: number): Promise<void>;
  remove(): Promise<void>;
}

export const MIB = 1024 * 1024;

/**
 * A real file system in memory, mounted in a folder of its own.
 *
 * @param size in bytes
 * @returns undefined where mounting is not permitted: it takes root on Linux
 */
export async function mountSmallDisk(size = 32 * MIB): Promise<SmallDisk | undefined> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', dataDir]);
  } catch {
    await rm(dataDir, { recursive: true, force: true });
    return orRequired<SmallDisk>('small-disk', undefined);
  }
  const filler = join(dataDir, 'filler');
  return {
    dataDir,
    launcher: [],
    async leave(bytes) {
      const { bavail, bsize } = await statfs(dataDir);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes))).catch((error: unknown) => {
        // The server was quicker: the disk is full, which is what is wanted.
        if (errorCode(error) !== 'ENOSPC') throw error;
      });
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      await run('umount', [dataDir]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const limit = (pid: number, soft: number | 'unlimited') =>
  run('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`]);

/**
 * A folder in which a server's files cannot grow beyond a limit (RLIMIT_FSIZE): writing beyond it fails as a broken disk
 * does. Needs no root.
 *
 * @returns undefined where there is no `prlimit` (util-linux)
 */
export async function limitFileSizes(): Promise<SmallDisk | undefined> {
  try {
    await run('prlimit', ['--version']);
  } catch {
    return undefined;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-disk-'));
  return {
    dataDir,
    // Without the trap the first write beyond the limit would end the process.
    launcher: ['sh', '-c', `trap '' XFSZ; exec "$@"`, 'sh'],
    async leave(bytes, pid) {
      if (pid === undefined) throw new Error('A limit of file sizes needs a process.');
      await limit(pid, (await stat(join(dataDir, SQLITE_FILE))).size + bytes);
    },
    async free(pid) {
      if (pid === undefined) throw new Error('A limit of file sizes needs a process.');
      await limit(pid, 'unlimited');
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
