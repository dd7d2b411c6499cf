import * as z from 'zod/mini';
import { alertSeveritySchema, alertStateSchema } from './alert.ts';
import { searchSchema } from './alert-query.ts';
import { noticeLevelSchema } from './notification-settings.ts';

/** What a member may want to be notified of otherwise than of the rest, the most specific first: the first that applies counts. */
export const EXCEPTION_KINDS = ['customer', 'alert_type', 'source', 'view'] as const;
export const exceptionKindSchema = z.enum(EXCEPTION_KINDS);
export type ExceptionKind = z.infer<typeof exceptionKindSchema>;

/** Most exceptions with another level than `never` of one member, beside those of views. */
export const MAX_EXCEPTIONS = 200;

/** Most exceptions that `GET /api/notification-exceptions` lists: mutes beyond are in their own lists alone. */
export const MAX_LISTED_EXCEPTIONS = 400;

/** Names an exception: of a customer, source or view by its id, of an alert type by its name. */
const keySchema = {
  kind: exceptionKindSchema,
  id: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
};

/**
 * How a member is notified of the alerts of one customer, alert type, source or view. A customer, type or source with the
 * level `never` is muted; such an exception may have an end.
 */
export const notificationExceptionSchema = z.object({
  ...keySchema,
  name: z.string(),
  level: noticeLevelSchema,
  until: z.optional(z.iso.datetime()),
});
export type NotificationException = z.infer<typeof notificationExceptionSchema>;

/** Answer of `GET /api/notification-exceptions`: views, sources, customers and types, each by name; other levels before mutes. */
export const notificationExceptionListSchema = z.array(notificationExceptionSchema);

/**
 * Body of `PUT /api/notification-exceptions`. `until` is the end of a mute; `timeZone` is the one that the days of a view's
 * search are meant in.
 */
export const newExceptionSchema = z
  .object({
    ...keySchema,
    level: noticeLevelSchema,
    until: z.optional(z.iso.datetime()),
    timeZone: searchSchema.timeZone,
  })
  .check(
    z.refine(({ kind, level, until }) => until === undefined || (kind !== 'view' && level === 'never'), {
      path: ['until'],
      message: 'Only a mute of a customer, alert type or source has an end',
    }),
  );
export type NewException = z.infer<typeof newExceptionSchema>;

/** Query of `DELETE /api/notification-exceptions`. */
export const exceptionKeySchema = z.object(keySchema);
export type ExceptionKey = z.infer<typeof exceptionKeySchema>;

/** Days that `GET /api/notification-preview` counts. */
export const PREVIEW_DAYS = 7;

/** Alerts that it shows. */
export const PREVIEW_ALERTS = 4;

const count = z.int().check(z.nonnegative());

/**
 * Answer of `GET /api/notification-preview`: of how many things of the last {@link PREVIEW_DAYS} days the member would have
 * been notified with each choice for all, with the exceptions as they are, and by each exception; quiet hours and pauses left
 * out. They are alerts that are still there and not kept quiet, what colleagues did for the member, and changes of the
 * member's own alerts that notify. `alerts`: recent ones, and what would be decided if each came now; `name` is that of the
 * exception that decides.
 */
export const notificationPreviewSchema = z.object({
  byLevel: z.object({ always: count, high: count, critical: count, mine: count, never: count }),
  exceptions: z.array(z.object({ ...keySchema, notifications: count })),
  alerts: z.array(
    z.object({
      id: z.string(),
      title: z.nullable(z.string()),
      customer: z.nullable(z.string()),
      severity: alertSeveritySchema,
      state: alertStateSchema,
      verdict: z.enum(['yes', 'unwanted', 'quiet', 'paused']),
      level: noticeLevelSchema,
      by: z.enum([...EXCEPTION_KINDS, 'all']),
      name: z.nullable(z.string()),
    }),
  ),
});
export type NotificationPreview = z.infer<typeof notificationPreviewSchema>;
export type PreviewedAlert = NotificationPreview['alerts'][number];
