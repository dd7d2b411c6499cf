import type { IncomingMessage } from 'node:http';

/** Where traces go, and which of them: the variables of OpenTelemetry's specification. */
export interface TracingConfig {
  /** Where OTLP is spoken over HTTP; `/v1/traces` is added. */
  endpoint: URL;
  /** Sent along, such as a collector's key. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** With `traceidratio`: the part of all traces that is sent, from 0 to 1. */
  ratio: number;
}

/** What a span says of its work: numbers and names of ours, never what people or senders wrote. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that is traced. */
export interface Span {
  set(facts: SpanFacts): void;
  /** Ends it; with an error, as failed. Once. */
  end(error?: unknown): void;
}

/** A request that is traced. */
export interface RequestSpan extends Span {
  /** Names it by the declared route, never by its path, and ends it. */
  answered(method: string, route: string, status: number): void;
}

/** How a step belongs to others. */
export interface StepOptions {
  /** What it works for, where that is not the active span: it belongs to the first, and the others refer to it. */
  workFor?: readonly Span[];
  /** It calls another server. */
  isCall?: boolean;
  /** It begins a trace of its own where it belongs to none. */
  mayBegin?: boolean;
}

/** What a read asked of the database, and how long it took in milliseconds. */
export interface TracedRead {
  sql: string;
  tookMs: number;
}

/**
 * Traces of what happens to a request, on its way through the modules. They are off unless OTEL_EXPORTER_OTLP_ENDPOINT is
 * set, and then {@link NO_TRACING} costs a call. None knows OpenTelemetry.
 */
export interface Tracing {
  readonly isOn: boolean;
  /** The span of a request, begun when it is first asked for; `startedAt` is a moment of `performance.now()`. */
  request(request: IncomingMessage, startedAt: number): RequestSpan | undefined;
  /** The span that the current work belongs to. */
  active(): Span | undefined;
  /** Runs work that belongs to a span. */
  inside<T>(span: Span | undefined, work: () => T): T;
  /** Runs work as a span of its own, and ends it with the work. A step that belongs to nothing is not traced. */
  step<T>(
    name: string,
    facts: SpanFacts,
    work: (span: Span | undefined) => Promise<T>,
    options?: StepOptions,
  ): Promise<T>;
  /** Begins a span below the active one, which the caller ends; undefined where there is none. */
  begin(name: string, facts: SpanFacts): Span | undefined;
  /** Notes a read that has just ended. */
  read(read: TracedRead, span: Span | undefined): void;
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>;
}

/** Nothing is traced. */
export const NO_TRACING: Tracing = {
  isOn: false,
  request: () => undefined,
  active: () => undefined,
  inside: (_span, work) => work(),
  step: (_name, _facts, work) => work(undefined),
  begin: () => undefined,
  read: () => undefined,
  stop: async () => undefined,
};
