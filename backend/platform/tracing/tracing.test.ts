import { execFile } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_WAITING_SPANS, boundedExport } from './bounded-export.ts';
import { openTracing } from './open-tracing.ts';
import { readTraceParent, statementName } from './trace-context.ts';

describe('what waits for the collector', () => {
  let counted: Record<string, number>;
  let failures: unknown[];
  let reports: Parameters<SpanExporter['export']>[1][];
  let end: (spans: number) => void;
  beforeEach(() => {
    vi.useFakeTimers();
    [counted, failures, reports] = [{ sent: 0, failed: 0, dropped: 0 }, [], []];
    const exporter: SpanExporter = {
      export: (_spans, report) => void reports.push(report),
      shutdown: async () => undefined,
    };
    const observe = (outcome: string, spans: number) => (counted[outcome] = (counted[outcome] ?? 0) + spans);
    const provider = new TracerProvider({
      spanProcessors: [boundedExport(exporter, observe, (error) => failures.push(error))],
    });
    const tracer = provider.getTracer('test');
    end = (spans) => {
      for (let count = 0; count < spans; count += 1) tracer.startSpan('work', {}, ROOT_CONTEXT).end();
    };
  });
  afterEach(() => vi.useRealTimers());

  test('is bounded while a collector never answers, and every span is counted once', async () => {
    end(MAX_WAITING_SPANS + 100);
    expect(counted).toEqual({ sent: 0, failed: 0, dropped: 100 });
    // The request that is open is given up, and the next one sent.
    await vi.advanceTimersByTimeAsync(20_000);
    expect(counted).toEqual({ sent: 0, failed: 512, dropped: 100 });
    expect(failures).toHaveLength(1);
    reports[0]?.({ code: 0 });
    expect(counted['sent']).toBe(0);
    end(600);
    expect(counted['dropped']).toBe(100 + 88);
  });

  test('goes on after a failure, which is reported once until one succeeds', async () => {
    for (const code of [1, 1, 0, 1]) {
      end(10);
      await vi.advanceTimersByTimeAsync(1_000);
      reports.shift()?.({ code, ...(code === 1 && { error: new Error('refused') }) });
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(counted).toEqual({ sent: 10, failed: 30, dropped: 0 });
    expect(failures).toHaveLength(2);
  });
});

describe('work', () => {
  const config = {
    endpoint: new URL('http://127.0.0.1:1'),
    headers: {},
    serviceName: 'test',
    sampler: 'always_on',
    ratio: 1,
  } as const;
  const open = () => openTracing(config, 'a', () => undefined, { warn: () => undefined });
  const request = { headers: {} } as IncomingMessage;

  test('belongs to its request, however it is awaited, and to what it names instead', async () => {
    const tracing = await open();
    const span = tracing.request(request, performance.now());
    expect(tracing.request(request, 0)).toBe(span);
    await tracing.inside(span, async () => {
      await Promise.resolve();
      expect(tracing.active()).toBe(span);
      const other = tracing.request({ headers: {} } as IncomingMessage, performance.now());
      await tracing.step('commit', {}, async (commit) => expect(tracing.active()).toBe(commit), {
        workFor: [other].filter((one) => one !== undefined),
      });
      await tracing.step('commit of others', {}, async () => expect(tracing.active()).toBeUndefined(), { workFor: [] });
    });
    expect(tracing.active()).toBeUndefined();
  });

  test('that goes on long after its request belongs to it no more', async () => {
    const tracing = await open();
    const span = tracing.request({ headers: {} } as IncomingMessage, performance.now());
    tracing.inside(span, () => {
      span?.answered('GET', '/healthz', 200);
      expect(tracing.active()).toBe(span);
      vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
      expect(tracing.active()).toBeUndefined();
      expect(tracing.begin('live broadcast', {})).toBeUndefined();
    });
    vi.restoreAllMocks();
  });
});

test.each([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 1],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-fe', 0],
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later', 1],
])('a traceparent is read: %s', (header, traceFlags) => {
  expect(readTraceParent(header)).toEqual({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    traceFlags,
  });
});

test.each([
  undefined,
  '',
  '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
  '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more',
  'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  `01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-${'x'.repeat(200)}`,
])('what is no traceparent is none: %j', (header) => expect(readTraceParent(header)).toBeUndefined());

test.each([
  ['SELECT `a`.`id` AS `id` FROM `alerts` `a` WHERE `a`.`customer` = ?', 'SELECT alerts'],
  ['insert INTO "alert_history" (id) VALUES (?)', 'INSERT alert_history'],
  ['UPDATE alerts SET status = ?', 'UPDATE alerts'],
  ['SELECT 1', 'SELECT'],
  ['  (SELECT id FROM (SELECT 1) x) UNION SELECT id FROM notes', 'SELECT notes'],
  ['PRAGMA journal_mode', 'PRAGMA'],
  ['', 'SQL'],
])('a statement is named by what it does, without values: %s', (sql, name) => expect(statementName(sql)).toBe(name));

test('none of it is loaded until it is switched on', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve(name, context, next) { loaded.add(name); return next(name, context); } });
    const { openTracing } = await import('#backend/platform/tracing/open-tracing.ts');
    await import('#backend/server/server.ts');
    await openTracing(undefined, 'a');
    const isSdk = (name) => /opentelemetry\\/(?!api)/.test(name);
    const before = [...loaded].filter(isSdk);
    const config = { endpoint: new URL('http://127.0.0.1:1'), headers: {}, serviceName: 'a', sampler: 'always_off', ratio: 1 };
    await openTracing(config, 'a', () => undefined, { warn: () => undefined });
    console.log(JSON.stringify([before, [...loaded].some(isSdk)]));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toEqual([[], true]);
});
