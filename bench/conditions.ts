import { statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { openDatabase } from '#backend/database/open-database.ts';
import { BODY_BYTES } from './alert-bodies.ts';

/** Connections that send at once. */
export const CONNECTIONS = 64;

/** Type numbers of file systems that keep nothing on a disk (tmpfs, ramfs). */
const MEMORY_FILE_SYSTEMS = new Set([0x01021994, 0x858458f6]);

/** What a reader must know to make sense of the figures, as `name: value`. */
export async function machineConditions({
  rounds,
  seconds,
  alerts,
}: {
  rounds: number;
  seconds: number;
  alerts: number;
}): Promise<Record<string, string>> {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const isInMemory = MEMORY_FILE_SYSTEMS.has(statfsSync(tmpdir()).type);
  return {
    Machine: `${availableParallelism()} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`,
    Node: process.version,
    Data: `${tmpdir()} on ${isInMemory ? 'memory (no durability here!)' : 'a disk'}`,
    Load: `${CONNECTIONS} connections, ${BODY_BYTES}-byte bodies, ${seconds} s a run, load generator beside the server`,
    Alerts: `${alerts.toLocaleString('en-US')} for reads`,
    'Other work': describeLoad(loadavg()[0] ?? 0),
    Rounds: `${rounds}, the variants in turn; medians`,
  };
}

/** What else the machine does at the start; committing suffers from it more than answering does. */
const describeLoad = (load: number): string =>
  `load average ${load.toFixed(1)}${load > availableParallelism() / 4 ? ' — too much for figures to quote' : ''}`;

/** Version and durability of SQLite as the server opens it. */
export async function sqliteConditions(folder: string): Promise<string> {
  const database = await openDatabase({ dataDir: join(folder), databaseUrl: undefined });
  try {
    // Asked of the connection that writes: durability is a setting of the connection.
    return await database.transaction(async (tx) => {
      const [version]: { version: string }[] = await tx.query('SELECT sqlite_version() AS version');
      const [journal]: { journal_mode: string }[] = await tx.query('PRAGMA journal_mode');
      const [level]: { synchronous: number }[] = await tx.query('PRAGMA synchronous');
      const synchronous = ['OFF', 'NORMAL', 'FULL', 'EXTRA'][level?.synchronous ?? 0];
      return `${version?.version}, journal_mode=${journal?.journal_mode}, synchronous=${synchronous}`;
    });
  } finally {
    await database.close();
  }
}

/** Version and durability of a MariaDB or MySQL server. */
export async function mariaDbConditions(url: string): Promise<string> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query(
      'SELECT VERSION() AS version, @@innodb_flush_log_at_trx_commit AS flush, @@sync_binlog AS sync, @@log_bin AS bin',
    );
    const [row] = rows as { version: string; flush: number; sync: number; bin: number }[];
    return `${row?.version}, innodb_flush_log_at_trx_commit=${row?.flush}, log_bin=${row?.bin}, sync_binlog=${row?.sync}`;
  } finally {
    await connection.end();
  }
}
