import * as z from 'zod/mini';
import { alertSeveritySchema, alertStateSchema } from './alert.ts';
import { alertCompletionSchema } from './alert-query.ts';

/**
 * By what alerts belong together: the group that their sender puts them in, the deployment that they name, or their
 * customer and type. Of several rules that are on, the first in this order decides.
 */
export const groupingKindSchema = z.enum(['sender', 'deployment', 'names']);
export type GroupingKind = z.infer<typeof groupingKindSchema>;

/** Longest pause between two alerts of a group, in minutes. */
export const MAX_GROUP_MINUTES = 24 * 60;

/** What a rule has until an administrator decides otherwise, in minutes. */
export const DEFAULT_GROUP_MINUTES = { sender: 60, deployment: 5, names: 30 } as const satisfies Record<
  GroupingKind,
  number
>;

/** Most alerts that join a group. The next one begins another. */
export const MAX_GROUP_ALERTS = 1_000;

/** Most groups that one call asks about. */
export const MAX_ASKED_GROUPS = 50;

/** Bars of the strip that shows when the alerts of a group arrived. */
export const GROUP_BARS = 24;

const minutes = z.int().check(z.minimum(1), z.maximum(MAX_GROUP_MINUTES));

/** Days that suggestions look back. */
export const SUGGESTION_DAYS = 30;

/**
 * A rule by which alerts become one card. `withinMinutes` is the longest pause between two of them. `suggested` is there
 * while the rule is off: how often, in the last 30 days, somebody accepted several alerts at once that it would have put
 * together, and how many alerts these were.
 */
export const groupingRuleSchema = z.object({
  kind: groupingKindSchema,
  isOn: z.boolean(),
  withinMinutes: minutes,
  changedBy: z.optional(z.string()),
  changedAt: z.optional(z.iso.datetime()),
  suggested: z.optional(
    z.object({ times: z.int().check(z.positive()), alerts: z.int().check(z.minimum(2)), ofTimes: z.int() }),
  ),
});
export type GroupingRule = z.infer<typeof groupingRuleSchema>;

/** Answer of `GET /api/grouping-rules`: each rule, in the order in which they decide. */
export const groupingRulesSchema = z.array(groupingRuleSchema);

export const groupingKindParamsSchema = z.object({ kind: groupingKindSchema });

/** Body of `PATCH /api/grouping-rules/{kind}`; absent fields stay. What is grouped already stays as it is. */
export const groupingRuleChangeSchema = z.object({
  isOn: z.optional(z.boolean()),
  withinMinutes: z.optional(minutes),
});
export type GroupingRuleChange = z.infer<typeof groupingRuleChangeSchema>;

/** Which list the members of a group are asked of, and which half of it: only what is there counts. */
const completion = z.optional(alertCompletionSchema);
const inList = {
  inbox: z.object({ list: z.enum(['inbox', 'mine', 'all-folders', 'all', 'snoozed']), completion }),
  folder: z.object({ list: z.literal('folder'), folderId: z.uuid(), completion }),
};

/** Query of `GET /api/alert-groups/{id}`. */
export const groupQuerySchema = z.discriminatedUnion('list', [inList.inbox, inList.folder]);
export type GroupQuery = z.infer<typeof groupQuerySchema>;

const idsSchema = z.union([
  z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_ASKED_GROUPS)),
  z.pipe(
    z.uuid(),
    z.transform((one) => [one]),
  ),
]);

/** Query of `GET /api/alert-groups`: the groups, `ids` repeated, and a list. */
export const groupsQuerySchema = z.discriminatedUnion('list', [
  z.extend(inList.inbox, { ids: idsSchema }),
  z.extend(inList.folder, { ids: idsSchema }),
]);

export const groupIdParamsSchema = z.object({ id: z.uuid() });

/**
 * A group as a list has it: how many of its alerts are there, of which severities (highest first) and sources, and when
 * they arrived. `bars` divides the time from `since` to `newestAt` into {@link GROUP_BARS} parts of equal length.
 * `kind` and `withinMinutes` are those of the rule when the group began; `shared` names what its alerts have in common.
 */
export const alertGroupSchema = z.object({
  id: z.string(),
  kind: groupingKindSchema,
  withinMinutes: minutes,
  shared: z.string(),
  alerts: z.int().check(z.positive()),
  severities: z.array(z.object({ severity: alertSeveritySchema, alerts: z.int().check(z.positive()) })),
  sources: z.array(z.object({ name: z.string(), sender: z.optional(z.string()) })),
  since: z.iso.datetime(),
  newestAt: z.iso.datetime(),
  bars: z.array(z.object({ alerts: z.int(), critical: z.int() })),
});
export type AlertGroup = z.infer<typeof alertGroupSchema>;

/** Answer of `GET /api/alert-groups`: groups of which the list has no alert are left out. */
export const alertGroupsSchema = z.array(alertGroupSchema);

/** An alert of a group, in short. */
export const groupMemberSchema = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  alertType: z.nullable(z.string()),
  severity: alertSeveritySchema,
  state: alertStateSchema,
  timestamp: z.iso.datetime(),
  sourceName: z.optional(z.string()),
  sender: z.optional(z.string()),
});
export type GroupMember = z.infer<typeof groupMemberSchema>;

/** Answer of `GET /api/alert-groups/{id}`: with all its alerts in the list, the worst first, among equals the oldest first. */
export const alertGroupDetailsSchema = z.extend(alertGroupSchema, { members: z.array(groupMemberSchema) });
export type AlertGroupDetails = z.infer<typeof alertGroupDetailsSchema>;
