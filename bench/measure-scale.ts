import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { readMetrics } from '#tests/support/read-metrics.ts';
import { ADMIN, type BenchPlace, type BenchServer, load, startServerOn } from './bench-server.ts';
import { DEPTH, readEverything } from './measure-reads.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { cpuText } from './report.ts';
import { MIB, type RetentionRun, type ScaleMeasurement, type Sizes, type Stage, scaleRows } from './scale-report.ts';
import { PARTS, PART_DAYS, copyPart, partOf, seedPart } from './scale-data.ts';

/** When retention has deleted nothing for so long, it is over, in milliseconds. */
const OVER_AFTER_MS = 15_000;

/** Senders beside retention: a busy system that is not at its limit. */
const POSTERS = 8;

/** Days that are kept first without, then with an archive: each time half of a part is deleted, the completed ones. */
const KEPT = PART_DAYS * (PARTS - 1);
const KEPT_WITH_ARCHIVE = PART_DAYS * (PARTS - 2);

/**
 * A tenth of the alerts, then all of them: what they take, how long reads and storing others take, and what retention
 * costs. MariaDB is best one of your own on a disk, with the memory that it is to have (TEST_DATABASE_URL).
 */
export const benchScale: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  for (const database of databases) {
    const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
    try {
      const place = { dataDir, databaseUrl: await database.createUrl(), databasePid: database.pid };
      const measured = await measure(place, options, (line) => report(`${time()} ${database.name}: ${line}`));
      rows.push(...scaleRows(database.name, measured));
      results[database.name] = measured;
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return { rows, results };
};

const time = () => new Date().toISOString().slice(11, 19);

async function measure(
  place: BenchPlace,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<ScaleMeasurement> {
  const part = partOf(options.alerts);
  report(`storing ${part.toLocaleString('en')} alerts …`);
  const ids = await seedPart(place, part, report);
  const cursor = ids.at(-Math.min(DEPTH, ids.length)) ?? '';
  const stages = [await measureStage(place, part, cursor, options, report)];
  await copyPart(place, ids, report);
  stages.push(await measureStage(place, part * PARTS, cursor, options, report));
  const retention = [
    await measureRetention(place, KEPT, undefined, options, report),
    await measureRetention(place, KEPT_WITH_ARCHIVE, join(place.dataDir, 'archive'), options, report),
  ];
  return { stages, retention };
}

async function measureStage(
  place: BenchPlace,
  alerts: number,
  cursor: string,
  { rounds, seconds }: BenchOptions,
  report: (line: string) => void,
): Promise<Stage> {
  const sizes = await sizesOf(place);
  for (const [name, bytes] of Object.entries(sizes)) report(`${name}: ${(bytes / MIB).toFixed(0)} MiB`);
  const server = await startServerOn('group commit', place);
  try {
    const beganAt = performance.now();
    await server.usage();
    const comparedMs = performance.now() - beganAt;
    report(`the search index was compared with all alerts in ${(comparedMs / 1_000).toFixed(0)} s`);
    const client = await signIn(new URL(server.url), ADMIN);
    const reads = await readEverything(client, cursor, rounds, report);
    const ingest = await loadRounds(server, rounds, seconds, report);
    const { held: memory } = await server.memory();
    report(`the server holds ${(memory / MIB).toFixed(0)} MiB`);
    return { alerts, sizes, comparedMs, reads, ingest, memory };
  } finally {
    await server.stop();
  }
}

async function loadRounds(
  server: BenchServer,
  rounds: number,
  seconds: number,
  report: (line: string) => void,
  posters?: number,
): Promise<Measurement[]> {
  const runs: Measurement[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const run = await loadNow(server, seconds, posters);
    // The first is to warm up.
    if (round === 0) continue;
    runs.push(run);
    report(`${Math.round(run.perSecond)} alerts a second, p99 ${run.p99.toFixed(1)} ms, ${cpuText(run)}`);
  }
  return runs;
}

async function measureRetention(
  place: BenchPlace,
  days: number,
  archiveDir: string | undefined,
  { rounds, seconds }: BenchOptions,
  report: (line: string) => void,
): Promise<RetentionRun> {
  const before = await startServerOn('group commit', place);
  const alone = await loadRounds(before, rounds, seconds, report, POSTERS).finally(() => before.stop());
  const hasArchive = archiveDir !== undefined;
  report(`retention of ${days} days begins${hasArchive ? ', with an archive' : ''}`);
  await withStatus(place, (run) => run('FLUSH STATUS'));
  const beganAt = performance.now();
  const server = await startServerOn('group commit', place, {
    RETENTION_DAYS: String(days),
    ...(archiveDir !== undefined && { ARCHIVE_DIR: archiveDir }),
  });
  const deletedNow = async () => (await server.metric('alertdesk_retention_deleted_alerts_total')) ?? 0;
  try {
    while ((await deletedNow()) === 0) await wait(100);
    const beside: Measurement[] = [];
    for (let round = 1; round <= rounds; round += 1) beside.push(await loadNow(server, seconds, POSTERS));
    report(`p99 beside it: ${beside.map(({ p99 }) => p99.toFixed(1)).join(', ')} ms; ${await deletedNow()} deleted`);
    // Over when nothing was deleted for a while: it rests longer where the machine is busy.
    let deleted = -1;
    for (let now = await deletedNow(); now > deleted; now = await deletedNow()) {
      deleted = now;
      await wait(OVER_AFTER_MS);
    }
    const result: RetentionRun = {
      days,
      hasArchive,
      deleted,
      seconds: (performance.now() - beganAt - OVER_AFTER_MS) / 1_000,
      alone,
      beside,
      longestTransaction: await longestTransaction(server),
      longestLockWait: await withStatus(place, async (run) => {
        const [row] = await run("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_time_max'");
        return Number(row?.['Value']);
      }),
      archivedBytes: archiveDir === undefined ? 0 : sum(Object.values(await filesIn(archiveDir))),
    };
    report(`${deleted} deleted in ${result.seconds.toFixed(0)} s`);
    return result;
  } finally {
    await server.stop();
  }
}

/** The load without waiting for the search index, which is compared with all alerts after each start. */
const loadNow = (server: BenchServer, seconds: number, posters?: number): Promise<Measurement> =>
  load({ ...server, usage: server.usageNow }, seconds, posters);

/** The least bucket that holds all transactions, in seconds. */
async function longestTransaction(server: BenchServer): Promise<number> {
  const metrics = readMetrics(await (await fetch(`${server.url}/metrics`)).text());
  const samples = metrics.get('alertdesk_database_transaction_duration_seconds')?.samples ?? new Map<string, number>();
  const all = samples.get('alertdesk_database_transaction_duration_seconds_count');
  const full = [...samples].find(([series, count]) => series.includes('_bucket') && count === all);
  return Number(/le="([^"]+)"/.exec(full?.[0] ?? '')?.[1]?.replace('+Inf', 'Infinity'));
}

type Run = (sql: string) => Promise<RowDataPacket[]>;

async function withStatus<T>({ databaseUrl }: BenchPlace, work: (run: Run) => Promise<T>): Promise<T | undefined> {
  if (databaseUrl === undefined) return undefined;
  const connection = await createConnection(databaseUrl);
  try {
    return await work(async (sql) => (await connection.query<RowDataPacket[]>(sql))[0]);
  } finally {
    await connection.end();
  }
}

async function sizesOf(place: BenchPlace): Promise<Sizes> {
  const tables = await withStatus(place, (run) =>
    run(
      'SELECT table_name AS name, data_length AS data, index_length AS indexes FROM information_schema.tables ' +
        "WHERE table_schema = DATABASE() AND data_length > 1048576 AND table_name <> 'bench_counts' ORDER BY data_length DESC",
    ),
  );
  if (!tables) return filesIn(place.dataDir);
  return Object.fromEntries(
    tables.flatMap(({ name, data, indexes }) => [
      [`${name}, rows`, Number(data)],
      [`${name}, indexes`, Number(indexes)],
    ]),
  );
}

async function filesIn(folder: string): Promise<Sizes> {
  const files = await readdir(folder, { withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ name }) => [name, (await stat(join(folder, name))).size]);
  return Object.fromEntries(await Promise.all(sizes)) as Sizes;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
