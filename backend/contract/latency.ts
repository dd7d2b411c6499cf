import * as z from 'zod/mini';

/** Of one page the server takes a report at most so often, in milliseconds. */
export const SHOWN_EVERY_MS = 15_000;

/** What took longer is not reported: a page that slept shows everything late. In milliseconds. */
export const SHOWN_MAX_MS = 60_000;

/**
 * What a page may send over its live connection: it has drawn this new alert. `afterMs` is its own part alone, half of a
 * measured round trip and the time from the event to the screen; the server adds its part, so that no two clocks are compared.
 * There is no answer.
 */
export const liveShownSchema = z.object({
  type: z.literal('shown'),
  alertId: z.string().check(z.maxLength(64)),
  afterMs: z.number().check(z.gte(0), z.lte(SHOWN_MAX_MS)),
});
export type LiveShown = z.infer<typeof liveShownSchema>;

/** Durations in milliseconds of so many samples; null of none. */
export const latencyFiguresSchema = z.object({
  samples: z.int(),
  medianMs: z.nullable(z.number()),
  p95Ms: z.nullable(z.number()),
  p99Ms: z.nullable(z.number()),
});
export type LatencyFigures = z.infer<typeof latencyFiguresSchema>;

/**
 * Answer of `GET /api/latency`: from webhooks that one server read to its live clients, in the last minutes; and, for
 * administrators, what of the set-up asks for attention.
 */
export const latencySchema = z.object({
  minutes: z.int(),
  /** Servers that share this database's events, each with figures of its own. */
  servers: z.int(),
  /** New alerts, until they were handed to the sockets of all live clients. */
  delivered: latencyFiguresSchema,
  /** New alerts that pages reported, until they were drawn. */
  shown: latencyFiguresSchema,
  /** Whether the key that seals secrets lies in the database that it seals; for administrators alone. */
  isKeyInDatabase: z.optional(z.boolean()),
});
export type Latency = z.infer<typeof latencySchema>;
