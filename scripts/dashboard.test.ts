import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DASHBOARD_FILE, OPERATIONS_FILE, describeMetrics, makeDashboard, withMetricsTable } from './dashboard.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

/** The formatter breaks long lines. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

test('the dashboard and the documentation have the metrics as they are; else run "npm run dashboard"', async () => {
  const metrics = await describeMetrics();
  expect(metrics.length).toBeGreaterThan(15);
  expect(JSON.parse(await readFile(DASHBOARD_FILE, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(makeDashboard(metrics))),
  );
  const page = await readFile(OPERATIONS_FILE, 'utf8');
  expect(inOneLine(withMetricsTable(page, metrics))).toBe(inOneLine(page));
});

test('the rules for Prometheus ask for metrics that exist', async () => {
  const names = new Set((await describeMetrics()).map(({ name }) => name));
  const rules = await readFile(join(PROJECT_DIR, 'deploy/monitoring/prometheus-rules.yml'), 'utf8');
  const asked = [...rules.matchAll(/expr: .*?(alertdesk_[a-z_]+)/g)].map(([, name = '']) => name);
  const own = asked.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(own.length).toBeGreaterThan(5);
  expect(own.filter((name) => !names.has(name))).toEqual([]);
  // Other programs have metrics of the same names.
  const others = [...rules.matchAll(/expr: (.*)/g)].filter(([, expression = '']) => !expression.includes('alertdesk'));
  expect(others).toEqual([]);
});
