import { setTimeout as wait } from 'node:timers/promises';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { hasRedis, startRedis } from '#tests/support/redis.ts';
import { ADMIN, startServerProcess } from '#tests/support/server-process.ts';
import { type LoadTarget, loadInTurn } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { processorTimeOf, processTreeOf } from './processor-time.ts';
import { cpuRatioOf, measurementRow, ratioOf } from './report.ts';

/** What is compared: processes behind one port (WORKERS). */
const WORKER_VARIANTS = ['1 worker', '2 workers'] as const;
type WorkerVariant = (typeof WORKER_VARIANTS)[number];

/** Processes are at rest when they use less than this share of a core for so long, in milliseconds. */
const REST_SHARE = 0.05;
const REST_MS = 500;
const MOST_RESTS = 20;

/** What more processes on one machine give, on a database and a Redis that they share. */
export const benchWorkers: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results = [];
  for (const database of databases) {
    const measured = await measureWorkers(database, options, report);
    if (!measured) continue;
    const [one, two] = [measured['1 worker'], measured['2 workers']];
    const ratio = (name: string, value: number) => [
      database.name,
      `2 workers: ${name}`,
      `${value.toFixed(2)} ×`,
      '',
      '',
    ];
    rows.push(
      ...WORKER_VARIANTS.map((variant) => measurementRow(database.name, variant, measured[variant])),
      ratio('rate against 1', ratioOf('perSecond', two, one)),
      ratio('p99 against 1', ratioOf('p99', two, one)),
      ratio('CPU per alert against 1', cpuRatioOf('server', two, one)),
    );
    results.push({ database: database.name, measured });
  }
  return { rows, results };
};

/** Undefined for what has one process only. */
async function measureWorkers(
  database: BenchDatabase,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<Record<WorkerVariant, Measurement[]> | undefined> {
  if (database.name === 'SQLite') return undefined;
  if (!hasRedis()) {
    report('Workers were left out: there is no Redis here.');
    return undefined;
  }
  const redis = await startRedis();
  const servers: { name: WorkerVariant; server: LoadTarget }[] = [];
  try {
    for (const [index, name] of WORKER_VARIANTS.entries()) {
      servers.push({ name, server: await startWorkers(index + 1, database, redis.url) });
    }
    return await loadInTurn(servers, { ...options, where: database.name }, report);
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
    await redis.stop();
  }
}

/** The product as `backend/main.ts` starts it. */
async function startWorkers(workers: number, database: BenchDatabase, redisUrl: string): Promise<LoadTarget> {
  const server = await startServerProcess({
    environment: {
      DATABASE_URL: (await database.createUrl()) ?? '',
      REDIS_URL: redisUrl,
      WORKERS: String(workers),
      LOG_LEVEL: 'error',
    },
  });
  try {
    const client = await signIn(server.url, ADMIN);
    const { plainKey } = await client.createApiKey('Bench');
    const used = () => processTreeOf(server.pid).reduce((sum, pid) => sum + (processorTimeOf(pid) ?? 0), 0);
    return {
      url: server.url.origin,
      apiKey: plainKey,
      databasePid: database.pid,
      async usage() {
        let cpu = used();
        for (let rests = 0; rests < MOST_RESTS; rests += 1) {
          const before = cpu;
          await wait(REST_MS);
          cpu = used();
          if (cpu - before < REST_SHARE * REST_MS * 1_000) break;
        }
        return { cpu, thread: 0, eventLoop: 0 };
      },
      async stop() {
        await server.end();
        await server.dispose();
      },
    };
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
