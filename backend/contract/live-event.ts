import * as z from 'zod/mini';
import { noticeLevelSchema } from './notification-settings.ts';
import { alertSchema, assignmentKindSchema, snoozedUntilSchema, workStatusSchema } from './alert.ts';

/** Which lists a change of many alerts concerns: the inbox, the owner's queue or folders, every alert, the snoozed. */
export const changedListSchema = z.enum(['inbox', 'mine', 'folder', 'all', 'snoozed']);
export type ChangedList = z.infer<typeof changedListSchema>;

/** What became of the alerts of one batch. */
const alertsChangeSchema = z.enum(['accepted', 'unaccepted', 'updated', 'assigned', 'deleted', 'snoozed', 'woken']);

/**
 * Why an alert changed by its sender's report, or by itself: `escalated`, `notify_again`, `woken` (its snooze ended) and
 * `flapping` (its problem begins to flap, which it does until `calmed`) notify people as a new alert does, `resolved` and `reopened` notify its owner, the others
 * nobody. `arrived`: it has come since the place from which a caller asks what changed (`GET /api/changes` alone says so), and
 * notifies as a new alert does.
 */
export const updateReasonSchema = z.enum([
  'repeated',
  'escalated',
  'notify_again',
  'acknowledged',
  'resolved',
  'reopened',
  'woken',
  'quiet_ended',
  'flapping',
  'calmed',
  'arrived',
]);
export type UpdateReason = z.infer<typeof updateReasonSchema>;

/** Reasons that notify people as a new alert does: of an owned alert its owner, else everybody. */
export const NOTIFYING_REASONS: ReadonlySet<UpdateReason | undefined> = new Set<UpdateReason>([
  'escalated',
  'notify_again',
  'woken',
  'flapping',
  'arrived',
]);

/**
 * Whether a report of a sender, or the end of a snooze, is news: of an owned alert to its owner, else to everybody. That a
 * problem is back is news to its owner alone: everybody else has been notified of it once.
 */
export const isNewsOf = (reason: UpdateReason | undefined, ownerId: string | null | undefined): boolean =>
  NOTIFYING_REASONS.has(reason) || (reason === 'reopened' && ownerId !== null && ownerId !== undefined);

/**
 * What a member is notified of personally: a colleague mentioned them in a note, gave them alerts from the inbox or of
 * somebody else (`assigned`) or their own (`handed_over`), or gave theirs to somebody (`reassigned`, to `toName`); or a ladder
 * asks them to take an alert that nobody has taken (`called`, `byName` is the rule's name).
 */
export const memberNoticeSchema = z.object({
  /** Of this notice, the same in its push. */
  id: z.string(),
  kind: z.enum(['mentioned', 'assigned', 'handed_over', 'reassigned', 'called']),
  /** Also in quiet hours and pauses; absent otherwise. */
  isUrgent: z.optional(z.literal(true)),
  /** Of several alerts the newest. */
  alertId: z.string(),
  /** How many alerts it is about; absent for one. */
  alerts: z.optional(z.int().check(z.minimum(2))),
  /** The alert's headline, or its type; null when it has neither. */
  alertTitle: z.nullable(z.string()),
  byName: z.string(),
  toName: z.optional(z.string()),
  /** The beginning of the note; empty without one. */
  text: z.string(),
});
export type MemberNotice = z.infer<typeof memberNoticeSchema>;

/** Somebody who has an alert open. */
const lookerSchema = z.object({ id: z.string(), displayName: z.string() });
export type Looker = z.infer<typeof lookerSchema>;

/**
 * What the server sends a live client over `/ws`. A client that connects to `/ws?batch=1`
 * gets an array of these per frame, any other one event per frame. An event is sent only after its change is committed.
 * `places=1` asks for `place` events, too.
 */
export const liveEventSchema = z.discriminatedUnion('type', [
  // The first on a connection. Once more when events of other servers may be missing: ask `GET /api/changes` for what was
  // missed since the last place, or fetch again what is shown. `isDelayed` while what happens on other servers comes up to a
  // second later than usual. `userId` is the member whose connection it is, in the first one. It and `place` are absent from a
  // server of an earlier release.
  z.object({
    type: z.literal('hello'),
    version: z.string(),
    inboxCount: z.int().check(z.nonnegative()),
    place: z.optional(z.string()),
    isDelayed: z.optional(z.boolean()),
    userId: z.optional(z.string()),
  }),
  // Who has all that was sent before it knows everything up to there; once a second at most, to who asked for places.
  z.object({ type: z.literal('place'), place: z.string() }),
  // `quiet`: nobody is to be notified, as of an alert that a replay made, or that a rule assigns.
  z.object({ type: z.literal('new_alert'), alert: alertSchema, quiet: z.optional(z.boolean()) }),
  z.object({
    type: z.literal('alert_accepted'),
    alertId: z.string(),
    ownerId: z.string(),
    ownerName: z.string(),
    /** The version that the alert has now; absent from a server of an earlier release. */
    version: z.optional(z.int()),
  }),
  z.object({ type: z.literal('alert_unaccepted'), alert: alertSchema }),
  // To the owner and to those who see everything, of an alert without an owner to everybody. `reason` when its sender did it.
  z.object({ type: z.literal('alert_updated'), alert: alertSchema, reason: z.optional(updateReasonSchema) }),
  z.object({ type: z.literal('alert_deleted'), alertId: z.string() }),
  // One batch of a change of many alerts. `accepted`, `unaccepted`, `assigned` (another owner, no folder, the same status)
  // and `deleted` go to everybody; `updated` (another status or folder), `snoozed` and `woken` (by a person) to the owner
  // and to those who see everything, of alerts of the inbox to everybody. `folderId` is where the alerts are filed now
  // (null: nowhere), `groupId` their group (null: none); status, folder and group stay as they are when they are absent. `assignment` is there when somebody gave
  // them to their owner.
  z.object({
    type: z.literal('alerts_changed'),
    change: alertsChangeSchema,
    alertIds: z.array(z.string()),
    /** The versions that they have now, in the same order; absent of deleted alerts, and from a server of an earlier release. */
    versions: z.optional(z.array(z.int())),
    ownerId: z.nullable(z.string()),
    ownerName: z.nullable(z.string()),
    status: z.optional(workStatusSchema),
    /** With `status: "completed"`; absent from a server of an earlier release. */
    completedAt: z.optional(z.iso.datetime()),
    folderId: z.optional(z.nullable(z.string())),
    snoozedUntil: z.optional(snoozedUntilSchema),
    groupId: z.optional(z.nullable(z.string())),
    assignment: z.optional(z.object({ kind: assignmentKindSchema, byName: z.string() })),
  }),
  // Many alerts of one owner changed at once: fetch these lists again. To the owner and to those who see everything, or
  // without an owner to everybody.
  z.object({ type: z.literal('lists_changed'), lists: z.array(changedListSchema), ownerId: z.nullable(z.string()) }),
  // To those who see the alert: a note on it was written, edited or deleted.
  z.object({ type: z.literal('notes_changed'), alertId: z.string() }),
  // To those who see the alert: who was notified of it by a ladder, or will be, is another.
  z.object({ type: z.literal('ladder_changed'), alertId: z.string() }),
  // To the member alone, once: a colleague wants their attention.
  z.object({ type: z.literal('member_notified'), notice: memberNoticeSchema }),
  // To everybody, once for each owner: accepted alerts are in the inbox again, because their owner had not touched them for
  // `untouchedHours`, or, where that is null, because the owner's account is disabled.
  z.object({
    type: z.literal('alerts_returned'),
    /** Of this notice, the same in its push. */
    id: z.string(),
    alerts: z.int().check(z.positive()),
    /** Of several alerts the newest. */
    alertId: z.string(),
    ownerId: z.string(),
    ownerName: z.string(),
    untouchedHours: z.nullable(z.int()),
  }),
  // To the member alone: notices of theirs were read, or are unread again, here or in another window.
  z.object({ type: z.literal('notices_changed'), noticeIds: z.array(z.string()), isRead: z.boolean() }),
  // To the member alone: how much they are notified of, their exceptions, quiet hours, pause or sounds are others now, here or in another window.
  z.object({ type: z.literal('notification_settings_changed') }),
  // To the member alone: a folder of theirs was made or deleted, here or in another window.
  z.object({ type: z.literal('folders_changed') }),
  // To the member alone: their name, how they read times, or their API tokens are others now.
  z.object({ type: z.literal('profile_changed') }),
  // To the member, or to everybody: a view was saved, changed, deleted or moved.
  z.object({ type: z.literal('views_changed') }),
  // To who sees the view: so many alerts are in it now. `timeZone` where its search names times: it is so for people there.
  z.object({
    type: z.literal('view_counted'),
    viewId: z.string(),
    alerts: z.int().check(z.nonnegative()),
    timeZone: z.nullable(z.string()),
  }),
  // To the member alone, before the event of an alert that notifies: what they chose for a view that it is in.
  z.object({ type: z.literal('notice_chosen'), alertId: z.string(), choice: noticeLevelSchema }),
  // To administrators: a source changed, so that it is to be fetched again; or, with `counts` and once a second at most for
  // each source, its delivery log did, and that is how it is now (`sourceCountsSchema`, which the few pages read that show
  // sources). null: unknown keys, of which no counts come.
  z.object({
    type: z.literal('source_changed'),
    sourceId: z.nullable(z.string()),
    counts: z.optional(z.unknown()),
  }),
  // To those who may see the alert: who has it open in front of them now, as their pages say, oneself included; nobody when
  // it is empty. It is in no row of the feed: a new connection is sent it of every alert that somebody looks at.
  z.object({ type: z.literal('looking_changed'), alertId: z.string(), people: z.array(lookerSchema) }),
  // To administrators: an account or its link was made, changed or removed.
  z.object({ type: z.literal('members_changed') }),
  // To administrators: a destination or a rule was made, changed or deleted, or, every 2 s at most, messages were sent.
  z.object({ type: z.literal('outgoing_changed') }),
  // To administrators: a rule was made, moved, changed or deleted, or has switched itself off.
  z.object({ type: z.literal('rules_changed') }),
  // To everybody: a maintenance window was planned, changed or deleted, or is on; `ended` once for each time that has ended
  // and does not go on, or leaves alerts that still fire (`windowEndSchema`, which comes after the first screen).
  z.object({ type: z.literal('maintenance_changed'), ended: z.optional(z.unknown()) }),
  // To everybody: a heartbeat was made, changed or deleted, is missing, or, every 5 s at most, was called.
  z.object({ type: z.literal('heartbeats_changed') }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** One batch of a change of many alerts. */
export type AlertsChanged = Extract<LiveEvent, { type: 'alerts_changed' }>;

/** Alerts that the server put back into the inbox. */
export type AlertsReturned = Extract<LiveEvent, { type: 'alerts_returned' }>;

/**
 * What a client may send to be sure that the connection still stands: pages cannot see the pings of the WebSocket
 * protocol. The answer is a message `pong`. Who never sends it never gets one.
 */
export const LIVE_PING = JSON.stringify({ type: 'ping' });
export const livePongSchema = z.object({ type: z.literal('pong') });

/** One frame of a batched connection. */
export const liveFrameSchema = z.array(z.discriminatedUnion('type', [...liveEventSchema.def.options, livePongSchema]));

/**
 * Close codes that a client should know: the session ended; it has another token now, with which the client connects again;
 * the client could not keep up.
 */
export const CLOSE_SESSION_ENDED = 4401;
export const CLOSE_SESSION_RENEWED = 4402;
/** The reason beside `CLOSE_SESSION_ENDED` when an administrator has ended the session: its member is shown why. */
export const ENDED_BY_ADMINISTRATOR = 'session ended by an administrator';
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
