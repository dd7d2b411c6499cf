/** `npm run dashboard`: makes the Grafana dashboard and the table of metrics in the documentation from the metrics. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { createMetrics } from '#backend/platform/metrics/metrics.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

export const DASHBOARD_FILE = join(PROJECT_DIR, 'deploy', 'monitoring', 'grafana-dashboard.json');
export const OPERATIONS_FILE = join(PROJECT_DIR, 'docs', 'operations.md');

/** A metric as `/metrics` describes it. */
export interface DescribedMetric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** Names of its labels, without a histogram's bounds. */
  labels: string[];
}

/** The product's own metrics, in the order of `/metrics`. */
export async function describeMetrics(): Promise<DescribedMetric[]> {
  const text = await createMetrics(PRODUCT_VERSION).text();
  return [...text.matchAll(/^# HELP (alertdesk_\S+) (.*)\n# TYPE \S+ (\w+)$/gm)].map(
    ([, name = '', help = '', type]) => ({
      name,
      help,
      type: type as DescribedMetric['type'],
      labels: labelsOf(name, text),
    }),
  );
}

/** Labels of the samples that exist from the start; those of routes come with the first request. */
function labelsOf(name: string, text: string): string[] {
  const sample = new RegExp(String.raw`^${name}\{(.*)\} `, 'm').exec(text)?.[1] ?? '';
  return [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
}

/** Grafana's unit of a metric, by the suffix that Prometheus' naming rules give it. */
const unitOf = (name: string): string => {
  if (name.includes('_seconds')) return 's';
  return name.includes('_bytes') ? 'bytes' : 'short';
};

const titleOf = (name: string): string => {
  const words = name
    .replace(/^alertdesk_/, '')
    .replace(/_(total|seconds)$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const SELECTED = '{job=~"$job", instance=~"$instance"}';

/** The queries of a metric's panel, with the legend of each. */
function targetsOf({ name, type, labels }: DescribedMetric): { expr: string; legendFormat: string }[] {
  if (type === 'histogram') {
    const quantile = (part: number) =>
      `histogram_quantile(${part}, sum by (instance, le) (rate(${name}_bucket${SELECTED}[$__rate_interval])))`;
    return [
      { expr: quantile(0.5), legendFormat: 'half, {{instance}}' },
      { expr: quantile(0.99), legendFormat: '99 %, {{instance}}' },
    ];
  }
  const by = ['instance', ...labels];
  const legendFormat = by.map((label) => `{{${label}}}`).join(' ');
  const value = type === 'counter' ? `rate(${name}${SELECTED}[$__rate_interval])` : `${name}${SELECTED}`;
  return [{ expr: `sum by (${by.join(', ')}) (${value})`, legendFormat }];
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const COLUMNS = 3;
const [WIDTH, HEIGHT] = [8, 8];

/** Panels of Node.js itself that say when a process is at its limit; prom-client names them. */
const OF_THE_PROCESS: DescribedMetric[] = [
  { name: 'process_cpu_seconds_total', help: 'Processor time: 1 is one core.', type: 'counter', labels: [] },
  { name: 'process_resident_memory_bytes', help: 'Memory of the process.', type: 'gauge', labels: [] },
  {
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'How late the event loop is, in the 99th percentile.',
    type: 'gauge',
    labels: [],
  },
];

const variable = (name: string, query: string) => ({
  name,
  type: 'query',
  datasource: DATASOURCE,
  query,
  refresh: 2,
  includeAll: true,
  multi: true,
  current: { text: 'All', value: '$__all' },
});

/** A dashboard with a panel for each metric (https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/). */
export const makeDashboard = (metrics: readonly DescribedMetric[]) => ({
  title: 'Alertdesk',
  uid: 'alertdesk',
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  tags: ['alertdesk'],
  templating: {
    list: [
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
      variable('job', 'label_values(alertdesk_build_info, job)'),
      variable('instance', 'label_values(alertdesk_build_info{job=~"$job"}, instance)'),
    ],
  },
  panels: [...metrics.filter(({ name }) => name !== 'alertdesk_build_info'), ...OF_THE_PROCESS].map((metric, at) => ({
    id: at + 1,
    type: 'timeseries',
    title: titleOf(metric.name),
    description: metric.help,
    datasource: DATASOURCE,
    gridPos: { x: (at % COLUMNS) * WIDTH, y: Math.floor(at / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit: unitOf(metric.name), min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: targetsOf(metric).map(({ expr, legendFormat }, position) => ({
      refId: 'AB'.charAt(position),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  })),
});

/** The lines between which the table of metrics stands in the documentation. */
const [TABLE_BEGIN, TABLE_END] = ['<!-- metrics: npm run dashboard -->', '<!-- end of metrics -->'];

/** The page with its table of metrics as they are. */
export function withMetricsTable(page: string, metrics: readonly DescribedMetric[]): string {
  const [before, rest] = page.split(TABLE_BEGIN);
  const after = rest?.split(TABLE_END)[1];
  if (before === undefined || after === undefined) throw new Error(`The page has no ${TABLE_BEGIN} … ${TABLE_END}.`);
  const rows = metrics.map(({ name, type, help }) => `- \`${name}\` (${type}): ${help}`);
  return `${before}${TABLE_BEGIN}\n\n${rows.join('\n')}\n\n${TABLE_END}${after}`;
}

if (import.meta.main) {
  const metrics = await describeMetrics();
  await writeFile(DASHBOARD_FILE, `${JSON.stringify(makeDashboard(metrics), undefined, 2)}\n`);
  await writeFile(OPERATIONS_FILE, withMetricsTable(await readFile(OPERATIONS_FILE, 'utf8'), metrics));
}
