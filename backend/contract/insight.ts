import * as z from 'zod/mini';
import { alertSeveritySchema } from './alert.ts';
import { searchSchema } from './alert-query.ts';

/** Days that one answer covers at most. */
export const MAX_INSIGHT_DAYS = 366;

/** Rows of each list of names. */
export const MAX_INSIGHT_NAMES = 100;

/** A day of the calendar, `2026-11-21`. */
const dateSchema = z.iso.date();

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days from one date to another, both included. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The date so many days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

const nameSchema = z.optional(z.string().check(z.minLength(1), z.maxLength(200)));

/**
 * Query of `GET /api/insight`: the days `from` to `to`, both included, by the calendar of `timeZone` (IANA, else UTC), and
 * which alerts. `personId` takes the caller's own id, from administrators anybody's.
 */
export const insightQuerySchema = z
  .object({
    from: dateSchema,
    to: dateSchema,
    timeZone: searchSchema.timeZone,
    customer: nameSchema,
    alertType: nameSchema,
    sourceId: z.optional(z.uuid()),
    personId: z.optional(z.uuid()),
  })
  .check(
    z.refine(({ from, to }) => daysBetween(from, to) >= 1, { path: ['to'], message: 'It is before the first day' }),
    z.refine(({ from, to }) => daysBetween(from, to) <= MAX_INSIGHT_DAYS, {
      path: ['to'],
      message: `It is more than ${MAX_INSIGHT_DAYS} days after the first`,
    }),
  );
export type InsightQuery = z.infer<typeof insightQuerySchema>;

/**
 * How long something took, of so many alerts: exact values in milliseconds, each that of an alert (nearest rank); null of
 * no alerts.
 */
export const insightTimesSchema = z.object({
  alerts: z.int(),
  median: z.nullable(z.int()),
  ninetieth: z.nullable(z.int()),
});
export type InsightTimes = z.infer<typeof insightTimesSchema>;

/** How often problems of alerts began to flap. A server of an earlier release, which counts none, answers without it. */
const flappedSchema = z._default(z.int(), 0);

/** Alerts that arrived in a time, and what became of them by now. */
export const insightTotalsSchema = z.object({
  arrived: z.int(),
  /** Resolved by their sender before anybody accepted them. */
  resolvedFirst: z.int(),
  /** Deliveries of their problems after the first, while they were open. */
  repeats: z.int(),
  flapped: flappedSchema,
  /** Those of them that a maintenance window kept quiet. */
  suppressed: z.int(),
  /** From arrival to the acceptance that holds. */
  accept: insightTimesSchema,
  /** From arrival to completion by a member. */
  complete: insightTimesSchema,
});
export type InsightTotals = z.infer<typeof insightTotalsSchema>;

/** What arrived on one day, and how long that took. */
export const insightDaySchema = z.object({
  date: dateSchema,
  critical: z.int(),
  high: z.int(),
  warning: z.int(),
  /** Low, info and none. */
  others: z.int(),
  accept: insightTimesSchema,
  complete: insightTimesSchema,
});
export type InsightDay = z.infer<typeof insightDaySchema>;

/**
 * What arrived of one customer, type or source, belongs to one person, was kept quiet by one maintenance window, or was sent by
 * one rule.
 */
export const insightNameSchema = z.object({
  /** By what a list is filtered; null for alerts without such a name. */
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  /** Of a source or rule that was deleted; a source's name is that of its newest alert, null where none is known. */
  isDeleted: z.optional(z.boolean()),
  /** A rule that judges alerts as they arrive; absent for outgoing rules. */
  isOnArrival: z.optional(z.boolean()),
  arrived: z.int(),
  repeats: z.int(),
  flapped: flappedSchema,
  suppressed: z.int(),
  accept: insightTimesSchema,
  complete: insightTimesSchema,
});
export type InsightName = z.infer<typeof insightNameSchema>;

/** What alerts are filtered by. */
export const INSIGHT_GROUPS = ['customer', 'alertType', 'source', 'person'] as const;
export type InsightGroup = (typeof INSIGHT_GROUPS)[number];

/**
 * What the lists of names group alerts by. A maintenance window has the name that it had then as its id, and an alert belongs to
 * the window that kept it quiet last. An alert belongs to every outgoing rule that sent it, or began a ladder
 * of it, and to every rule that was applied to it as it arrived.
 */
export const LISTED_GROUPS = [...INSIGHT_GROUPS, 'window', 'rule'] as const;
export type ListedGroup = (typeof LISTED_GROUPS)[number];

/** Problems that an answer lists. */
export const MAX_INSIGHT_PROBLEMS = 10;

/**
 * A problem that was delivered often: alerts of one source with the same dedup key, else with the same type, customer and
 * headline. Names are those of its newest alert.
 */
export const insightProblemSchema = z.object({
  /** The newest alert; absent where the caller may not see it, or it is deleted. */
  alertId: z.optional(z.string()),
  /** Its headline; null where the caller may not see it, or it is deleted. */
  title: z.nullable(z.string()),
  /** The newest alert was deleted. */
  isDeleted: z.optional(z.boolean()),
  severity: alertSeveritySchema,
  customer: z.nullable(z.string()),
  alertType: z.nullable(z.string()),
  sourceId: z.nullable(z.string()),
  /** Null where the source is not known; of one that was deleted, the name in its newest alert. */
  source: z.nullable(z.string()),
  isSourceDeleted: z.optional(z.boolean()),
  /** Alerts, and deliveries: each alert's first, and its repeats. */
  arrived: z.int(),
  deliveries: z.int(),
  flapped: flappedSchema,
  suppressed: z.int(),
  accept: insightTimesSchema,
  complete: insightTimesSchema,
});
export type InsightProblem = z.infer<typeof insightProblemSchema>;

const namesSchema = z.array(insightNameSchema).check(z.maxLength(MAX_INSIGHT_NAMES));

/** Answer of `GET /api/insight`. */
export const insightSchema = z.object({
  from: dateSchema,
  to: dateSchema,
  timeZone: z.string(),
  /** False while alerts from before an update are still being counted. */
  isComplete: z.boolean(),
  totals: insightTotalsSchema,
  /** As many days before `from`. */
  before: insightTotalsSchema,
  days: z.array(insightDaySchema),
  /** Hours of the week by the clocks of the time zone, from Monday 00:00: what arrived, and how many such hours have passed. */
  week: z.object({ arrived: z.array(z.int()), hours: z.array(z.number()) }),
  /** Those with the most arrivals first. `person` has the caller alone, unless they are an administrator. */
  groups: z.object({
    customer: namesSchema,
    alertType: namesSchema,
    source: namesSchema,
    person: namesSchema,
    window: namesSchema,
    rule: namesSchema,
  }),
  /** The problems with the most deliveries, most first. */
  problems: z.array(insightProblemSchema).check(z.maxLength(MAX_INSIGHT_PROBLEMS)),
});
export type Insight = z.infer<typeof insightSchema>;
