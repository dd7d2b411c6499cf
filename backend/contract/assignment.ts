import * as z from 'zod/mini';
import { alertSeveritySchema } from './alert.ts';

/** Whose an alert has to be: a member's, or nobody's. */
export const ownerConditionSchema = z.union([z.literal('none'), z.uuid()]);
export type OwnerCondition = z.infer<typeof ownerConditionSchema>;

/**
 * Body of `POST /api/alerts/{id}/assign`: whose the alert is to be. `ifOwner` refuses when it has another owner than when
 * that was decided.
 */
export const assignSchema = z.object({ userId: z.uuid(), ifOwner: z.optional(ownerConditionSchema) });
export type AssignInput = z.infer<typeof assignSchema>;

/** A member to whom alerts can be given. `openAlerts` are theirs and not completed; `isOnline` is whether a page of theirs is connected. */
export const colleagueSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  openAlerts: z.int().check(z.nonnegative()),
  isOnline: z.boolean(),
});
export type Colleague = z.infer<typeof colleagueSchema>;

/** Answer of `GET /api/people`: who may sign in, the caller included; who has fewest open alerts first. */
export const colleaguesSchema = z.array(colleagueSchema);

/** Longest note of a hand-over, in characters after trimming. */
export const MAX_HAND_OVER_NOTE = 500;

/** Most folders that one hand-over names. */
export const MAX_HAND_OVER_FOLDERS = 1_000;

/** The statuses of what is handed over: completed alerts stay whose they are. */
export const openStatusSchema = z.enum(['accepted', 'in-progress']);
export type OpenStatus = z.infer<typeof openStatusSchema>;

/**
 * Body of `POST /api/alerts/hand-over`: gives the caller's open alerts to somebody, a batch at a time, newest first. The
 * caller repeats the request with `before` until the answer has no `next`. Snoozed alerts go, too, and keep their time. `isWithQueue` are the alerts in no folder;
 * `folderIds` are the folders whose alerts go, too.
 */
export const handOverSchema = z
  .object({
    userId: z.uuid(),
    /** Only alerts of this status. */
    status: z.optional(openStatusSchema),
    isWithQueue: z._default(z.boolean(), true),
    folderIds: z._default(z.array(z.uuid()).check(z.maxLength(MAX_HAND_OVER_FOLDERS)), []),
    /** What the other person is to know: in their notification, and in each alert's history. */
    note: z.optional(
      z.string().check(
        z.trim(),
        z.maxLength(MAX_HAND_OVER_NOTE),
        z.overwrite((text) => text.toWellFormed()),
      ),
    ),
    before: z.optional(z.uuid()),
  })
  .check(
    z.refine(({ isWithQueue, folderIds }) => isWithQueue || folderIds.length > 0, {
      path: ['folderIds'],
      message: 'Name a folder, or leave isWithQueue true',
    }),
  );
export type HandOver = z.infer<typeof handOverSchema>;

/**
 * Body of `POST /api/auth/users/{id}/hand-over`: gives all open alerts of a member to another, a batch at a time, newest
 * first. The caller repeats the request with `before` until the answer has no `next`.
 */
export const handOverOfSchema = z.object({ userId: z.uuid(), before: z.optional(z.uuid()) });
export type HandOverOf = z.infer<typeof handOverOfSchema>;

/**
 * Answer of `GET /api/alerts/hand-over`: how many open alerts the caller has, by folder (null: in none), status,
 * severity and whether they are snoozed.
 */
export const handOverCountsSchema = z.array(
  z.object({
    folderId: z.nullable(z.string()),
    status: openStatusSchema,
    severity: alertSeveritySchema,
    isSnoozed: z.boolean(),
    alerts: z.int().check(z.positive()),
  }),
);
export type HandOverCounts = z.infer<typeof handOverCountsSchema>;
