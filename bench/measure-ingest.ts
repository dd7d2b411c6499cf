import { type LoadTarget, loadInTurn, startBenchServer, startPlainKoa } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, type Verdict, cpuRatioOf, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/**
 * What is compared: the product against the least that a server can be, the least that stores what it takes, which is
 * on SQLite, and one `save()` for each alert.
 */
const INGEST_VARIANTS = {
  SQLite: ['bare Koa', 'Koa that stores', 'group commit', 'save() per request'],
  MariaDB: ['bare Koa', 'group commit', 'save() per request'],
} as const satisfies Record<BenchDatabase['name'], readonly string[]>;
type IngestVariant = (typeof INGEST_VARIANTS)['SQLite'][number];

/** Measurements of every variant, round by round. */
export type IngestMeasurements = Record<Exclude<IngestVariant, 'Koa that stores'>, Measurement[]> & {
  'Koa that stores'?: Measurement[];
};

const limit = (name: string, required: number, goal: number, isAtLeast = false) =>
  ({ name, unit: '×', required, goal, isAtLeast }) as const satisfies Target;

/** What webhooks that are accepted and committed may cost. */
const TARGETS = {
  SQLite: {
    cpu: limit('CPU per alert against bare Koa', 2, 1.5),
    storing: limit('CPU per alert against Koa that stores', 1.3, 1),
    databaseCpu: undefined,
    rate: limit('rate against bare Koa', 0.6, 0.8, true),
    save: limit('rate against save() per request', 6, 9, true),
    p99: limit('p99 against bare Koa', 2, 1.3),
  },
  MariaDB: {
    cpu: limit('CPU per alert against bare Koa', 2, 1.5),
    storing: undefined,
    databaseCpu: limit('CPU of the database against bare Koa', 0.8, 0.5),
    rate: limit('rate against bare Koa', 0.4, 0.6, true),
    save: limit('rate against save() per request', 4, 6, true),
    p99: limit('p99 against bare Koa', 2, 1.3),
  },
} as const satisfies Record<BenchDatabase['name'], Record<string, Target | undefined>>;

/** The ratios of group commit, round by round against its neighbours, and what they reach. */
export function judgeIngest(database: BenchDatabase['name'], measured: IngestMeasurements): Verdict[] {
  const { cpu, storing, databaseCpu, rate, save, p99 } = TARGETS[database];
  const product = measured['group commit'];
  const bare = measured['bare Koa'];
  // A server that TEST_DATABASE_URL names is no process of this machine, perhaps.
  const hasDatabaseCpu = product.every((run) => (run.cpu?.database ?? 0) > 0);
  const stores = measured['Koa that stores'];
  return [
    judge(cpu, cpuRatioOf('server', product, bare)),
    ...(storing && stores ? [judge(storing, cpuRatioOf('server', product, stores))] : []),
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
    ...INGEST_VARIANTS[database].map((variant) => measurementRow(database, variant, measured[variant] ?? [])),
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
    for (const name of INGEST_VARIANTS[database.name])
      servers.push({ name, server: await startVariant(name, database) });
    return await loadInTurn(servers, { ...options, where: database.name }, report);
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}

function startVariant(name: IngestVariant, database: BenchDatabase): Promise<LoadTarget> {
  if (name === 'bare Koa') return startPlainKoa('bare');
  return name === 'Koa that stores' ? startPlainKoa('storing') : startBenchServer(name, database);
}
