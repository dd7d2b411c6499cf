import { describe, expect, test } from 'vitest';
import { RECENT_MS, createRecentDurations } from './live-latency.ts';
import { createMetrics } from './metrics.ts';
import { metricValue, readMetrics } from '#tests/support/read-metrics.ts';

describe('a histogram', () => {
  test('counts what is at most its bound, bucket by bucket, and adds up', async () => {
    const metrics = createMetrics('1.0');
    for (const alerts of [1, 2, 256, 300]) metrics.ingest.committed(alerts);
    const text = await metrics.text();
    const name = 'alertdesk_ingest_batch_alerts';
    expect(metricValue(text, `${name}_bucket{le="1"}`)).toBe(1);
    expect(metricValue(text, `${name}_bucket{le="2"}`)).toBe(2);
    expect(metricValue(text, `${name}_bucket{le="256"}`)).toBe(3);
    expect(metricValue(text, `${name}_bucket{le="+Inf"}`)).toBe(4);
    expect(metricValue(text, `${name}_sum`)).toBe(559);
    expect(metricValue(text, `${name}_count`)).toBe(4);
  });

  test('keeps a series for each combination of labels', async () => {
    const metrics = createMetrics('1.0');
    metrics.answer('GET', '/a', 200, 0.0005);
    metrics.answer('GET', '/a', 200, 3);
    metrics.answer('GET', '/b', 404, 0.0005);
    const text = await metrics.text();
    const name = 'alertdesk_http_request_duration_seconds';
    expect(metricValue(text, `${name}_count{method="GET",route="/a",status="200"}`)).toBe(2);
    expect(metricValue(text, `${name}_bucket{le="0.001",method="GET",route="/a",status="200"}`)).toBe(1);
    expect(metricValue(text, `${name}_count{method="GET",route="/b",status="404"}`)).toBe(1);
  });
});

test('every metric is named and explained as Prometheus asks', async () => {
  const metrics = readMetrics(await createMetrics('1.0').text());
  const own = [...metrics].filter(([name]) => name.startsWith('alertdesk_'));
  expect(own.length).toBeGreaterThan(10);
  for (const [name, { type, help }] of own) {
    expect(help).toMatch(/^[A-Z].*\.$/);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(?:ms|milliseconds|kilobytes|count|sum|bucket)$/);
  }
  expect(metrics.has('process_resident_memory_bytes')).toBe(true);
  expect(metrics.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
});

test('what has not happened yet is zero', async () => {
  const text = await createMetrics('1.0').text();
  for (const series of [
    'alertdesk_ingest_alerts_total{outcome="accepted"}',
    'alertdesk_ingest_commit_duration_seconds_count',
    'alertdesk_live_dropped_clients_total{reason="too_slow"}',
    'alertdesk_live_delivery_seconds_count{origin="elsewhere"}',
    'alertdesk_live_screen_seconds_count',
    'alertdesk_database_errors_total{kind="unavailable"}',
    'alertdesk_sign_ins_total{outcome="throttled"}',
    'alertdesk_push_messages_total{outcome="gone"}',
  ]) {
    expect([series, metricValue(text, series)]).toEqual([series, 0]);
  }
});

test('two servers of one process count for themselves', async () => {
  const [one, other] = [createMetrics('1.0'), createMetrics('1.0')];
  one.ingest.refused();
  one.watch({
    ingestQueue: () => ({ alerts: 3, bytes: 1_000 }),
    liveSockets: () => ({ open: 2, bufferedBytes: 7 }),
    pendingPushes: () => ({ alerts: 5, messages: 4 }),
    waitingTransactions: () => 1,
    queuedDeliveries: () => 0,
    cluster: () => ({ isConnected: true, servers: 2 }),
    standing: async () => ({ heartbeats: { ok: 8, missing: 1 }, judgedLate: 3, windowsOn: 2, suppressed: 60 }),
  });
  const refused = 'alertdesk_ingest_alerts_total{outcome="refused"}';
  expect(metricValue(await one.text(), refused)).toBe(1);
  expect(metricValue(await other.text(), refused)).toBe(0);
  const text = await one.text();
  const levels = {
    alertdesk_ingest_queue_alerts: 3,
    alertdesk_ingest_queue_bytes: 1_000,
    alertdesk_live_sockets: 2,
    alertdesk_live_buffered_bytes: 7,
    alertdesk_push_waiting_alerts: 5,
    alertdesk_push_sending_messages: 4,
    alertdesk_database_waiting_transactions: 1,
    alertdesk_cluster_redis_connected: 1,
    alertdesk_cluster_servers: 2,
    'alertdesk_heartbeats{state="ok"}': 8,
    'alertdesk_heartbeats{state="missing"}': 1,
    alertdesk_heartbeats_judged_late: 3,
    alertdesk_maintenance_windows_on: 2,
    alertdesk_maintenance_suppressed_alerts: 60,
  };
  expect(Object.keys(levels).map((name) => [name, metricValue(text, name)])).toEqual(Object.entries(levels));
});

describe('durations of the last minutes', () => {
  test('are right to one in a hundred, of any size', () => {
    const recent = createRecentDurations(() => 0);
    expect(recent.read()).toEqual({ samples: 0, median: null, p95: null, p99: null });
    for (let count = 1; count <= 1_000; count += 1) recent.record(count / 1_000);
    const { samples, median, p95, p99 } = recent.read();
    expect(samples).toBe(1_000);
    for (const [read, right] of [
      [median, 0.5],
      [p95, 0.95],
      [p99, 0.99],
    ] as const) {
      expect(Math.abs((read ?? 0) / right - 1)).toBeLessThan(0.011);
    }
    for (const extreme of [-1, 0, 1e9]) recent.record(extreme);
    expect(recent.read().samples).toBe(1_003);
  });

  test('forget what is older, also after a long silence', () => {
    let now = 0;
    const recent = createRecentDurations(() => now);
    recent.record(1);
    now = RECENT_MS / 2;
    recent.record(2);
    expect(recent.read().samples).toBe(2);
    now = RECENT_MS;
    expect(recent.read().samples).toBe(1);
    now = RECENT_MS * 1.5;
    expect(recent.read().samples).toBe(0);
    now = RECENT_MS * 1.5 + RECENT_MS;
    recent.record(3);
    expect(recent.read().samples).toBe(1);
  });
});
