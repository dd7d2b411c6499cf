import { z } from 'zod';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import type { ObserveSpans } from '#backend/platform/metrics/observers.ts';
import { NO_TRACING, type Tracing, type TracingConfig } from './tracing.ts';

const pairs = z
  .string()
  .refine((value) => value.split(',').every((pair) => /^\s*[!#$%&'*+.^_`|~\w-]+\s*=[\x20-\x7e]*$/.test(pair)))
  .transform((value) => Object.fromEntries(value.split(',').map(pairFrom)));

/** A name and its value, which is percent-encoded. */
function pairFrom(pair: string): [string, string] {
  const at = pair.indexOf('=');
  const value = pair.slice(at + 1).trim();
  return [pair.slice(0, at).trim(), decode(value)];
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const address = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
  .transform((value) => new URL(value));

/** The variables of OpenTelemetry's specification that are known, as the configuration reads them. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [address, 'an address that begins with https:// or http://', undefined],
  OTEL_EXPORTER_OTLP_PROTOCOL: [z.enum(['http/json']), 'http/json', 'http/json'],
  OTEL_EXPORTER_OTLP_HEADERS: [pairs, 'name=value, several separated by commas', undefined],
  OTEL_SERVICE_NAME: [z.string().max(100), 'at most 100 characters', 'alertdesk'],
  OTEL_TRACES_SAMPLER: [
    z
      .string()
      .transform((value) => value.replace(/^parentbased_/, ''))
      .pipe(z.enum(['always_on', 'always_off', 'traceidratio'])),
    'always_on, always_off or traceidratio',
    'always_on',
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    z
      .string()
      .regex(/^(?:0|0?\.\d+|1(?:\.0*)?)$/)
      .transform(Number),
    'a number from 0 to 1',
    '1',
  ],
} as const;

/**
 * Traces where the configuration says so; else their code is not even loaded.
 *
 * @param instance id of this server.
 * @param logger notes the first batch that could not be sent after one that could.
 */
export async function openTracing(
  config: TracingConfig | undefined,
  instance: string,
  observe: ObserveSpans,
  logger: { warn(details: object, message: string): void },
): Promise<Tracing> {
  if (!config) return NO_TRACING;
  const { traceByOpenTelemetry } = await import('./open-telemetry.ts');
  return traceByOpenTelemetry(config, { version: PRODUCT_VERSION, instance }, observe, (error) =>
    logger.warn({ err: error }, 'traces could not be sent; further attempts follow'),
  );
}
