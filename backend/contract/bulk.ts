import * as z from 'zod/mini';
import {
  MAX_SEARCH_LENGTH,
  MAX_SNOOZE_MINUTES,
  alertStatusSchema,
  snoozedUntilSchema,
  workStatusSchema,
} from './alert.ts';
import { statusChangeSchema } from './alert-change.ts';
import { alertFilterSchema, searchSchema } from './alert-query.ts';
import { ownerConditionSchema } from './assignment.ts';

/** Most alerts that one request changes: a batch, which is one transaction, and one live event where it changes all of them alike. */
export const MAX_BULK_BATCH = 100;

/** Most alerts that a caller can expect a filter to match when a run begins. Who means more says that with `expectsMore`. */
export const MAX_BULK_ALERTS = 100_000;

const search = {
  q: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_SEARCH_LENGTH))),
  ...searchSchema,
};

/** The alerts of a list that pass its filter; `folderId` with `list: "folder"` only. */
export const bulkFilterSchema = z.discriminatedUnion('list', [
  z.extend(alertFilterSchema, { list: z.enum(['inbox', 'mine', 'all-folders', 'all', 'snoozed']), ...search }),
  z.extend(alertFilterSchema, { list: z.literal('folder'), folderId: z.uuid(), ...search }),
]);
export type BulkFilter = z.infer<typeof bulkFilterSchema>;

const idsSchema = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_BULK_BATCH));

const selection = {
  ids: z.optional(idsSchema),
  filter: z.optional(bulkFilterSchema),
  /** With `filter`: how many alerts the caller believes that it matches. When there are more, nothing is changed. */
  expectedCount: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_BULK_ALERTS))),
  /** With `filter`: the caller knows that more may match than `expectedCount`, and means them, too. */
  expectsMore: z.optional(z.literal(true)),
  /** With `filter`: the newest alert that counts as matching. What arrived after it is left alone. */
  upTo: z.optional(z.uuid()),
  /** With `filter`: where the run goes on, taken from `next` of the answer before. */
  before: z.optional(z.uuid()),
};

const isWhole = ({ ids, filter, expectedCount }: { ids?: unknown; filter?: unknown; expectedCount?: unknown }) =>
  ids === undefined ? filter !== undefined && expectedCount !== undefined : filter === undefined;

const hasOneEnd = (change: { action: string; until?: unknown; minutes?: unknown }) =>
  change.action !== 'snooze' || (change.until === undefined) !== (change.minutes === undefined);

/**
 * Body of `POST /api/alerts/bulk`: what to do, and with which alerts: `ids`, or a `filter` with `expectedCount`. A filter
 * is worked through in batches, newest first: the caller repeats the request with `before` until the answer has no `next`.
 * `move` takes alerts of the inbox, too: it accepts them and files them. `regroup` takes `ids` alone. `ifOwner` of a
 * deletion, of an assignment and of a return to the inbox is whose the alerts were when it was decided.
 */
export const bulkChangeSchema = z
  .discriminatedUnion('action', [
    // `status`: accepts, and gives it in the same step.
    z.object({ action: z.literal('accept'), status: z.optional(workStatusSchema), ...selection }),
    z.object({ action: z.literal('unaccept'), ifOwner: z.optional(ownerConditionSchema), ...selection }),
    z.object({ action: z.enum(['wake', 'ungroup']), ...selection }),
    // Back into a group that they were taken out of. A filter could put a whole list into one group.
    z.object({ action: z.literal('regroup'), groupId: z.uuid(), ids: idsSchema }),
    z.object({
      action: z.literal('snooze'),
      /** Until when, or for how many minutes: one of them. */
      until: z.optional(snoozedUntilSchema),
      minutes: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_SNOOZE_MINUTES))),
      ...selection,
    }),
    z.extend(statusChangeSchema, { action: z.literal('status'), ...selection }),
    z.object({ action: z.literal('move'), folderId: z.nullable(z.uuid()), ...selection }),
    z.object({
      action: z.literal('assign'),
      userId: z.uuid(),
      ifOwner: z.optional(ownerConditionSchema),
      ...selection,
    }),
    z.object({
      action: z.literal('delete'),
      ifOwner: z.optional(ownerConditionSchema),
      ...selection,
    }),
  ])
  .check(
    z.refine(isWhole, { path: ['ids'], message: 'Name either ids, or a filter with expectedCount' }),
    z.refine(hasOneEnd, { path: ['until'], message: 'Name either until or minutes' }),
  );
export type BulkChange = z.infer<typeof bulkChangeSchema>;

/** Which alerts a change is about. */
export type BulkSelection = Pick<Extract<BulkChange, { action: 'delete' }>, keyof typeof selection>;

/**
 * Why an alert was left as it is: somebody else has it (`ownerName`), it is in the inbox, it does not exist any more, it
 * is completed, it never fires again (its sender names no problem), or the member may not do this.
 */
export const bulkLossSchema = z.object({
  id: z.string(),
  reason: z.enum(['taken', 'returned', 'gone', 'not_allowed', 'completed', 'fires_once']),
  ownerName: z.optional(z.string()),
});
export type BulkLoss = z.infer<typeof bulkLossSchema>;

/**
 * Answer of `POST /api/alerts/bulk`, about one batch. `changed` names each changed alert with the status, folder, snooze,
 * group and owner that it had, so that the change can be taken back; `unchanged` counts those that were so already; `next` is there while the
 * filter has more.
 */
export const bulkResultSchema = z.object({
  changed: z.array(
    z.object({
      id: z.string(),
      /** The version that the alert has now; absent from a server of an earlier release. */
      version: z.optional(z.int().check(z.positive())),
      status: alertStatusSchema,
      folderId: z.optional(z.string()),
      snoozedUntil: z.optional(snoozedUntilSchema),
      ownerId: z.optional(z.string()),
      groupId: z.optional(z.string()),
    }),
  ),
  unchanged: z.int().check(z.nonnegative()),
  lost: z.array(bulkLossSchema),
  next: z.optional(z.string()),
});
export type BulkResult = z.infer<typeof bulkResultSchema>;
