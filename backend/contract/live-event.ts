import { z } from 'zod';
import { alertSchema } from './alert.ts';

/** Which lists a change of many alerts concerns: the inbox, the owner's queue or folders, every alert. */
export const changedListSchema = z.enum(['inbox', 'mine', 'folder', 'all']);
export type ChangedList = z.infer<typeof changedListSchema>;

/**
 * What the server tells a live client over `/ws` (contract.md section 5). A client that connects to `/ws?batch=1`
 * gets an array of these per frame, any other one event per frame. An event is sent only after its change is committed.
 */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.string(), inboxCount: z.int().nonnegative() }),
  z.object({ type: z.literal('new_alert'), alert: alertSchema }),
  z.object({
    type: z.literal('alert_accepted'),
    alertId: z.string(),
    ownerId: z.string(),
    ownerName: z.string(),
  }),
  z.object({ type: z.literal('alert_unaccepted'), alert: alertSchema }),
  z.object({ type: z.literal('alert_updated'), alert: alertSchema }),
  z.object({ type: z.literal('alert_deleted'), alertId: z.string() }),
  // Many alerts of one owner changed at once, to the owner and to those who see everything: fetch these lists again.
  z.object({ type: z.literal('lists_changed'), lists: changedListSchema.array(), ownerId: z.string() }),
  // To the member alone: their mutes, quiet hours, pause or sounds are others now, here or in another window.
  z.object({ type: z.literal('notification_settings_changed') }),
  // To the member alone: a folder of theirs was made or deleted, here or in another window.
  z.object({ type: z.literal('folders_changed') }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** One frame of a batched connection. */
export const liveFrameSchema = z.array(liveEventSchema);

/** Close codes that a client should know (contract.md section 5): the session ended; the client could not keep up. */
export const CLOSE_SESSION_ENDED = 4401;
export const CLOSE_TOO_SLOW = 1013;

/** How long a client waits before it connects again, in milliseconds (spec.md section 9). */
export const RECONNECT_DELAY_MS = 3000;
