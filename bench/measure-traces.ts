import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadInTurn, startBenchServer } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, cpuRatioOf, judge, measurementRow, verdictRow } from './report.ts';

/** What is compared: no traces, one in a hundred sent, and all of them. */
const TRACE_VARIANTS = { 'no traces': undefined, '1 % of traces': '0.01', 'all traces': '1' } as const;
type TraceVariant = keyof typeof TRACE_VARIANTS;
const NAMES = Object.keys(TRACE_VARIANTS) as TraceVariant[];

const TARGETS = {
  '1 % of traces': { name: 'CPU per alert, 1 % of traces', unit: '×', required: 1.3, goal: 1.15, isAtLeast: false },
  'all traces': { name: 'CPU per alert, all traces', unit: '×', required: 2.5, goal: 1.8, isAtLeast: false },
} as const satisfies Partial<Record<TraceVariant, Target>>;

/** What traces cost, on each database: webhooks that are accepted and committed. */
export const benchTraces: Part = async (databases, options, report) => {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const results = [];
  try {
    for (const database of databases) {
      const { measured, spans } = await measureTraces(database, endpoint, options, report);
      const verdicts = (['1 % of traces', 'all traces'] as const).map((name) =>
        judge(TARGETS[name], cpuRatioOf('server', measured[name], measured['no traces'])),
      );
      results.push({ database: database.name, measured, spans, verdicts });
    }
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
  const rows = results.flatMap(({ database, measured, spans, verdicts }) => [
    ...NAMES.map((name) => measurementRow(database, name, measured[name])),
    [database, 'all traces: spans', `${spans.sent} sent`, `${spans.dropped} dropped`, ''],
    ...verdicts.map((verdict) => verdictRow(database, verdict)),
  ]);
  return { rows, results };
};

async function measureTraces(
  database: BenchDatabase,
  endpoint: string,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<{ measured: Record<TraceVariant, Measurement[]>; spans: { sent: number; dropped: number } }> {
  const servers = [];
  try {
    for (const name of NAMES) {
      const ratio = TRACE_VARIANTS[name];
      const environment = ratio && {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: ratio,
      };
      servers.push({ name, server: await startBenchServer('group commit', database, environment) });
    }
    const measured = await loadInTurn(servers, { ...options, where: database.name }, report);
    const traced = servers.at(-1)?.server;
    const count = async (outcome: string) =>
      (await traced?.metric(`alertdesk_trace_spans_total{outcome="${outcome}"}`)) ?? 0;
    return { measured, spans: { sent: await count('sent'), dropped: await count('dropped') } };
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}
