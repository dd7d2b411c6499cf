import * as z from 'zod/mini';
import { MAX_QUERY_LENGTH, alertSortSchema } from './alert.ts';
import { searchSchema } from './alert-query.ts';
import { onOneLine } from './name.ts';
import { NOTICE_LEVELS } from './notification-settings.ts';

/** Views that one member may have of their own, and that there may be for everybody. */
export const MAX_VIEWS = 20;

/** Longest name of a view, in characters. */
export const MAX_VIEW_NAME = 60;

/** Which list a view narrows: New Alerts, the reader's own My Alerts, or every alert in the system. */
export const viewListSchema = z.enum(['inbox', 'mine', 'all']);
export type ViewList = z.infer<typeof viewListSchema>;

/** A name on one line: 1–60 characters after trimming. */
const viewNameSchema = z.string().check(z.overwrite(onOneLine), z.trim(), z.minLength(1), z.maxLength(MAX_VIEW_NAME));

/** How the caller is notified of alerts in a view: as their settings say, or an exception with this level. */
export const viewNotifySchema = z.enum(['settings', ...NOTICE_LEVELS]);
export type ViewNotify = z.infer<typeof viewNotifySchema>;

/**
 * A filter and an order of a list, saved under a name. `search` is in the language of the lists' `search`: customers,
 * types, sources and severities are keys in it. `alerts` is the exact number of alerts in it for the caller, of
 * My Alerts that of the open ones unless the search names a status; null while they are being counted. `version` rises with
 * each change.
 */
export const viewSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether everybody sees it. */
  isShared: z.boolean(),
  list: viewListSchema,
  search: z.string(),
  sort: alertSortSchema,
  version: z.int().check(z.positive()),
  notify: viewNotifySchema,
  alerts: z.nullable(z.int().check(z.nonnegative())),
});
export type View = z.infer<typeof viewSchema>;

/** Answer of `GET /api/views`: the caller's own in their order, then the shared ones. */
export const viewListAnswerSchema = z.array(viewSchema);

/** Query of `GET /api/views`: the time zone that the days of a view's search are meant in. */
export const viewsQuerySchema = z.object({ timeZone: searchSchema.timeZone });

const savedSearchSchema = z.string().check(
  z.trim(),
  z.maxLength(MAX_QUERY_LENGTH),
  z.overwrite((search) => search.toWellFormed()),
);

/** Body of `POST /api/views`. Only administrators share views, and save such of every alert. */
export const newViewSchema = z.object({
  name: viewNameSchema,
  isShared: z._default(z.boolean(), false),
  list: viewListSchema,
  search: z._default(savedSearchSchema, ''),
  sort: z._default(alertSortSchema, 'newest'),
  notify: z._default(viewNotifySchema, 'settings'),
  timeZone: searchSchema.timeZone,
});
export type NewView = z.infer<typeof newViewSchema>;

/** Body of `PATCH /api/views/{id}`: what changes, and the `version` that it was decided by. */
export const viewChangeSchema = z.object({
  version: z.int().check(z.positive()),
  name: z.optional(viewNameSchema),
  isShared: z.optional(z.boolean()),
  search: z.optional(savedSearchSchema),
  sort: z.optional(alertSortSchema),
});
export type ViewChange = z.infer<typeof viewChangeSchema>;

/** Body of `PUT /api/views/{id}/notify`: the caller's own choice, and the time zone that the days of the search are meant in. */
export const viewNotifyChangeSchema = z.object({ notify: viewNotifySchema, timeZone: searchSchema.timeZone });
export type ViewNotifyChange = z.infer<typeof viewNotifyChangeSchema>;

/** Body of `PUT /api/views/order`: the ids of the caller's own views, or of the shared ones, in their new order. */
export const viewOrderSchema = z.object({
  isShared: z.boolean(),
  ids: z.array(z.uuid()).check(z.maxLength(MAX_VIEWS)),
});
export type ViewOrder = z.infer<typeof viewOrderSchema>;

/** Path parameter of the calls on one view. */
export const viewIdParamsSchema = z.object({ id: z.uuid() });
