import * as z from 'zod/mini';

/** Answer of `GET /api/alerts/stats`: the number of alerts, in all and for each status. */
export const alertStatsSchema = z.object({
  total: z.int().check(z.nonnegative()),
  pending: z.int().check(z.nonnegative()),
  accepted: z.int().check(z.nonnegative()),
  'in-progress': z.int().check(z.nonnegative()),
  completed: z.int().check(z.nonnegative()),
});
export type AlertStats = z.infer<typeof alertStatsSchema>;

/** Answer of `GET /api/alerts/snoozed/counts`: what is snoozed of the inbox, and of the member's own. */
export const snoozedCountsSchema = z.object({
  inbox: z.int().check(z.nonnegative()),
  own: z.int().check(z.nonnegative()),
});
export type SnoozedCounts = z.infer<typeof snoozedCountsSchema>;

const since = { since: z.iso.datetime() };

/** Query of `GET /api/alerts/progress`: which list, `folderId` with `list=folder` only; `since` is where the caller's day begins. */
export const queueProgressQuerySchema = z.discriminatedUnion('list', [
  z.object({ list: z.literal('mine'), ...since }),
  z.object({ list: z.literal('folder'), folderId: z.uuid(), ...since }),
]);
export type QueueProgressQuery = z.infer<typeof queueProgressQuerySchema>;

const count = z.int().check(z.nonnegative());

/**
 * Answer of `GET /api/alerts/progress`: how many alerts of My Alerts or of a folder have which status, how many of them were
 * completed since the moment named, and when the first of those that are completed was. `ownCompletedSince` counts in all lists of
 * the member.
 */
export const queueProgressSchema = z.object({
  accepted: count,
  'in-progress': count,
  completed: count,
  completedSince: count,
  ownCompletedSince: count,
  /** Absent where none is completed, or older versions completed them all. */
  oldestCompletedAt: z.optional(z.iso.datetime()),
});
export type QueueProgress = z.infer<typeof queueProgressSchema>;
