/**
 * The load generator, in a process of its own: `node load.ts URL API_KEY CONNECTIONS SECONDS KIND`. Prints one line of JSON,
 * a {@link Measurement}.
 */
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { type LoadKind, alertBodies } from './alert-bodies.ts';
import type { Measurement } from './measurement.ts';

const [url = '', apiKey = '', connections = '', seconds = '', kind = 'alerts'] = process.argv.slice(2);

// Whole milliseconds, as autocannon's own report has them, are too coarse for answers that take two.
const latencies = createHistogram();
const statuses: Record<string, number> = {};

const isAlertmanager = kind === 'Alertmanager';

const run = autocannon({
  url: `${url}${isAlertmanager ? '/api/v2/alerts' : '/webhook'}`,
  connections: Number(connections),
  duration: Number(seconds),
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-webhook-auth': apiKey },
  requests: alertBodies(kind as LoadKind).map((body) => ({ body })),
});
run.on('response', (_client: unknown, status: number, _bytes: number, milliseconds: number) => {
  latencies.record(Math.max(1, Math.round(milliseconds * 1000)));
  statuses[status] = (statuses[status] ?? 0) + 1;
});
const { duration, errors, timeouts } = await run;

const result: Measurement = {
  perSecond: latencies.count / duration,
  p50: latencies.percentile(50) / 1000,
  p99: latencies.percentile(99) / 1000,
  answers: latencies.count,
  failures: errors + timeouts + latencies.count - (statuses[isAlertmanager ? '200' : '202'] ?? 0),
};
console.log(JSON.stringify(result));
