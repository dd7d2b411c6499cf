import * as z from 'zod/mini';
import { alertSeveritySchema } from './alert.ts';

/** The page that shows the wallboard; its token follows behind `#`, which browsers send to no server. */
export const WALLBOARD_PATH = '/wallboard';

/** Severities that have a figure of their own, the most severe first. */
export const WALLBOARD_SEVERITIES = ['critical', 'high', 'warning'] as const;

/** Alerts that are listed at most. */
export const WALLBOARD_ROWS = 5;

/** Hours whose arrivals are shown. */
export const WALLBOARD_HOURS = 24;

const count = z.int();
const moment = z.iso.datetime();

/** Alerts of one severity that wait in the inbox, without those that maintenance windows keep quiet. */
const waitingSchema = z.object({
  severity: z.enum(WALLBOARD_SEVERITIES),
  alerts: count,
  /** When the oldest of them arrived; null where there are none. */
  oldestAt: z.nullable(moment),
  /** Those of them of which a ladder is running. */
  onLadder: count,
});

const rowSchema = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  severity: alertSeveritySchema,
  customer: z.nullable(z.string()),
  alertType: z.nullable(z.string()),
  arrivedAt: moment,
  /** Its problem opens and closes again and again; absent where it does not. */
  isFlapping: z.optional(z.literal(true)),
});
export type WallboardRow = z.infer<typeof rowSchema>;

/** Answer of `GET /api/wallboard`: what a team sees on a screen on the wall, as it is by now. */
export const wallboardSchema = z.object({
  /** By the server's clock. */
  at: moment,
  /** What the token is called, or the product where a person asks. */
  name: z.string(),
  /** Customers with most alerts in the inbox, and how many more there are. */
  customers: z.object({ names: z.array(z.string()), more: count }),
  waiting: z.array(waitingSchema),
  inProgress: z.object({ alerts: count, people: count }),
  /** What waits there, of every severity, most severe first, then oldest. */
  rows: z.array(rowSchema),
  /** Arrivals in hours of the clock (UTC), oldest first; the last has not ended. Null where they cannot be counted just now. */
  arrivals: z.nullable(
    z.object({
      hours: z.array(z.object({ startsAt: moment, alerts: count, critical: count })),
      /** The mean of a day of the week before. */
      usual: count,
    }),
  ),
  /** Who is on by the first calendar, by name, that somebody is on by; null where nobody is. */
  onNow: z.nullable(z.object({ calendar: z.string(), names: z.array(z.string()), until: moment })),
  /** Maintenance windows that are on, the first to end first. */
  windows: z.array(z.object({ name: z.string(), endsAt: moment, kept: count })),
  /** Heartbeats that are missing or failed and all that are not paused; the one that has been so longest, and since when. */
  heartbeats: z.object({ down: count, all: count, name: z.nullable(z.string()), since: z.nullable(moment) }),
  /** Sources that refuse their senders or are silent, and their names. */
  sources: z.object({ refusing: count, silent: count, names: z.array(z.string()) }),
});
export type Wallboard = z.infer<typeof wallboardSchema>;
