import { type BenchServer, loadInTurn, startBenchServer } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, type Verdict, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/** What is compared: the product against a server without a database, and against one `save()` for each alert. */
const INGEST_VARIANTS = ['no database', 'group commit', 'save() per request'] as const;
type IngestVariant = (typeof INGEST_VARIANTS)[number];

/** Measurements of every variant, round by round. */
export type IngestMeasurements = Record<IngestVariant, Measurement[]>;

/** What quality.md asks of webhooks that are accepted and committed. */
const TARGETS = {
  rate: { name: 'group commit against no database', unit: '×', required: 0.4, goal: 0.6, isAtLeast: true },
  save: { name: 'group commit against save() per request', unit: '×', required: 6, goal: 9, isAtLeast: true },
  p99: { name: 'group commit p99 against no database', unit: '×', required: 4, goal: 2.5, isAtLeast: false },
} as const satisfies Record<string, Target>;

/** The ratios of group commit, round by round against its neighbours, and what they reach. */
export function judgeIngest(measured: IngestMeasurements): Verdict[] {
  const product = measured['group commit'];
  return [
    judge(TARGETS.rate, ratioOf('perSecond', product, measured['no database'])),
    judge(TARGETS.save, ratioOf('perSecond', product, measured['save() per request'])),
    judge(TARGETS.p99, ratioOf('p99', product, measured['no database'])),
  ];
}

/** Webhooks accepted and committed, on each database. */
export const benchIngest: Part = async (databases, options, tell) => {
  const results = [];
  for (const database of databases) {
    const measured = await measureIngest(database, options, tell);
    results.push({ database: database.name, measured, verdicts: judgeIngest(measured) });
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
  tell: (line: string) => void,
): Promise<IngestMeasurements> {
  const servers: { name: IngestVariant; server: BenchServer }[] = [];
  try {
    for (const name of INGEST_VARIANTS) {
      servers.push({ name, server: await startBenchServer(name, await database.createUrl()) });
    }
    return await loadInTurn(servers, { ...options, where: database.name }, tell);
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}
