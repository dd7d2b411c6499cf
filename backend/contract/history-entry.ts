import * as z from 'zod/mini';
import { alertStatusSchema } from './alert.ts';

/** What can happen to an alert. */
export const historyActionSchema = z.enum([
  'received',
  'accepted',
  'unaccepted',
  'status_change',
  'move_folder',
  'deleted',
]);
export type HistoryAction = z.infer<typeof historyActionSchema>;

/**
 * One entry of an alert's history. Names are as they were at the time; `userDisplayName` of
 * `received` is the API key's name.
 */
export const historyEntrySchema = z.object({
  id: z.string(),
  action: historyActionSchema,
  previousStatus: z.optional(alertStatusSchema),
  newStatus: z.optional(alertStatusSchema),
  previousFolderName: z.optional(z.string()),
  newFolderName: z.optional(z.string()),
  userDisplayName: z.string(),
  createdAt: z.iso.datetime(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** Answer of `GET /api/alerts/{id}/history`, newest first. */
export const historySchema = z.array(historyEntrySchema);
