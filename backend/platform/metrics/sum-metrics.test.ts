import { expect, test } from 'vitest';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type Levels, type Metrics, createMetrics } from './metrics.ts';
import { createWorkerSums } from './sum-metrics.ts';

const levels: Levels = {
  ingestQueue: () => ({ alerts: 3, bytes: 1_000 }),
  liveSockets: () => ({ open: 2, bufferedBytes: 0 }),
  pendingPushes: () => ({ alerts: 0, messages: 0 }),
  waitingTransactions: () => 0,
  queuedDeliveries: () => 0,
  cluster: () => ({ isConnected: true, servers: 2 }),
  standing: async () => ({ heartbeats: { ok: 8 }, judgedLate: 0, windowsOn: 1, suppressed: 6 }),
};

/** Metrics of a worker that has stored so many alerts and is cut off from Redis or not. */
function workerMetrics(alerts: number, isConnected: boolean): Metrics {
  const metrics = createMetrics('1.0');
  metrics.watch({ ...levels, cluster: () => ({ isConnected, servers: 2 }) });
  for (let count = 0; count < alerts; count += 1) metrics.ingest.accepted(0.002);
  metrics.answer('GET', '/a', 200, 3);
  return metrics;
}

const ACCEPTED = 'alertdesk_ingest_alerts_total{outcome="accepted"}';
const COMMITS = 'alertdesk_ingest_commit_duration_seconds_count';

test('workers are counted together: what happened is added, what is so is added or the worst of them', async () => {
  const sums = createWorkerSums();
  sums.note(1, await workerMetrics(2, true).values());
  sums.note(2, await workerMetrics(3, false).values());
  const text = await sums.text(new Set([1, 2]));
  const expected = {
    [ACCEPTED]: 5,
    [COMMITS]: 5,
    'alertdesk_ingest_commit_duration_seconds_bucket{le="0.0025"}': 5,
    'alertdesk_http_request_duration_seconds_count{method="GET",route="/a",status="200"}': 2,
    alertdesk_ingest_queue_alerts: 6,
    alertdesk_live_sockets: 4,
    alertdesk_cluster_redis_connected: 0,
    alertdesk_cluster_servers: 2,
    alertdesk_workers: 2,
    alertdesk_worker_restarts_total: 0,
    [`alertdesk_build_info{version="1.0",node="${process.version}"}`]: 1,
  };
  expect(Object.keys(expected).map((series) => [series, metricValue(text, series)])).toEqual(Object.entries(expected));
});

test('of an event loop the worst delay is what is shown', async () => {
  const series = 'nodejs_eventloop_lag_p99_seconds';
  const withLag = async (seconds: number) => {
    const values = await workerMetrics(0, true).values();
    for (const metric of values) if (metric.name === series) metric.values = [{ value: seconds, labels: {} }];
    return values;
  };
  const sums = createWorkerSums();
  sums.note(1, await withLag(0.01));
  sums.note(2, await withLag(0.5));
  expect(metricValue(await sums.text(new Set([1, 2])), series)).toBe(0.5);
});

test('no count goes down when a worker ends or is late, and no level of it stays', async () => {
  const sums = createWorkerSums();
  sums.note(1, await workerMetrics(2, true).values());
  sums.note(2, await workerMetrics(3, true).values());
  sums.note(3, await workerMetrics(4, true).values());
  const text = async () => {
    const now = await sums.text(new Set([1, 4]));
    return [ACCEPTED, COMMITS, 'alertdesk_live_sockets', 'alertdesk_workers'].map((series) => metricValue(now, series));
  };
  expect(await text()).toEqual([9, 9, 2, 1]);
  sums.retire(2);
  sums.retire(3);
  sums.restarted();
  sums.note(4, await workerMetrics(1, true).values());
  expect(await text()).toEqual([10, 10, 4, 2]);
  expect(metricValue(await sums.text(new Set([1, 4])), 'alertdesk_worker_restarts_total')).toBe(1);
});
