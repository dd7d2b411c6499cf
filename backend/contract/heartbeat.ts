import * as z from 'zod/mini';
import { alertSeveritySchema } from './alert.ts';
import { nameSchema } from './name.ts';
import { timeZoneSchema } from './notification-settings.ts';

/** Heartbeats that an installation has at most, and beats of each that are kept. */
export const MAX_HEARTBEATS = 10_000;
export const BEATS_KEPT = 100;

/** How often a heartbeat may be expected, and its grace, in seconds. */
export const MIN_INTERVAL_SECONDS = 30;
export const MAX_INTERVAL_SECONDS = 366 * 24 * 60 * 60;
export const MIN_GRACE_SECONDS = 10;
export const MAX_GRACE_SECONDS = 31 * 24 * 60 * 60;

/** Path before the secret of an address that is called. */
export const PING_PATH = '/ping';

/** Bytes of the body of a call that are kept, the last ones. */
export const PING_BODY_BYTES = 4_000;

/** Heartbeats that one answer lists at most. */
export const MAX_LISTED_HEARTBEATS = 100;

/** When calls are expected: every so many seconds after the last one, or by a cron expression of five fields in a time zone. */
export const heartbeatScheduleSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('interval'),
    everySeconds: z.int().check(z.minimum(MIN_INTERVAL_SECONDS), z.maximum(MAX_INTERVAL_SECONDS)),
  }),
  z.object({
    kind: z.literal('cron'),
    expression: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    timeZone: timeZoneSchema,
  }),
]);
export type HeartbeatSchedule = z.infer<typeof heartbeatScheduleSchema>;

/** The severities that the alert of a heartbeat may have. */
export const heartbeatSeveritySchema = z.enum(['critical', 'high', 'warning', 'low', 'info']);
export type HeartbeatSeverity = z.infer<typeof heartbeatSeveritySchema>;

/** What of a heartbeat administrators decide. */
const heartbeatFields = {
  name: nameSchema,
  customer: z.nullable(
    z.string().check(
      z.trim(),
      z.minLength(1),
      z.maxLength(200),
      z.overwrite((value) => value.toWellFormed()),
    ),
  ),
  schedule: heartbeatScheduleSchema,
  /** How much later a call may come, and how long a run may last, in seconds. */
  graceSeconds: z.int().check(z.minimum(MIN_GRACE_SECONDS), z.maximum(MAX_GRACE_SECONDS)),
  severity: heartbeatSeveritySchema,
  /** The source of the type Opsgenie whose key may ping it by its name; null for none. */
  sourceId: z.nullable(z.uuid()),
};

/** Body of `POST /api/heartbeats`. */
export const newHeartbeatSchema = z.object({
  ...heartbeatFields,
  customer: z._default(heartbeatFields.customer, null),
  severity: z._default(heartbeatSeveritySchema, 'high'),
  sourceId: z._default(heartbeatFields.sourceId, null),
});
export type NewHeartbeat = z.infer<typeof newHeartbeatSchema>;

/** Body of `PATCH /api/heartbeats/{id}`: what is absent stays. */
export const heartbeatChangeSchema = z.partial(z.object({ ...heartbeatFields, isPaused: z.boolean() }));
export type HeartbeatChange = z.infer<typeof heartbeatChangeSchema>;

/**
 * `missing`: no call came in time, or a run did not finish. `late`: it is past its time, and the grace is not over. `failed`: the
 * last call said so. `running`: a run has started. `new`: it was never called.
 */
export const heartbeatStateSchema = z.enum(['missing', 'late', 'failed', 'running', 'ok', 'paused', 'new']);
export type HeartbeatState = z.infer<typeof heartbeatStateSchema>;

/** `unjudged`: it was due while no server ran. `overrun`: a run did not finish within the grace. */
export const beatKindSchema = z.enum(['ok', 'late', 'failed', 'missing', 'overrun', 'unjudged']);
export type BeatKind = z.infer<typeof beatKindSchema>;

/** One of the last beats of a heartbeat. */
export const beatSchema = z.object({
  /** Counts the beats of its heartbeat. */
  number: z.int(),
  at: z.iso.datetime(),
  kind: beatKindSchema,
  /** How long the run took that it ended, in milliseconds; absent where no start was reported. */
  durationMs: z.optional(z.number()),
  exitCode: z.optional(z.int()),
  /** The last line of what was sent along; absent where nothing was. */
  line: z.optional(z.string()),
});
export type Beat = z.infer<typeof beatSchema>;

/** A heartbeat as members read it. Its address is never in it. */
export const heartbeatSchema = z.object({
  id: z.string(),
  name: z.string(),
  customer: z.nullable(z.string()),
  schedule: heartbeatScheduleSchema,
  graceSeconds: z.int(),
  severity: heartbeatSeveritySchema,
  sourceId: z.nullable(z.string()),
  state: heartbeatStateSchema,
  /** Since when it is missing, failed, running or paused; of a late one when it was due; null of others. */
  since: z.nullable(z.iso.datetime()),
  /** When the next call is expected; null while none is. */
  dueAt: z.nullable(z.iso.datetime()),
  /** When it is missing unless it is called; null while none is expected. */
  judgedAt: z.nullable(z.iso.datetime()),
  lastBeatAt: z.nullable(z.iso.datetime()),
  /** The median of the last runs, in milliseconds; null where none was measured. */
  usualMs: z.nullable(z.number()),
  pausedBy: z.nullable(z.string()),
  /** The alert of its last miss or failure while it is open; null else. */
  alert: z.nullable(z.object({ id: z.string(), severity: z.nullable(alertSeveritySchema) })),
  /** The last four characters of its address. */
  addressHint: z.string(),
  /** The last beats, the oldest first. */
  beats: z.array(beatSchema),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
  version: z.int(),
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** A time in which no server ran, until somebody closes it. */
export const downtimeSchema = z.object({
  id: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Heartbeats that were due then. */
  heartbeats: z.int(),
  /** Of these, those that are missing now, and those that were not called since and are judged later. */
  missing: z.int(),
  waiting: z.int(),
});
export type Downtime = z.infer<typeof downtimeSchema>;

/**
 * Query of `GET /api/heartbeats`: those in whose name or customer `q` stands, in one `state`, or those with these `ids` alone,
 * separated by commas.
 */
export const heartbeatsQuerySchema = z.object({
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  state: z.optional(heartbeatStateSchema),
  ids: z.optional(z.string().check(z.regex(/^[\da-f-]{36}(,[\da-f-]{36}){0,99}$/))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_LISTED_HEARTBEATS)), 50),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_HEARTBEATS)), 0),
});
export type HeartbeatsQuery = z.infer<typeof heartbeatsQuerySchema>;

/** Answer of `GET /api/heartbeats`: by state, then by name. */
export const heartbeatListSchema = z.object({
  heartbeats: z.array(heartbeatSchema),
  /** How many match. */
  total: z.int(),
  /** How many of all there are in each state. */
  counts: z.object({
    missing: z.int(),
    late: z.int(),
    failed: z.int(),
    running: z.int(),
    ok: z.int(),
    paused: z.int(),
    new: z.int(),
  }),
  downtimes: z.array(downtimeSchema),
});
export type HeartbeatList = z.infer<typeof heartbeatListSchema>;

/** A heartbeat with its address, which is shown this once. */
export const heartbeatWithAddressSchema = z.object({
  heartbeat: heartbeatSchema,
  /** Path of the address that is called; whoever has it can call it. */
  path: z.string(),
});
export type HeartbeatWithAddress = z.infer<typeof heartbeatWithAddressSchema>;

export const heartbeatIdParamsSchema = z.object({ id: z.uuid() });
export const beatParamsSchema = z.object({
  id: z.uuid(),
  number: z.coerce.number().check(z.int(), z.minimum(1)),
});

/** Answer of `GET /api/heartbeats/{id}/beats/{number}`: what was sent along, the last 4,000 bytes; null where nothing was. */
export const beatLogSchema = z.object({ log: z.nullable(z.string()) });
export type BeatLog = z.infer<typeof beatLogSchema>;

/** Query of `GET /api/heartbeat-times`: a schedule as it is written, saved or not. */
export const heartbeatTimesQuerySchema = z.object({
  everySeconds: z.optional(
    z.coerce.number().check(z.int(), z.minimum(MIN_INTERVAL_SECONDS), z.maximum(MAX_INTERVAL_SECONDS)),
  ),
  expression: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))),
  timeZone: z.optional(timeZoneSchema),
});

/** Answer of `GET /api/heartbeat-times`: the next times, or what is wrong with the expression. */
export const heartbeatTimesSchema = z.object({
  times: z.array(z.iso.datetime()),
  fault: z.nullable(z.string()),
});
export type HeartbeatTimes = z.infer<typeof heartbeatTimesSchema>;

/** How many seconds a unit of spans has. */
export const UNIT_SECONDS = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;

/** A span in its largest whole unit. */
export function spanOf(seconds: number): [count: number, unit: keyof typeof UNIT_SECONDS] {
  if (seconds % UNIT_SECONDS.d === 0) return [seconds / UNIT_SECONDS.d, 'd'];
  if (seconds % UNIT_SECONDS.h === 0) return [seconds / UNIT_SECONDS.h, 'h'];
  return seconds % UNIT_SECONDS.min === 0 ? [seconds / UNIT_SECONDS.min, 'min'] : [seconds, 's'];
}

/** A span in whole units, so that nothing is rounded: "90 s", "15 min", "6 h". */
export const spanText = (seconds: number): string => spanOf(seconds).join(' ');
