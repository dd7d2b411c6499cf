import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ObserveSpans } from '#backend/platform/metrics/observers.ts';
import { boundedExport } from './bounded-export.ts';
import { readTraceParent, statementName } from './trace-context.ts';
import type { RequestSpan, Span, SpanFacts, StepOptions, Tracing, TracingConfig } from './tracing.ts';

/** A collector that answers later is given up, in milliseconds. */
const EXPORT_TIMEOUT_MS = 10_000;

/** How long a stop waits for what is left to be sent, in milliseconds. */
const STOP_MS = 2_000;

/**
 * What comes so long after the end of a span belongs to it no more, in milliseconds: a loop that a request started goes on
 * with the work of others.
 */
const FOLLOW_UP_MS = 1_000;

/** A request's method is a client's word. */
const KNOWN_METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/** A span of ours with OpenTelemetry's. */
interface Traced extends Span {
  otel: OtelSpan;
  /** A moment of `performance.now()`; undefined until it ends. */
  endedAt: number | undefined;
}

/**
 * Traces by OpenTelemetry's SDK. Nothing is registered globally, so no library adds spans of its own. This module is
 * imported only where traces are switched on.
 */
export function traceByOpenTelemetry(
  config: TracingConfig,
  { version, instance }: { version: string; instance: string },
  observe: ObserveSpans,
  onFailure: (error: unknown) => void,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: new URL('v1/traces', config.endpoint.href.replace(/\/*$/, '/')).href,
    headers: config.headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': version,
      'service.instance.id': instance,
    }),
    // What is not sampled is not even begun.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [boundedExport(exporter, observe, onFailure)],
  });
  return createTracing(provider.getTracer(config.serviceName, version), ratioOf(config), () =>
    Promise.race([provider.shutdown(), wait(STOP_MS, undefined, { ref: false })]).catch(() => undefined),
  );
}

/** The part of all traces that is sent. Each begins here, so no other service's decision is to be met by its id. */
function ratioOf({ sampler, ratio }: TracingConfig): number {
  if (sampler === 'traceidratio') return ratio;
  return sampler === 'always_on' ? 1 : 0;
}

function createTracing(tracer: Tracer, ratio: number, stop: () => Promise<void>): Tracing {
  const isSampled = () => ratio >= 1 || Math.random() < ratio;
  const activeSpans = new AsyncLocalStorage<Traced | undefined>();
  /** Of each request its span; undefined of one that is not sampled, which costs nothing more. */
  const requests = new WeakMap<IncomingMessage, (RequestSpan & Traced) | undefined>();

  const active = (): Traced | undefined => {
    const span = activeSpans.getStore();
    const isOver = span?.endedAt !== undefined && performance.now() - span.endedAt > FOLLOW_UP_MS;
    return isOver ? undefined : span;
  };
  const start = (
    name: string,
    facts: SpanFacts,
    { below, kind, links, startTime }: { below?: Traced; kind: SpanKind; links?: Link[]; startTime?: number },
  ): Traced => {
    const parent: Context = below ? trace.setSpan(ROOT_CONTEXT, below.otel) : ROOT_CONTEXT;
    const more = { ...(links && { links }), ...(startTime !== undefined && { startTime }) };
    return traced(tracer.startSpan(name, { kind, attributes: facts, ...more }, parent));
  };

  return {
    isOn: true,
    request(request, startedAt) {
      if (requests.has(request)) return requests.get(request);
      if (!isSampled()) {
        requests.set(request, undefined);
        return undefined;
      }
      // What a sender says is outside of this installation's trust: it neither decides what is sampled nor into whose
      // trace spans go. It is linked.
      const sent = readTraceParent(request.headers['traceparent']);
      // By the clock of day, as other spans, and for as long as the monotonic clock says.
      const startTime = Date.now() - (performance.now() - startedAt);
      const span = start(
        'HTTP',
        {},
        {
          kind: SpanKind.SERVER,
          startTime,
          ...(sent && { links: [{ context: { ...sent, isRemote: true } }] }),
        },
      );
      const asked: RequestSpan & Traced = {
        ...span,
        answered(method, route, status) {
          const named = KNOWN_METHOD.test(method) ? method : '_OTHER';
          span.otel.updateName(`${named} ${route}`);
          span.set({ 'http.request.method': named, 'http.route': route, 'http.response.status_code': status });
          if (status >= 500) span.otel.setStatus({ code: SpanStatusCode.ERROR });
          asked.endedAt = performance.now();
          span.otel.end(startTime + (asked.endedAt - startedAt));
        },
      };
      requests.set(request, asked);
      return asked;
    },
    active,
    inside: (span, work) => (span ? activeSpans.run(span as Traced, work) : work()),
    async step(name, facts, work, { workFor, isCall = false, mayBegin = false }: StepOptions = {}) {
      const spans = (workFor ?? [active()]).filter((one) => one !== undefined) as Traced[];
      const [below, ...others] = spans;
      // Not in what is active: that may be the work of others.
      if (!below && !(mayBegin && isSampled())) return activeSpans.run(undefined, () => work(undefined));
      const span = start(name, facts, { ...(below && { below }), kind: isCall ? SpanKind.CLIENT : SpanKind.INTERNAL });
      for (const other of others) other.otel.addLink({ context: span.otel.spanContext() });
      try {
        const result = await activeSpans.run(span, () => work(span));
        span.end();
        return result;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
    begin(name, facts) {
      const below = active();
      return below && start(name, facts, { below, kind: SpanKind.INTERNAL });
    },
    read({ sql, tookMs }, span) {
      if (!span) return;
      const now = Date.now();
      const below = span as Traced;
      start(statementName(sql), {}, { below, kind: SpanKind.CLIENT, startTime: now - tookMs }).otel.end(now);
    },
    stop,
  };
}

function traced(otel: OtelSpan): Traced {
  const span: Traced = {
    otel,
    endedAt: undefined,
    set: (facts) => void otel.setAttributes(facts),
    end(error) {
      if (error !== undefined) {
        otel.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
        otel.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.endedAt = performance.now();
      otel.end();
    },
  };
  return span;
}
