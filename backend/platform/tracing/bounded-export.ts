import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { ObserveSpans } from '#backend/platform/metrics/observers.ts';

/** Spans that wait to be sent, those on their way included. Beyond it they are dropped, and counted. */
export const MAX_WAITING_SPANS = 8_192;

/** Spans of one request to the collector, and how long they are collected, in milliseconds. */
const BATCH_SPANS = 512;
const BATCH_MS = 1_000;

/** A collector that dribbles its answer is given up as well, in milliseconds. */
const GIVE_UP_MS = 15_000;

/** OpenTelemetry's code of an export that succeeded. */
const SUCCESS = 0;

/**
 * Hands spans to an exporter in batches, beside everything else: whoever ends a span never waits. What an exporter cannot
 * take in time is dropped; each span is counted once, as sent, failed or dropped.
 *
 * @param onFailure receives the error of the first batch that fails after one that did not.
 */
export function boundedExport(
  exporter: SpanExporter,
  observe: ObserveSpans,
  onFailure: (error: unknown) => void,
): SpanProcessor {
  let waiting = 0;
  let isFailing = false;
  const counting: SpanExporter = {
    export(spans, report) {
      let isReported = false;
      const settle = (error: unknown, isSent: boolean): void => {
        if (isReported) return;
        isReported = true;
        clearTimeout(timer);
        waiting -= spans.length;
        observe(isSent ? 'sent' : 'failed', spans.length);
        if (!isSent && !isFailing) onFailure(error);
        isFailing = !isSent;
      };
      const timer = setTimeout(() => {
        const error = new Error('The collector did not answer in time.');
        settle(error, false);
        report({ code: SUCCESS + 1, error });
      }, GIVE_UP_MS).unref();
      exporter.export(spans, (result) => {
        settle(result.error, result.code === SUCCESS);
        report(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    // Never reached: what waits is bounded here, where it is counted.
    maxQueueSize: MAX_WAITING_SPANS,
    maxExportBatchSize: BATCH_SPANS,
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: 2 * GIVE_UP_MS,
  });
  return {
    onStart: () => undefined,
    onEnd(span) {
      if (waiting >= MAX_WAITING_SPANS) return observe('dropped', 1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
