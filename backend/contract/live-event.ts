import * as z from 'zod/mini';
import { alertSchema, snoozedUntilSchema, workStatusSchema } from './alert.ts';

/** Which lists a change of many alerts concerns: the inbox, the owner's queue or folders, every alert, the snoozed. */
export const changedListSchema = z.enum(['inbox', 'mine', 'folder', 'all', 'snoozed']);
export type ChangedList = z.infer<typeof changedListSchema>;

/** What became of the alerts of one batch. */
const alertsChangeSchema = z.enum(['accepted', 'unaccepted', 'updated', 'deleted', 'snoozed', 'woken']);

/**
 * Why an alert changed by its sender's report, or by itself: `escalated`, `notify_again` and `woken` (its snooze ended)
 * notify people as a new alert does, `resolved` notifies its owner, the others nobody.
 */
export const updateReasonSchema = z.enum([
  'repeated',
  'escalated',
  'notify_again',
  'acknowledged',
  'resolved',
  'reopened',
  'woken',
]);
export type UpdateReason = z.infer<typeof updateReasonSchema>;

/** Reasons that notify people as a new alert does: of an owned alert its owner, else everybody. */
export const NOTIFYING_REASONS: ReadonlySet<UpdateReason | undefined> = new Set<UpdateReason>([
  'escalated',
  'notify_again',
  'woken',
]);

/** What a member is notified of personally: a colleague mentioned them in a note. */
export const memberNoticeSchema = z.object({
  kind: z.enum(['mentioned']),
  alertId: z.string(),
  /** The alert's headline, or its type; null when it has neither. */
  alertTitle: z.nullable(z.string()),
  byName: z.string(),
  /** The beginning of the note. */
  text: z.string(),
});
export type MemberNotice = z.infer<typeof memberNoticeSchema>;

/**
 * What the server sends a live client over `/ws`. A client that connects to `/ws?batch=1`
 * gets an array of these per frame, any other one event per frame. An event is sent only after its change is committed.
 */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), version: z.string(), inboxCount: z.int().check(z.nonnegative()) }),
  // `quiet`: nobody is to be notified, as of an alert that a replay made.
  z.object({ type: z.literal('new_alert'), alert: alertSchema, quiet: z.optional(z.boolean()) }),
  z.object({
    type: z.literal('alert_accepted'),
    alertId: z.string(),
    ownerId: z.string(),
    ownerName: z.string(),
  }),
  z.object({ type: z.literal('alert_unaccepted'), alert: alertSchema }),
  // To the owner and to those who see everything, of an alert without an owner to everybody. `reason` when its sender did it.
  z.object({ type: z.literal('alert_updated'), alert: alertSchema, reason: z.optional(updateReasonSchema) }),
  z.object({ type: z.literal('alert_deleted'), alertId: z.string() }),
  // One batch of a change of many alerts. `accepted`, `unaccepted` and `deleted` go to everybody; `updated` (another
  // status or folder), `snoozed` and `woken` (by a person) to the owner and to those who see everything, of alerts of the
  // inbox to everybody. `folderId` is where the alerts are filed now (null: nowhere); status and folder stay as they are
  // when they are absent.
  z.object({
    type: z.literal('alerts_changed'),
    change: alertsChangeSchema,
    alertIds: z.array(z.string()),
    ownerId: z.nullable(z.string()),
    ownerName: z.nullable(z.string()),
    status: z.optional(workStatusSchema),
    folderId: z.optional(z.nullable(z.string())),
    snoozedUntil: z.optional(snoozedUntilSchema),
  }),
  // Many alerts of one owner changed at once: fetch these lists again. To the owner and to those who see everything, or
  // without an owner to everybody.
  z.object({ type: z.literal('lists_changed'), lists: z.array(changedListSchema), ownerId: z.nullable(z.string()) }),
  // To those who see the alert: a note on it was written, edited or deleted.
  z.object({ type: z.literal('notes_changed'), alertId: z.string() }),
  // To the member alone, once: a colleague wants their attention.
  z.object({ type: z.literal('member_notified'), notice: memberNoticeSchema }),
  // To the member alone: their mutes, quiet hours, pause or sounds are others now, here or in another window.
  z.object({ type: z.literal('notification_settings_changed') }),
  // To the member alone: a folder of theirs was made or deleted, here or in another window.
  z.object({ type: z.literal('folders_changed') }),
  // To administrators, once a second at most for each source: it changed, or its delivery log did; null: unknown keys.
  z.object({ type: z.literal('source_changed'), sourceId: z.nullable(z.string()) }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** One batch of a change of many alerts. */
export type AlertsChanged = Extract<LiveEvent, { type: 'alerts_changed' }>;

/**
 * What a client may send to be sure that the connection still stands: pages cannot see the pings of the WebSocket
 * protocol. The answer is a message `pong`. Who never sends it never gets one.
 */
export const LIVE_PING = JSON.stringify({ type: 'ping' });
export const livePongSchema = z.object({ type: z.literal('pong') });

/** One frame of a batched connection. */
export const liveFrameSchema = z.array(z.discriminatedUnion('type', [...liveEventSchema.def.options, livePongSchema]));

/** Close codes that a client should know: the session ended; the client could not keep up. */
export const CLOSE_SESSION_ENDED = 4401;
export const CLOSE_TOO_SLOW = 1013;

/** Delay before a client connects again, in milliseconds. */
export const RECONNECT_DELAY_MS = 3000;

/**
 * Up to so much is added to that at random, in milliseconds, where many clients lost their connection at the same moment
 * and would all come back at the next.
 */
export const RECONNECT_JITTER_MS = 1000;

/** When a connection was silent for so long, our client sends a ping, in milliseconds. */
export const PING_AFTER_MS = 15_000;

/** A connection is lost when a ping, or the attempt to open it, has had no answer for so long, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 8_000;
