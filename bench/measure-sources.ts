import { loadInTurn, startBenchServer } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/** What is compared: alerts of their own, reports of one open problem, and alerts without the log of deliveries. */
const SOURCE_VARIANTS = ['alerts', 'one problem', 'no delivery log'] as const;
type SourceVariant = (typeof SOURCE_VARIANTS)[number];

const TARGETS = {
  storm: { name: 'one problem against alerts', unit: '×', required: 1, goal: 1.2, isAtLeast: true },
  log: { name: 'delivery log on against off', unit: '×', required: 0.9, goal: 0.95, isAtLeast: true },
} as const satisfies Record<string, Target>;

/** What sources cost ingest, on each database: rates of webhooks that are accepted and committed. */
export const benchSources: Part = async (databases, options, report) => {
  const results = [];
  for (const database of databases) {
    const measured = await measureSources(database, options, report);
    const { alerts } = measured;
    const verdicts = [
      judge(TARGETS.storm, ratioOf('perSecond', measured['one problem'], alerts)),
      judge(TARGETS.log, ratioOf('perSecond', alerts, measured['no delivery log'])),
    ];
    results.push({ database: database.name, measured, verdicts });
  }
  const rows = results.flatMap(({ database, measured, verdicts }) => [
    ...SOURCE_VARIANTS.map((variant) => measurementRow(database, variant, measured[variant])),
    ...verdicts.map((verdict) => verdictRow(database, verdict)),
  ]);
  return { rows, results };
};

/** Each variant on a server process and data of its own that live through all rounds. */
async function measureSources(
  database: BenchDatabase,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<Record<SourceVariant, Measurement[]>> {
  const start = (variant: SourceVariant) =>
    startBenchServer(variant === 'no delivery log' ? 'without the delivery log' : 'group commit', database);
  const servers = [];
  try {
    for (const name of SOURCE_VARIANTS) {
      const server = await start(name);
      servers.push({ name, server: { ...server, kind: name === 'one problem' ? name : ('alerts' as const) } });
    }
    return await loadInTurn(servers, { ...options, where: database.name }, report);
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}
