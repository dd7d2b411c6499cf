import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenLive } from '#tests/support/live-client.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import {
  type CollectedSpan,
  type TraceCollector,
  attributeOf,
  startTraceCollector,
} from '#tests/support/trace-collector.ts';

const environmentFor = (collector: TraceCollector) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=the%20key',
});
const sentBy = async (server: TestServer, outcome: string) =>
  metricValue(
    await (await server.anonymous().get('/metrics')).text(),
    `alertdesk_trace_spans_total{outcome="${outcome}"}`,
  ) ?? 0;

/** Of a sender; each attempt of a test has its own. */
const newTraceId = (): string => randomBytes(16).toString('hex');
/** What a sender says that its request belongs to. */
const traceparent = (traceId: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });

describe('traces that are switched on', () => {
  let collector: TraceCollector;
  let server: TestServer;
  let key: string;
  beforeAll(async () => {
    collector = await startTraceCollector('the key');
    server = await startTestServer(environmentFor(collector));
    key = await server.addApiKey();
  });
  afterAll(async () => {
    await server?.destroy();
    await collector?.close();
  });

  /** The span of the request that the header of this test marks. */
  const spanOf = (traceId: string): CollectedSpan | undefined =>
    collector.spans.find(({ links }) => links.some((link) => link.traceId === traceId));
  const arrivalOf = async (traceId: string): Promise<CollectedSpan> => {
    await expect.poll(() => spanOf(traceId)).toBeDefined();
    return spanOf(traceId) as CollectedSpan;
  };

  test('a webhook’s trace has its request, its commit, the transaction and the broadcast', async () => {
    const member = await server.signedIn();
    const { socket } = await listenLive(member);
    onTestFinished(() => socket.terminate());
    const sender = newTraceId();
    await member.post(key, { customer: 'Nordwind' }, traceparent(sender));
    const request = await arrivalOf(sender);
    const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === request.traceId);
    const childOf = (parent: CollectedSpan | undefined, name: string) =>
      ofTrace().find((span) => span.name === name && span.parentSpanId === parent?.spanId);
    await expect.poll(() => childOf(childOf(request, 'ingest commit'), 'live broadcast')).toBeDefined();
    const commit = childOf(request, 'ingest commit');
    expect(childOf(commit, 'database transaction')).toBeDefined();
    expect(request.name).toBe('POST /webhook');
    expect(attributeOf(request, 'http.response.status_code')).toBe(202);
    expect(attributeOf(childOf(commit, 'live broadcast') as CollectedSpan, 'alertdesk.clients')).toBe(1);
    // What a caller says is linked: the trace is ours, and begins here.
    expect(request.traceId).not.toBe(sender);
    expect(request.parentSpanId).toBeUndefined();
  });

  test('a call’s trace has its reads, each of its own request', async () => {
    const member = await server.signedIn();
    const callers = Array.from({ length: 5 }, newTraceId);
    await Promise.all(callers.map((caller) => member.get('/api/folders', traceparent(caller))));
    for (const caller of callers) {
      const request = await arrivalOf(caller);
      expect(request.name).toBe('GET /api/folders');
      const reads = () =>
        collector.spans.filter(
          ({ parentSpanId, name }) => parentSpanId === request.spanId && name === 'SELECT folders',
        );
      await expect.poll(() => reads().length).toBe(1);
    }
  });

  test('deliveries that are stored together: the commit is in the trace of one, and the others link to it', async () => {
    const member = await server.signedIn();
    const senders = Array.from({ length: 30 }, newTraceId);
    await Promise.all(senders.map((sender) => member.post(key, { sender }, traceparent(sender))));
    for (const sender of senders) {
      const request = await arrivalOf(sender);
      const isTheirs = ({ name, spanId, parentSpanId }: CollectedSpan) =>
        name === 'ingest commit' &&
        (parentSpanId === request.spanId || request.links.some((link) => link.spanId === spanId));
      await expect.poll(() => collector.spans.filter(isTheirs).length).toBe(1);
    }
  });

  test('spans have no secret, and nothing of what was sent', async () => {
    const secret = 'canary-in-a-url';
    const member = await server.signedIn();
    const [sender, reader, visitor] = [newTraceId(), newTraceId(), newTraceId()];
    await fetch(`${server.url}/in/${secret}?token=${secret}`, {
      method: 'POST',
      body: JSON.stringify({ secret }),
      headers: { 'Content-Type': 'application/json', ...traceparent(sender), tracestate: `vendor=${secret}` },
    });
    await member.get(`/api/alerts/inbox?search=${secret}`, traceparent(reader));
    await fetch(`${server.url}/${secret}`, { headers: traceparent(visitor) });
    expect((await arrivalOf(sender)).name).toBe('POST /in/:token');
    await arrivalOf(reader);
    await arrivalOf(visitor);
    const sent = collector.bodies.join();
    expect(sent).toContain('alertdesk');
    for (const hidden of [secret, key, member.cookieHeader, 'Nordwind', 'the key']) expect(sent).not.toContain(hidden);
  });

  test('a collector refuses nothing of it', async () => {
    await expect.poll(() => sentBy(server, 'sent')).toBeGreaterThan(50);
    expect([collector.errors, await sentBy(server, 'failed'), await sentBy(server, 'dropped')]).toEqual([[], 0, 0]);
  });

  test('what waits is sent on a stop', async () => {
    const own = await startTestServer(environmentFor(collector));
    const caller = newTraceId();
    await own.anonymous().get('/healthz', traceparent(caller));
    await own.destroy();
    expect(spanOf(caller)?.name).toBe('GET /healthz');
  });
});

test('none is sent of what is not sampled', async () => {
  const collector = await startTraceCollector();
  const server = await startTestServer({
    ...environmentFor(collector),
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const member = await server.signedIn();
  const given = { traceparent: '00-ffffffffffffffffffffffffffffff01-00f067aa0ba902b7-01' };
  expect((await member.post(await server.addApiKey(), {}, given)).status).toBe(202);
  await server.destroy();
  expect([collector.bodies, collector.errors]).toEqual([[], []]);
  await collector.close();
});

test.each([
  ['refuses', 400, 20],
  // It is waited for, for ten seconds.
  ['never answers', 'silent', 0],
] as const)('a collector that %s neither delays alerts nor a stop', async (_what, behaviour, failed) => {
  const collector = await startTraceCollector();
  collector.behave(behaviour);
  const server = await startTestServer(environmentFor(collector));
  const member = await server.signedIn();
  const key = await server.addApiKey();
  for (let count = 0; count < 20; count += 1) expect((await member.post(key, { count })).status).toBe(202);
  await expect.poll(() => sentBy(server, 'failed')).toBeGreaterThanOrEqual(failed);
  expect(await sentBy(server, 'sent')).toBe(0);
  const stoppedAt = performance.now();
  await server.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(8_000);
  await server.destroy();
  await collector.close();
});
