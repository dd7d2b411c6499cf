import { startRedis } from '#tests/support/redis.ts';
import { type BenchServer, load, startBenchServer } from './bench-server.ts';
import { CONNECTIONS } from './conditions.ts';
import type { BenchDatabase } from './databases.ts';
import { type Measurement, median } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { measurementRow } from './report.ts';

/** How many servers are compared, on one database and one Redis. */
const SIZES = [1, 2, 3] as const;

const WARM_UP_SECONDS = 2;

interface Installation {
  size: number;
  servers: BenchServer[];
  runs: Measurement[];
}

/** Webhooks that several servers on one MariaDB take together; the same connections are spread over them. */
export const benchServers: Part = async (databases, options, report) => {
  const database = databases.find(({ name }) => name === 'MariaDB');
  if (!database) return skipped('there is no MariaDB', report);
  const redis = await startRedis().catch(() => undefined);
  if (!redis) return skipped('there is no Redis', report);
  const installations: Installation[] = [];
  try {
    for (const size of SIZES) installations.push(await open(size, database, redis.url));
    for (const one of installations) await loadTogether(one, database, WARM_UP_SECONDS);
    await measure(installations, database, options, report);
    const [alone] = installations;
    const rows = installations.flatMap(({ size, runs }) => [
      measurementRow('MariaDB', nameOf(size), runs),
      ...(size === 1
        ? []
        : [['MariaDB', `rate of ${nameOf(size)} against one`, ratioText(runs, alone?.runs ?? []), '', '']]),
    ]);
    return { rows, results: installations.map(({ size, runs }) => ({ size, runs })) };
  } finally {
    await Promise.all(installations.flatMap(({ servers }) => servers.map((server) => server.stop())));
    await redis.stop();
  }
};

const nameOf = (size: number): string => (size === 1 ? '1 server' : `${size} servers`);

const ratioText = (runs: Measurement[], alone: Measurement[]): string =>
  `${median(runs.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? Number.NaN))).toFixed(2)} ×`;

function skipped(reason: string, report: (line: string) => void) {
  report(`Several servers were left out: ${reason}.`);
  return { rows: [], results: undefined, skipped: reason };
}

async function open(size: number, database: BenchDatabase, redisUrl: string): Promise<Installation> {
  const url = await database.createUrl();
  const servers: BenchServer[] = [];
  for (let count = 0; count < size; count += 1) {
    const onSame = { ...database, createUrl: async () => url };
    servers.push(await startBenchServer('group commit', onSame, { REDIS_URL: redisUrl }));
  }
  return { size, servers, runs: [] };
}

async function measure(
  installations: Installation[],
  database: BenchDatabase,
  { rounds, seconds }: BenchOptions,
  report: (line: string) => void,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    for (const one of installations) {
      const run = await loadTogether(one, database, seconds);
      one.runs.push(run);
      report(`MariaDB, round ${round} of ${rounds}, ${nameOf(one.size)}: ${Math.round(run.perSecond)} per second`);
    }
  }
}

/** One run on all servers at once. Latencies are those of the slowest server, processor time that of all together. */
async function loadTogether({ servers }: Installation, database: BenchDatabase, seconds: number): Promise<Measurement> {
  const connections = Math.floor(CONNECTIONS / servers.length);
  // The database works for all of them: its time is measured once, with the first.
  const targets = servers.map((server, index) => ({ ...server, databasePid: index === 0 ? database.pid : undefined }));
  const runs = await Promise.all(targets.map((target) => load(target, seconds, connections)));
  const answers = runs.reduce((sum, run) => sum + run.answers, 0);
  const timeOf = (process: 'server' | 'database') =>
    runs.reduce((sum, run) => sum + (run.cpu?.[process] ?? Number.NaN) * run.answers, 0) / answers;
  return {
    perSecond: runs.reduce((sum, run) => sum + run.perSecond, 0),
    p50: Math.max(...runs.map(({ p50 }) => p50)),
    p99: Math.max(...runs.map(({ p99 }) => p99)),
    answers,
    failures: runs.reduce((sum, run) => sum + run.failures, 0),
    cpu: { server: timeOf('server'), database: timeOf('database') },
  };
}
