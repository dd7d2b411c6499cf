import * as z from 'zod/mini';
import { alertSeveritySchema, alertStateSchema } from './alert.ts';
import { memberNoticeSchema } from './live-event.ts';
import { idPageQuerySchema } from './pages.ts';

/** Days that a notice is kept. */
export const NOTICE_DAYS = 30;

/** Most notices that one call marks. */
export const MAX_MARKED_NOTICES = 500;

/** Which notices a list has; all without. `assignments` are those of alerts that came to the member, or left them. */
export const noticeFilterSchema = z.enum(['unread', 'mentions', 'hand-overs', 'assignments']);
export type NoticeFilter = z.infer<typeof noticeFilterSchema>;

/** Query of `GET /api/notices`. */
export const noticeListQuerySchema = z.extend(idPageQuerySchema, { only: z.optional(noticeFilterSchema) });

/**
 * The alert of a notice: as it is now where the member sees it, else as it was when they were notified. `taken`: it is
 * another member's by now, whose name is `ownerName`. `deletedBy` is absent where nobody knows it any more.
 */
const noticeAlertSchema = z.object({
  id: z.string(),
  /** Its headline, or its type; null when it has neither. */
  title: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  severity: alertSeveritySchema,
  state: alertStateSchema,
  access: z.enum(['visible', 'taken', 'deleted']),
  /** With `taken`: it is nobody's, because it was completed before anyone accepted it. */
  isCompleted: z.optional(z.literal(true)),
  ownerName: z.optional(z.string()),
  deletedBy: z.optional(z.string()),
});

/** Something that a colleague did for a member, kept for {@link NOTICE_DAYS}. Names are as they were at the time. */
export const noticeSchema = z.object({
  id: z.string(),
  kind: memberNoticeSchema.shape.kind,
  byName: z.string(),
  toName: z.optional(z.string()),
  /** The beginning of the note, or what was said with a hand-over; empty without one. */
  text: z.string(),
  /** How many alerts it is about. */
  alerts: z.int().check(z.minimum(1)),
  /** Of several alerts the newest. */
  alert: noticeAlertSchema,
  /** The member was signed in nowhere when it happened. */
  wasSignedOut: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When it was read; absent while it is unread. */
  readAt: z.optional(z.iso.datetime()),
});
export type Notice = z.infer<typeof noticeSchema>;

/** Answer of `GET /api/notices`, newest first. */
export const noticeListSchema = z.array(noticeSchema);

const count = z.int().check(z.nonnegative());

/** Answer of `GET /api/notices/unread`. */
export const unreadNoticesSchema = z.object({ total: count, mentions: count, handOvers: count, assignments: count });
export type UnreadNotices = z.infer<typeof unreadNoticesSchema>;

/** Body of `PATCH /api/notices`: some notices, or those that are about one alert alone, which the member has opened. */
export const noticeMarkSchema = z.union([
  z.object({
    ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_MARKED_NOTICES)),
    isRead: z.boolean(),
  }),
  z.object({ alertId: z.uuid(), isRead: z.literal(true) }),
]);
export type NoticeMark = z.infer<typeof noticeMarkSchema>;

/** Body of `POST /api/notices/read-all`: `upTo` is the newest notice that the member has seen of the list of `only`. */
export const noticeReadAllSchema = z.object({ upTo: z.uuid(), only: z.optional(noticeFilterSchema) });

/** What was changed. `hasMore`: further notices are unread, and the same call marks the next ones. */
export const markedNoticesSchema = z.object({ ids: z.array(z.string()), hasMore: z.boolean() });
export type MarkedNotices = z.infer<typeof markedNoticesSchema>;
