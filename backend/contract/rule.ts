import * as z from 'zod/mini';
import { MAX_QUERY_LENGTH, MAX_SNOOZE_MINUTES, alertSeveritySchema } from './alert.ts';

/** Rules that an installation may have. */
export const MAX_RULES = 200;

/** Days whose hits are shown, today included. */
export const RULE_HIT_DAYS = 7;

/** The newest alerts that a dry run judges, and for how long it does at most, in milliseconds. */
export const DRY_RUN_ALERTS = 100_000;
export const DRY_RUN_MS = 1_000;

/** Longest label of an alert, in characters. */
export const MAX_LABEL_LENGTH = 60;

/** Longest that a rule may take for one alert, in milliseconds: one that takes longer, measured again, is switched off. */
export const SLOW_RULE_MS = 20;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));
const search = z.string().check(z.trim(), z.maxLength(MAX_QUERY_LENGTH));
const text = (length: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(length));

/**
 * What a rule does with a report that it matches. `severity`, `customer`, `alertType` and `title` take the place of what the sender
 * says. `label` files the alert under the views that search for it; senders name none. `assigneeId` and `snoozeMinutes` apply to
 * an alert when it is made, and never again. `notify`: `always` notifies of each repeat, too; `never` of none. `suppress` marks
 * the alert with the rule's name, as a maintenance window does. `stop`: no later rule is applied.
 */
export const ruleActionFieldsSchema = z.object({
  severity: z.optional(z.enum(['critical', 'high', 'warning', 'low', 'info'])),
  customer: z.optional(text(200)),
  alertType: z.optional(text(200)),
  title: z.optional(text(300)),
  label: z.optional(text(MAX_LABEL_LENGTH)),
  assigneeId: z.optional(z.uuid()),
  snoozeMinutes: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_SNOOZE_MINUTES))),
  notify: z.optional(z.enum(['always', 'never'])),
  suppress: z.optional(z.literal(true)),
  stop: z.optional(z.literal(true)),
});
/** {@link ruleActionFieldsSchema} with at least one action, and none that contradict each other. */
export const ruleActionsSchema = ruleActionFieldsSchema.check(
  z.refine((actions) => Object.values(actions).some((value) => value !== undefined), 'Choose what the rule does'),
  z.refine(
    ({ assigneeId, snoozeMinutes }) => assigneeId === undefined || snoozeMinutes === undefined,
    'An alert that is assigned is not snoozed. Choose one of the two',
  ),
  z.refine(
    ({ notify, suppress }) => notify !== 'always' || suppress === undefined,
    'An alert that is suppressed notifies nobody. Choose one of the two',
  ),
);
export type RuleActions = z.infer<typeof ruleActionsSchema>;

/** What of a rule administrators write. `search` empty means all alerts; `ownerId` is whoever answers for it. */
export const ruleDefinitionSchema = z.object({
  name,
  search,
  actions: ruleActionsSchema,
  isOn: z.boolean(),
  ownerId: z.uuid(),
});

/** Body of `POST /api/rules`: it becomes the last one; on, and its author's, where that is left out. */
export const newRuleSchema = z.extend(ruleDefinitionSchema, {
  isOn: z.optional(z.boolean()),
  ownerId: z.optional(z.uuid()),
});
export type NewRule = z.infer<typeof newRuleSchema>;

/** Body of `PATCH /api/rules/{id}`; absent fields stay. `actions` are changed as a whole. */
export const ruleChangeSchema = z.partial(ruleDefinitionSchema);
export type RuleChange = z.infer<typeof ruleChangeSchema>;

/** Body of `PUT /api/rules/order`: the ids of all rules, in their new order. */
export const ruleOrderSchema = z.object({ ids: z.array(z.uuid()).check(z.maxLength(MAX_RULES)) });

/** A rule as administrators read it; lists are in the order in which rules are applied. */
export const ruleSchema = z.extend(ruleDefinitionSchema, {
  id: z.string(),
  /** None where what is stored is not understood. */
  actions: ruleActionFieldsSchema,
  version: z.int(),
  /** Their display name; null once the account is gone. */
  ownerName: z.nullable(z.string()),
  /** The name of the member to whom it assigns alerts; absent without one, null once the account is gone. */
  assigneeName: z.optional(z.nullable(z.string())),
  /** Reports that it was applied to on each of the last {@link RULE_HIT_DAYS} days (UTC), the newest day last. */
  hits: z.array(z.int()),
  lastHitAt: z.optional(z.iso.datetime()),
  /** It switched itself off: when, and why. Absent once somebody switched it. */
  switchedOff: z.optional(z.object({ at: z.iso.datetime(), reason: z.string() })),
  /** Why it does less than it says although it is on; absent when it does all. */
  fault: z.optional(z.string()),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
});
export type Rule = z.infer<typeof ruleSchema>;
export const ruleListSchema = z.array(ruleSchema);

/** Path parameter of the calls on one rule. */
export const ruleIdParamsSchema = z.object({ id: z.uuid() });

/**
 * Body of `POST /api/rules/dry-run`: one change of the rules that is not saved: of the rule `id`, of a new one that would be the
 * last, or, with `order`, of the order alone.
 */
export const ruleDryRunQuerySchema = z.object({
  id: z.optional(z.uuid()),
  rule: z.optional(z.pick(ruleDefinitionSchema, { search: true, actions: true, isOn: true })),
  order: z.optional(z.array(z.uuid()).check(z.maxLength(MAX_RULES))),
});
export type RuleDryRunQuery = z.infer<typeof ruleDryRunQuerySchema>;

/** What rules make of an alert. */
const ruledSchema = z.object({
  severity: alertSeveritySchema,
  customer: z.nullable(z.string()),
  alertType: z.nullable(z.string()),
  title: z.nullable(z.string()),
  label: z.nullable(z.string()),
  assigneeName: z.optional(z.nullable(z.string())),
  snoozeMinutes: z.optional(z.int()),
  notify: z.enum(['usual', 'always', 'never', 'suppressed']),
});
export type Ruled = z.infer<typeof ruledSchema>;

/** Alerts that a dry run shows, with what they are now and would be. */
export const DRY_RUN_EXAMPLES = 50;

/**
 * Answer of a dry run: the newest alerts, judged as they are now, but without their label, by the rules as they are and as they would
 * be. Nothing is changed.
 */
export const ruleDryRunSchema = z.object({
  /** How many alerts were judged, and how many there were to judge: fewer were, where the time was up. */
  judged: z.int(),
  total: z.int(),
  /** When the oldest of them arrived; absent without any. */
  since: z.optional(z.iso.datetime()),
  /** How long it took, in milliseconds. */
  tookMs: z.number(),
  /** Alerts that the change means, whatever becomes of them. */
  matched: z.int(),
  changed: z.int(),
  /** New alerts that would notify nobody, and do now; negative where more would notify. */
  fewerNotifications: z.int(),
  /** Critical ones among them: critical now, and silent by the change. */
  criticalSilenced: z.int(),
  /** How many of the changed differ in what. */
  byKind: z.object({ severity: z.int(), names: z.int(), quiet: z.int(), people: z.int() }),
  /** The first of the changed: what would be silenced among the critical, then the newest. */
  examples: z.array(z.object({ id: z.string(), before: ruledSchema, after: ruledSchema })),
});
export type RuleDryRun = z.infer<typeof ruleDryRunSchema>;
