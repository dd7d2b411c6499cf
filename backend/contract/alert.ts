import * as z from 'zod/mini';
import { flappingSchema } from './flapping.ts';

/** Workflow status of an alert. `pending` has no owner and is what the inbox shows. */
export const alertStatusSchema = z.enum(['pending', 'accepted', 'in-progress', 'completed']);
export type AlertStatus = z.infer<typeof alertStatusSchema>;

/** The statuses that an owner may set, from any to any. */
export const workStatusSchema = z.enum(['accepted', 'in-progress', 'completed']);
export type WorkStatus = z.infer<typeof workStatusSchema>;

/** How bad an alert is by its sender's words; `none` when it says nothing. */
export const alertSeveritySchema = z.enum(['critical', 'high', 'warning', 'low', 'info', 'none']);
export type AlertSeverity = z.infer<typeof alertSeveritySchema>;

/** Where the problem stands by its sender. `event` is what has no lifecycle, such as an order. */
export const alertStateSchema = z.enum(['firing', 'acknowledged', 'resolved', 'event']);
export type AlertState = z.infer<typeof alertStateSchema>;

/**
 * Groups of the order by severity, the most urgent first: of each severity what is firing or has no lifecycle, then what
 * its sender acknowledged; last what is resolved, whatever its severity. Each is newest first.
 */
export const alertUrgencySchema = z.enum([
  'critical',
  'critical-acknowledged',
  'high',
  'high-acknowledged',
  'warning',
  'warning-acknowledged',
  'low',
  'low-acknowledged',
  'info',
  'info-acknowledged',
  'none',
  'none-acknowledged',
  'resolved',
]);
export type AlertUrgency = z.infer<typeof alertUrgencySchema>;

/** The group of an alert in the order by severity. */
export const urgencyOf = ({ severity, state }: { severity: AlertSeverity; state: AlertState }): AlertUrgency => {
  if (state === 'resolved') return state;
  return state === 'acknowledged' ? `${severity}-acknowledged` : severity;
};

/** Until when an alert is snoozed: a time, or until its sender reports the problem as firing again. */
export const snoozedUntilSchema = z.union([z.iso.datetime(), z.literal('next-firing')]);
export type SnoozedUntil = z.infer<typeof snoozedUntilSchema>;

/** Longest time that an alert can be snoozed for, in minutes: 366 days. */
export const MAX_SNOOZE_MINUTES = 366 * 24 * 60;

/** How long an alert is to be snoozed: until a time or the next firing, or for so many minutes by the server's clock. */
export const snoozeSchema = z.union([
  z.object({ until: snoozedUntilSchema }),
  z.object({ minutes: z.int().check(z.minimum(1), z.maximum(MAX_SNOOZE_MINUTES)) }),
]);
export type Snooze = z.infer<typeof snoozeSchema>;

/** How an alert came to its owner by somebody else: from the inbox or by an administrator, or from its owner before. */
export const assignmentKindSchema = z.enum(['assigned', 'handed_over']);
export type AssignmentKind = z.infer<typeof assignmentKindSchema>;

/**
 * One alert as it crosses the wire.
 *
 * `payload` is the posted JSON object, its text put into answers exactly as received; `extraData` is what came with
 * it outside the body. `customer` and `alertType` are derived and `null` when the body names none. `timestamp` is the
 * moment of receipt, ISO 8601 UTC with milliseconds. `url` is a link from the body, else the request's path and query.
 *
 * `state` and `severity` are the sender's, `status` is people's. While the alert is open, a further delivery of the same
 * problem raises `occurrences` and `lastSeenAt`, and stands in `latestPayload`; `payload` stays the first.
 */
export const alertSchema = z.object({
  id: z.string(),
  /**
   * Grows by one with each change of the alert: of two answers about it, the one with the higher number is newer. An answer
   * of a server of an earlier release has none.
   */
  version: z._default(z.int().check(z.positive()), 1),
  payload: z.record(z.string(), z.unknown()),
  extraData: z.record(z.string(), z.unknown()),
  customer: z.nullable(z.string()),
  alertType: z.nullable(z.string()),
  timestamp: z.iso.datetime(),
  status: alertStatusSchema,
  ownerId: z.optional(z.string()),
  ownerName: z.optional(z.string()),
  url: z.string(),
  folderId: z.optional(z.string()),
  /** One line that a person acts on; null when the sender has none. */
  title: z.nullable(z.string()),
  severity: alertSeveritySchema,
  state: alertStateSchema,
  /** Deliveries of this problem while it was open, the first included. */
  occurrences: z.int().check(z.positive()),
  lastSeenAt: z.iso.datetime(),
  /** Since when the sender reports it resolved; absent while it does not. */
  resolvedAt: z.optional(z.iso.datetime()),
  /** When it was completed last; absent while it is not, and where an older version completed it. */
  completedAt: z.optional(z.iso.datetime()),
  /** Names the problem, unique within a source while it is open. */
  dedupKey: z.optional(z.string()),
  /** The source it came from; absent in alerts of older versions and in test alerts. */
  sourceId: z.optional(z.string()),
  sourceName: z.optional(z.string()),
  /** The sender it was recognised as. */
  sender: z.optional(z.string()),
  /** The sender's own grouping. */
  groupTitle: z.optional(z.string()),
  /** The newest payload, when it differs from the first. */
  latestPayload: z.optional(z.record(z.string(), z.unknown())),
  /** The earlier alert of the same problem. */
  previousAlertId: z.optional(z.string()),
  /** Until when it is out of the lists; absent while it is in them. */
  snoozedUntil: z.optional(snoozedUntilSchema),
  /** When it came back by itself last; absent once somebody has taken it or changed its status. */
  wokenAt: z.optional(z.iso.datetime()),
  /** Who gave it to its owner, until its owner changes something. */
  assignment: z.optional(z.object({ kind: assignmentKindSchema, byName: z.string() })),
  /** When people changed it last; absent when they have not, and once it is back in the inbox. */
  touchedAt: z.optional(z.iso.datetime()),
  /** Sent by the product as a test, or named a test by its sender; absent for all others. */
  isTest: z.optional(z.boolean()),
  /** The maintenance window that keeps it quiet, and the `id` of the time at which it is on; absent while none does. */
  quietBy: z.optional(z.object({ id: z.string(), name: z.string() })),
  /** The group that it is one card with; absent while it stands by itself. */
  groupId: z.optional(z.string()),
  /** What rules on what arrives have filed it under; absent where none has. */
  label: z.optional(z.string()),
  /** Its problem opens and closes again and again; absent while it does not, and once the alert is completed. */
  flapping: z.optional(flappingSchema),
  /** In answers to a search: the part of a note that contains what was looked for. */
  noteHit: z.optional(z.string()),
});
export type Alert = z.infer<typeof alertSchema>;

/**
 * Answer of `GET /api/alerts/{id}`: the alert, and the earlier alert of the same problem in short, where the caller may
 * see it.
 */
export const alertDetailsSchema = z.extend(alertSchema, {
  previousAlert: z.optional(
    z.object({
      id: z.string(),
      timestamp: z.iso.datetime(),
      title: z.nullable(z.string()),
      state: alertStateSchema,
      resolvedAt: z.optional(z.iso.datetime()),
    }),
  ),
});
export type AlertDetails = z.infer<typeof alertDetailsSchema>;

/** A page of an alert list, newest first. */
export const alertListSchema = z.array(alertSchema);

/**
 * Orders of a list: by status means accepted, in-progress, completed; by severity the highest first, in each the
 * acknowledged after the others, and the resolved last of all. Both are newest first among equals.
 */
export const alertSortSchema = z.enum(['newest', 'oldest', 'status', 'severity']);
export type AlertSort = z.infer<typeof alertSortSchema>;

/** Longest text that a list can be searched for. */
export const MAX_SEARCH_LENGTH = 200;

/** Longest search with words and keys. */
export const MAX_QUERY_LENGTH = 1_000;

const count = z.int().check(z.nonnegative());
/**
 * Answer of `GET /api/alerts/facets`: the distinct customers and types of a list, sorted; the severities that its alerts
 * have, highest first, and the sources that they came from, sorted by name, each with the number of its alerts, which
 * may be 0 where the query has a `completion`.
 * Of a deleted source (`isDeleted`) the name is that of its newest alert.
 * `isComplete` is false when the list has more customers, types or sources than are named here, and `incomplete` says of
 * which it has more; `q` finds the others.
 */
export const alertFacetsSchema = z.object({
  customers: z.array(z.string()),
  alertTypes: z.array(z.string()),
  severities: z.array(z.object({ severity: alertSeveritySchema, alerts: count })),
  sources: z.array(z.object({ id: z.string(), name: z.string(), alerts: count, isDeleted: z.optional(z.boolean()) })),
  isComplete: z.boolean(),
  incomplete: z.optional(z.array(z.enum(['customers', 'alertTypes', 'sources']))),
});
export type AlertFacets = z.infer<typeof alertFacetsSchema>;
