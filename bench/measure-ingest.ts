import { type LoadTarget, loadInTurn, startBareKoa, startBenchServer } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, type Verdict, cpuRatioOf, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/** What is compared: the product against the least that a server can be, and against one `save()` for each alert. */
const INGEST_VARIANTS = ['bare Koa', 'group commit', 'save() per request'] as const;
type IngestVariant = (typeof INGEST_VARIANTS)[number];

/** Measurements of every variant, round by round. */
export type IngestMeasurements = Record<IngestVariant, Measurement[]>;

/** What webhooks that are accepted and committed may cost. */
const TARGETS = {
  SQLite: {
    cpu: { name: 'CPU per alert against bare Koa', unit: '×', required: 1.4, goal: 1.2, isAtLeast: false },
    databaseCpu: undefined,
    rate: { name: 'rate against bare Koa', unit: '×', required: 0.6, goal: 0.8, isAtLeast: true },
    save: { name: 'rate against save() per request', unit: '×', required: 6, goal: 9, isAtLeast: true },
    p99: { name: 'p99 against bare Koa', unit: '×', required: 2.5, goal: 1.5, isAtLeast: false },
  },
  MariaDB: {
    cpu: { name: 'CPU per alert against bare Koa', unit: '×', required: 1.4, goal: 1.2, isAtLeast: false },
    databaseCpu: {
      name: 'CPU of the database against bare Koa',
      unit: '×',
      required: 0.6,
      goal: 0.5,
      isAtLeast: false,
    },
    rate: { name: 'rate against bare Koa', unit: '×', required: 0.5, goal: 0.7, isAtLeast: true },
    save: { name: 'rate against save() per request', unit: '×', required: 4, goal: 6, isAtLeast: true },
    p99: { name: 'p99 against bare Koa', unit: '×', required: 2.5, goal: 1.5, isAtLeast: false },
  },
} as const satisfies Record<BenchDatabase['name'], Record<string, Target | undefined>>;

/** The ratios of group commit, round by round against its neighbours, and what they reach. */
export function judgeIngest(database: BenchDatabase['name'], measured: IngestMeasurements): Verdict[] {
  const { cpu, databaseCpu, rate, save, p99 } = TARGETS[database];
  const product = measured['group commit'];
  const bare = measured['bare Koa'];
  // A server that TEST_DATABASE_URL names is no process of this machine, perhaps.
  const hasDatabaseCpu = product.every((run) => (run.cpu?.database ?? 0) > 0);
  return [
    judge(cpu, cpuRatioOf('server', product, bare)),
    ...(databaseCpu && hasDatabaseCpu ? [judge(databaseCpu, cpuRatioOf('database', product, bare))] : []),
    judge(rate, ratioOf('perSecond', product, bare)),
    judge(save, ratioOf('perSecond', product, measured['save() per request'])),
    judge(p99, ratioOf('p99', product, bare)),
  ];
}

/** Webhooks accepted and committed, on each database. */
export const benchIngest: Part = async (databases, options, report) => {
  const results = [];
  for (const database of databases) {
    const measured = await measureIngest(database, options, report);
    results.push({ database: database.name, measured, verdicts: judgeIngest(database.name, measured) });
  }
  const rows = results.flatMap(({ database, measured, verdicts }) => [
    ...INGEST_VARIANTS.map((variant) => measurementRow(database, variant, measured[variant])),
    ...verdicts.map((verdict) => verdictRow(database, verdict)),
  ]);
  return { rows, results };
};

/** Each variant on a server process and data of its own that live through all rounds. */
async function measureIngest(
  database: BenchDatabase,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<IngestMeasurements> {
  const servers: { name: IngestVariant; server: LoadTarget }[] = [];
  try {
    for (const name of INGEST_VARIANTS) {
      const server = name === 'bare Koa' ? await startBareKoa() : await startBenchServer(name, database);
      servers.push({ name, server });
    }
    return await loadInTurn(servers, { ...options, where: database.name }, report);
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}
