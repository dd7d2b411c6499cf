import * as z from 'zod/mini';
import { alertSeveritySchema, alertStatusSchema, snoozedUntilSchema } from './alert.ts';

/** What can happen to an alert: by people, and by its sender (`repeated` to `severity_change`). */
export const historyActionSchema = z.enum([
  'received',
  'test_received',
  'accepted',
  'unaccepted',
  'status_change',
  'move_folder',
  'deleted',
  'repeated',
  'acknowledged',
  'unacknowledged',
  'amended',
  'resolved',
  'reopened',
  'severity_change',
  'note_added',
  'note_edited',
  'note_deleted',
  'snoozed',
  'woken',
  'assigned',
  'handed_over',
  'returned',
  'kept_quiet',
  'rule_applied',
  'ungrouped',
  'regrouped',
  'flapping',
  'calmed',
]);
export type HistoryAction = z.infer<typeof historyActionSchema>;

/**
 * One entry of an alert's history. Names are as they were at the time; `userDisplayName` of
 * `received`, of `test_received` (of an alert that is a test), and of what its sender reports, is the source's name.
 * `repeated` counts the repeats of an hour in `occurrences`. `amended` is a change of what its sender said of it, such as its tags.
 * `resolved` has a `newStatus` when the alert was completed with it, and `unreportedMinutes` when the server ended a problem that
 * its sender had not reported for so long. `snoozed` says until when.
 * `assigned` and `handed_over` name whose
 * it became in `assigneeName`, the latter with its `note`. `returned` is what the server put back into the inbox:
 * `userDisplayName` is whose it was, and `untouchedHours` for how long they had left it; without, their account is disabled.
 * `ungrouped` was taken out of its group, `regrouped` put into one.
 * `flapping` is written when its problem begins to open and close again and again, and `calmed` when that has ended.
 * `kept_quiet` is written when a maintenance window ends, or is not about the alert any more; its name is in
 * `userDisplayName`.
 * `rule_applied` is a rule that an administrator made, whose name is in `userDisplayName`; its `note` says what it did.
 */
export const historyEntrySchema = z.object({
  id: z.string(),
  action: historyActionSchema,
  previousStatus: z.optional(alertStatusSchema),
  newStatus: z.optional(alertStatusSchema),
  previousFolderName: z.optional(z.string()),
  newFolderName: z.optional(z.string()),
  previousSeverity: z.optional(alertSeveritySchema),
  newSeverity: z.optional(alertSeveritySchema),
  occurrences: z.optional(z.int()),
  snoozedUntil: z.optional(snoozedUntilSchema),
  assigneeName: z.optional(z.string()),
  note: z.optional(z.string()),
  untouchedHours: z.optional(z.int()),
  unreportedMinutes: z.optional(z.int()),
  userDisplayName: z.string(),
  createdAt: z.iso.datetime(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** Answer of `GET /api/alerts/{id}/history`, newest first. */
export const historySchema = z.array(historyEntrySchema);
