import * as z from 'zod/mini';
import { MAX_QUERY_LENGTH, alertSeveritySchema } from './alert.ts';
import { isTimeZone } from './search-times.ts';

/** Longest that one time of a window lasts, in minutes: 31 days. */
export const MAX_WINDOW_MINUTES = 31 * 24 * 60;

/** A window that lasts longer is to be confirmed, in minutes. */
export const LONG_WINDOW_MINUTES = 24 * 60;

/** Windows that an installation may have. */
export const MAX_WINDOWS = 200;

/** Occurrences of one answer. */
export const MAX_OCCURRENCES = 200;

/** An end by hand comes after so long, in milliseconds: until then it can be taken back. */
export const END_NOW_MS = 5_000;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));
const search = z.string().check(z.trim(), z.maxLength(MAX_QUERY_LENGTH));
const minutes = z.int().check(z.minimum(1), z.maximum(MAX_WINDOW_MINUTES));
const timeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, 'It is not the name of a time zone, such as Europe/Berlin'));
const rrule = z.nullable(z.string().check(z.trim(), z.toUpperCase(), z.minLength(1), z.maxLength(300)));

/**
 * When a window is on: from `startsAt` on for `minutes`, and again by `rrule` (RFC 5545: `FREQ=WEEKLY;BYDAY=SU`), whose hours
 * are those of `timeZone` (IANA). Null is once.
 */
export const windowScheduleSchema = z.object({ startsAt: z.iso.datetime(), minutes, timeZone, rrule });
export type WindowSchedule = z.infer<typeof windowScheduleSchema>;

/** What a window is: alerts that `search` finds are kept quiet; empty means all. */
export const windowDefinitionSchema = z.extend(windowScheduleSchema, { name, search });
export type WindowDefinition = z.infer<typeof windowDefinitionSchema>;

/**
 * The same as requests write it. With `now` a window starts by the clock of the server, whatever a device shows; then it can
 * have the moment at which it ends in place of `minutes`.
 */
const requestedTimes = {
  startsAt: z.union([z.literal('now'), windowScheduleSchema.shape.startsAt]),
  minutes: z.optional(minutes),
  endsAt: z.optional(z.iso.datetime()),
};

/** Body of `POST /api/maintenance/windows`. */
export const newWindowSchema = z.extend(windowDefinitionSchema, requestedTimes);
export type NewWindow = z.infer<typeof newWindowSchema>;

/** Body of `PATCH /api/maintenance/windows/{id}`; absent fields stay. A time that is on keeps what it began with. */
export const windowChangeSchema = z.partial(newWindowSchema);
export type WindowChange = z.infer<typeof windowChangeSchema>;

/** `ending`: its time is over, and what it kept quiet is coming back. */
export const occurrenceStateSchema = z.enum(['planned', 'on', 'ending', 'ended']);
export type OccurrenceState = z.infer<typeof occurrenceStateSchema>;

/** One time of a window: what it kept quiet, and what of that still fired at its end. */
export const occurrenceSchema = z.object({
  id: z.string(),
  /** Absent once the window is deleted. */
  windowId: z.optional(z.string()),
  name: z.string(),
  search: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  state: occurrenceStateSchema,
  /** Alerts that it kept quiet so far. */
  kept: z.int(),
  /** Those of them that were open when it ended, and not reported as resolved; 0 before. */
  stillFiring: z.int(),
  /** Who ended it before its time; absent otherwise. */
  endedBy: z.optional(z.string()),
  /** How long it was extended, in minutes; absent otherwise. */
  extendedMinutes: z.optional(z.int()),
});
export type Occurrence = z.infer<typeof occurrenceSchema>;
export const occurrenceListSchema = z.array(occurrenceSchema);

/** A maintenance window that has ended, and what is left of what it kept quiet. */
export const windowEndSchema = z.object({
  /** Of the time that has ended, and of its notification. */
  id: z.string(),
  name: z.string(),
  kept: z.int(),
  /** Of what is kept quiet no more. */
  stillFiring: z.int(),
  /** What another window keeps quiet from now on; absent where there is nothing of it. */
  movedOn: z.optional(z.int()),
  /** The worst of what still fires. */
  severity: alertSeveritySchema,
  /** When the server ended it; absent from a server of an earlier release. */
  endedAt: z.optional(z.iso.datetime()),
  /** Members whose alerts are among what still fires, for those who are notified of their own alone. */
  ownerIds: z._default(z.array(z.string()), []),
});
export type WindowEnd = z.infer<typeof windowEndSchema>;

/** One window as every member may read it. */
export const windowSchema = z.extend(windowDefinitionSchema, {
  id: z.string(),
  version: z.int(),
  createdBy: z.string(),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
  /** The time that is on, or the next; absent when all have passed. */
  current: z.optional(occurrenceSchema),
  /** Why it keeps less quiet than it says; absent when nothing is wrong with its search. */
  fault: z.optional(z.string()),
});
export type MaintenanceWindow = z.infer<typeof windowSchema>;
export const windowListSchema = z.array(windowSchema);

/** Query of `GET /api/maintenance/occurrences`: the times that were on between two moments, newest first, 200 at most. */
export const occurrenceQuerySchema = z.object({ from: z.optional(z.iso.datetime()), to: z.optional(z.iso.datetime()) });

/** Body of `POST /api/maintenance/occurrences/{id}/extend`. */
export const extensionSchema = z.object({ minutes: z.int().check(z.minimum(1), z.maximum(24 * 60)) });

/** Body of `POST /api/maintenance/preview`: a window that is being written; `windowId` where it is stored already. */
export const windowPreviewQuerySchema = z.extend(windowScheduleSchema, {
  ...requestedTimes,
  search,
  windowId: z.optional(z.uuid()),
});
export type WindowPreviewQuery = z.infer<typeof windowPreviewQuerySchema>;

const previewTimeSchema = z.object({
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** Names of other windows that are on meanwhile. */
  overlaps: z.array(z.string()),
});

/**
 * What a window would do: its next times, the first of them after clocks were set (`afterChange`), and what it would have
 * kept quiet at its last time before now (else in the same length of time up to now).
 */
export const windowPreviewSchema = z.object({
  times: z.array(previewTimeSchema),
  afterChange: z.optional(z.extend(previewTimeSchema, { isOnSummerTime: z.boolean() })),
  past: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    alerts: z.int(),
    /** Messages of rules and ladders about them. */
    notifications: z.int(),
    stillFiring: z.int(),
    /** False where there are more than were counted. */
    isComplete: z.boolean(),
    newest: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        severity: alertSeveritySchema,
        timestamp: z.iso.datetime(),
      }),
    ),
  }),
});
export type WindowPreview = z.infer<typeof windowPreviewSchema>;

/** Path parameter of the calls on one window or one time of it. */
export const maintenanceIdParamsSchema = z.object({ id: z.uuid() });
