import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createHistogram } from '#backend/metrics/histogram.ts';
import { createMetrics } from '#backend/metrics/metrics.ts';
import { metricValue, readMetrics } from '#tests/support/read-metrics.ts';

describe('a histogram', () => {
  test('counts what is at most its bound, bucket by bucket, and adds up', async () => {
    const registry = new Registry();
    const size = createHistogram(registry, { name: 'size', help: 'Sizes.', bounds: [1, 10] })();
    for (const value of [1, 2, 10, 11]) size.observe(value);
    expect([...(readMetrics(await registry.metrics()).get('size')?.samples ?? [])]).toEqual([
      ['size_bucket{le="1"}', 1],
      ['size_bucket{le="10"}', 3],
      ['size_bucket{le="+Inf"}', 4],
      ['size_sum', 24],
      ['size_count', 4],
    ]);
  });

  test('keeps a series for each combination of labels', async () => {
    const registry = new Registry();
    const time = createHistogram(registry, { name: 'time', help: 'T.', labels: ['method', 'route'], bounds: [1] });
    time('GET', '/a').observe(0.5);
    time('GET', '/a').observe(3);
    time('GET/a', '').observe(0.5);
    const text = await registry.metrics();
    expect(metricValue(text, 'time_count{method="GET",route="/a"}')).toBe(2);
    expect(metricValue(text, 'time_bucket{method="GET",route="/a",le="1"}')).toBe(1);
    expect(metricValue(text, 'time_count{method="GET/a",route=""}')).toBe(1);
  });

  test('takes a name once', () => {
    const registry = new Registry();
    const make = () => createHistogram(registry, { name: 'size', help: 'Sizes.', bounds: [1] });
    make();
    expect(make).toThrow(/already been registered/);
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
  };
  expect(Object.keys(levels).map((name) => [name, metricValue(text, name)])).toEqual(Object.entries(levels));
});
