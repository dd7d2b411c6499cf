import * as z from 'zod/mini';
import { SECRET_FIELDS, factsOf } from './destination-kinds.ts';
import { MAX_HEARTBEATS, newHeartbeatSchema } from './heartbeat.ts';
import {
  MAX_GROUPS,
  MAX_GROUP_MEMBERS,
  MAX_STEPS,
  MAX_STEP_RECIPIENTS,
  ladderSchema,
  ladderStepSchema,
  newGroupSchema,
} from './ladder.ts';
import { MAX_WINDOWS, windowDefinitionSchema } from './maintenance.ts';
import { nameSchema } from './name.ts';
import {
  MAX_DESTINATIONS,
  MAX_OUTGOING_RULES,
  destinationKindSchema,
  newDestinationSchema,
  newOutgoingRuleSchema,
} from './outgoing.ts';
import { MAX_RULES, newRuleSchema, ruleActionFieldsSchema } from './rule.ts';
import { DEFAULT_SOURCE_SETTINGS, MAX_SOURCES, newSourceSchema, sourceSettingsSchema } from './source.ts';
import { MAX_VIEWS, newViewSchema } from './view.ts';

/** Things that one run changes at most: all of them are one transaction, which others wait for. */
export const MAX_CONFIGURED = 500;

/** Largest configuration that is sent, in bytes. */
export const MAX_CONFIGURATION_BYTES = 1024 * 1024;

const isOff = z._default(z.boolean(), false);
const email = z.email().check(z.maxLength(254));

/** Settings of sources, each with the value that a new source has. */
const settingsWithDefaults = z.object(
  Object.fromEntries(
    Object.entries(sourceSettingsSchema.shape).map(([name, schema]) => [
      name,
      z._default(schema as z.ZodMiniType, DEFAULT_SOURCE_SETTINGS[name as keyof typeof DEFAULT_SOURCE_SETTINGS]),
    ]),
  ) as {
    [Name in keyof typeof sourceSettingsSchema.shape]: z.ZodMiniDefault<(typeof sourceSettingsSchema.shape)[Name]>;
  },
);

/** A source: as it is made, and whether it is paused. Absent settings are those of a new one. */
export const configuredSourceSchema = z.extend(settingsWithDefaults, {
  name: nameSchema,
  isPaused: isOff,
  /** Absent: the secrets that are stored stay. */
  signingSecret: newSourceSchema.shape.signingSecret,
});
export type ConfiguredSource = z.infer<typeof configuredSourceSchema>;

/** A heartbeat. `source` is the name of the source of the type Opsgenie whose key may ping it by its name; null for none. */
export const configuredHeartbeatSchema = z.extend(z.omit(newHeartbeatSchema, { sourceId: true }), {
  isPaused: isOff,
  source: z._default(z.nullable(nameSchema), null),
});
export type ConfiguredHeartbeat = z.infer<typeof configuredHeartbeatSchema>;

/** A maintenance window; without `rrule` once. */
export const configuredWindowSchema = z.extend(windowDefinitionSchema, {
  rrule: z._default(windowDefinitionSchema.shape.rrule, null),
});
export type ConfiguredWindow = z.infer<typeof configuredWindowSchema>;

/** A destination. Absent fields are empty, absent secrets stay as they are stored. */
export const configuredDestinationSchema = z.extend(newDestinationSchema, { isPaused: isOff });
export type ConfiguredDestination = z.infer<typeof configuredDestinationSchema>;

/** A group of members, by their emails. */
export const configuredGroupSchema = z.extend(z.omit(newGroupSchema, { memberIds: true }), {
  members: z.array(email).check(z.maxLength(MAX_GROUP_MEMBERS)),
});
export type ConfiguredGroup = z.infer<typeof configuredGroupSchema>;

/** Whom a step of a ladder notifies: everybody online, or one member by email, group, calendar or destination by name. */
export const configuredRecipientSchema = z.union(
  [
    z.literal('online'),
    z.strictObject({ member: email }),
    z.strictObject({ group: nameSchema }),
    z.strictObject({ calendar: nameSchema }),
    z.strictObject({ destination: nameSchema }),
  ],
  { error: 'must be online, or one of member (an email), group, calendar and destination (a name)' },
);
export type ConfiguredRecipient = z.infer<typeof configuredRecipientSchema>;

/** A ladder as {@link ladderSchema}, which has the order of its steps, too. */
export const configuredLadderSchema = z.extend(ladderSchema, {
  steps: z
    .array(
      z.extend(ladderStepSchema, {
        recipients: z.array(configuredRecipientSchema).check(z.minLength(1), z.maxLength(MAX_STEP_RECIPIENTS)),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_STEPS)),
  repeat: z._default(ladderSchema.shape.repeat, 0),
  isUrgent: isOff,
});
export type ConfiguredLadder = z.infer<typeof configuredLadderSchema>;

/** An outgoing rule. `destinations` are names. */
export const configuredRuleSchema = z.extend(z.omit(newOutgoingRuleSchema, { destinationIds: true }), {
  destinations: z._default(z.array(nameSchema).check(z.maxLength(20)), []),
  ladder: z._default(z.nullable(configuredLadderSchema), null),
  isOn: z._default(z.boolean(), true),
});
export type ConfiguredRule = z.infer<typeof configuredRuleSchema>;

/** A view that everybody sees. */
export const configuredViewSchema = z.omit(newViewSchema, { isShared: true, notify: true, timeZone: true });
export type ConfiguredView = z.infer<typeof configuredViewSchema>;

/**
 * A rule on what arrives. `owner` and `assignee` are emails. Without `owner` a new rule is of whoever runs the configuration, and one
 * that there is keeps its owner.
 */
export const configuredArrivalRuleSchema = z.extend(z.omit(newRuleSchema, { ownerId: true }), {
  isOn: z._default(z.boolean(), true),
  actions: z.extend(z.omit(ruleActionFieldsSchema, { assigneeId: true }), { assignee: z.optional(email) }),
  owner: z.optional(email),
});
export type ConfiguredArrivalRule = z.infer<typeof configuredArrivalRuleSchema>;

/** What can be configured, in the order in which it is made: what comes later may name what comes before. */
export const configurationSections = {
  sources: z.array(configuredSourceSchema).check(z.maxLength(MAX_SOURCES)),
  heartbeats: z.array(configuredHeartbeatSchema).check(z.maxLength(MAX_HEARTBEATS)),
  maintenanceWindows: z.array(configuredWindowSchema).check(z.maxLength(MAX_WINDOWS)),
  rules: z.array(configuredArrivalRuleSchema).check(z.maxLength(MAX_RULES)),
  destinations: z.array(configuredDestinationSchema).check(z.maxLength(MAX_DESTINATIONS)),
  groups: z.array(configuredGroupSchema).check(z.maxLength(MAX_GROUPS)),
  outgoingRules: z.array(configuredRuleSchema).check(z.maxLength(MAX_OUTGOING_RULES)),
  views: z.array(configuredViewSchema).check(z.maxLength(MAX_VIEWS)),
} as const;
export type SectionName = keyof typeof configurationSections;
export const SECTION_NAMES = Object.keys(configurationSections) as SectionName[];

/**
 * What an installation is to have. A section that is absent is left as it is; of one that is there, what it does not name is
 * deleted. Answers never have secrets in them.
 */
export const configurationSchema = z.partial(z.object(configurationSections));
export type Configuration = z.infer<typeof configurationSchema>;

/**
 * Fields of an entry that are secrets, by the kind that a destination is of: they are stored, compared, and never shown again. A file names the variable or the file that
 * has each.
 */
export function secretFieldsOf(section: SectionName, kind: unknown): string[] {
  if (section === 'sources') return ['signingSecret'];
  const known = destinationKindSchema.safeParse(kind);
  if (section !== 'destinations' || !known.success) return [];
  const { fields, isAddressSecret } = factsOf(known.data);
  return [...SECRET_FIELDS.filter((field) => fields[field] !== undefined), ...(isAddressSecret ? ['url'] : [])];
}

/** A field that differs, by its path. Values are JSON, cut where they are long; secrets are never in it. */
const fieldChangeSchema = z.object({ path: z.string(), before: z.optional(z.string()), after: z.optional(z.string()) });
export type FieldChange = z.infer<typeof fieldChangeSchema>;

const stepSchema = z.object({
  section: z.enum(SECTION_NAMES),
  name: z.string().check(z.maxLength(100)),
  action: z.enum(['create', 'change', 'delete']),
  /** The version of what is changed or deleted. */
  version: z.optional(z.int()),
});

/** One step of a plan. */
export const plannedChangeSchema = z.extend(stepSchema, { fields: z.array(fieldChangeSchema) });
export type PlannedChange = z.infer<typeof plannedChangeSchema>;

/** Answer of `POST /api/configuration/plan`: what would change, and how many things of each section stay as they are. */
export const configurationPlanSchema = z.object({
  changes: z.array(plannedChangeSchema),
  same: z.partialRecord(z.enum(SECTION_NAMES), z.int()),
});
export type ConfigurationPlan = z.infer<typeof configurationPlanSchema>;

/** Body of `POST /api/configuration`. `expected` is the plan that was decided on: with another one nothing is changed. */
export const configurationChangeSchema = z.object({
  configuration: configurationSchema,
  expected: z.array(stepSchema).check(z.maxLength(MAX_CONFIGURED)),
});
export type ConfigurationChange = z.infer<typeof configurationChangeSchema>;

/** Answer of `POST /api/configuration`: what was changed, and secrets of what was made, which are shown this once. */
export const configurationResultSchema = z.extend(configurationPlanSchema, {
  secrets: z.array(
    z.object({
      section: z.enum(SECTION_NAMES),
      name: z.string(),
      /** The key of a source. */
      key: z.optional(z.string()),
      /** The path of the address of a source or a heartbeat. */
      path: z.optional(z.string()),
      /** With which messages of a webhook are signed. */
      signingSecret: z.optional(z.string()),
    }),
  ),
});
export type ConfigurationResult = z.infer<typeof configurationResultSchema>;
