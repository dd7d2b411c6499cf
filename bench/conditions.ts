import { STORED } from '#backend/server/entities.ts';
import { statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { openDatabase } from '#backend/platform/database/open-database.ts';
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
    Machine: `${availableParallelism()} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release().split('-')[0]} ${arch()}`,
    Node: process.version,
    Data: `${tmpdir()} on ${isInMemory ? 'memory (no durability here!)' : 'a disk'}`,
    Load: `${CONNECTIONS} connections, ${BODY_BYTES}-byte bodies, ${seconds} s a run, load generator beside the server`,
    Alerts: `${alerts.toLocaleString('en-US')} for reads`,
    'Other work': describeWork(await shareOfBusyTime()),
    Rounds: `${rounds}, the variants in turn; medians`,
  };
}

/** How long it is looked what else the machine does, in milliseconds. */
const LOOK_MS = 1_000;

/** Processor time of the whole machine since its start, and what of it was idle, in milliseconds. */
const readTimes = () => {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) };
};

/** Processor time of the whole machine that was not idle, in a moment in which this process does nothing. */
async function shareOfBusyTime(): Promise<number> {
  const before = readTimes();
  await wait(LOOK_MS);
  const after = readTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

/** A machine that does less beside a run changes no figure that is quoted. */
const IDLE_SHARE = 0.05;
/** How often it is looked at most. */
const MAX_LOOKS = 15;

/**
 * Waits until the machine has nothing to do: a server may still write what the run before brought, such as to its search and its
 * figures, which would cost the next server's run some of its speed.
 */
export async function untilIdle(): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) if ((await shareOfBusyTime()) < IDLE_SHARE) return;
}

/** What else the machine does at the start; committing suffers from it more than answering does. */
const describeWork = (share: number): string =>
  `${Math.round(share * 100)} % of the processors busy${share > 0.15 ? ' — too much for figures to quote' : ''}`;

/** Version and durability of SQLite as the server opens it. */
export async function sqliteConditions(folder: string): Promise<string> {
  const database = await openDatabase({ dataDir: join(folder), databaseUrl: undefined }, STORED);
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

/** Version, durability and memory of a MariaDB or MySQL server. */
export async function mariaDbConditions(url: string): Promise<string> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query(
      'SELECT VERSION() AS version, @@innodb_flush_log_at_trx_commit AS flush, @@sync_binlog AS sync, @@log_bin AS bin, ROUND(@@innodb_buffer_pool_size / 1048576) AS pool',
    );
    const [row] = rows as { version: string; flush: number; sync: number; bin: number; pool: number }[];
    return `${row?.version}, innodb_flush_log_at_trx_commit=${row?.flush}, log_bin=${row?.bin}, sync_binlog=${row?.sync}, buffer pool of ${row?.pool} MiB`;
  } finally {
    await connection.end();
  }
}
