import {
  configurationChangeSchema,
  configurationPlanSchema,
  configurationResultSchema,
  configurationSchema,
  configuredArrivalRuleSchema,
  configuredDestinationSchema,
  configuredGroupSchema,
  configuredHeartbeatSchema,
  configuredLadderSchema,
  configuredRecipientSchema,
  configuredRuleSchema,
  configuredSourceSchema,
  configuredViewSchema,
  configuredWindowSchema,
  plannedChangeSchema,
} from '#backend/contract/configuration.ts';
import type { Entities } from './account-entities.ts';

/** What administrators set up, as one text. */
export const CONFIGURATION_ENTITIES: Entities = {
  Configuration: [
    configurationSchema,
    'What an installation is to have. An absent section is left as it is; of one that is there, what it does not name is deleted.',
  ],
  ConfiguredSource: [
    configuredSourceSchema,
    'A source. Absent settings are those of a new one, an absent secret stays.',
  ],
  ConfiguredHeartbeat: [
    configuredHeartbeatSchema,
    'A heartbeat. `source` is the name of a source of the type Opsgenie.',
  ],
  ConfiguredWindow: [configuredWindowSchema, 'A maintenance window; without `rrule` once.'],
  ConfiguredArrivalRule: [
    configuredArrivalRuleSchema,
    'A rule on what arrives. `owner` and `assignee` are emails; without `owner` a new one is of whoever runs the file, and others keep theirs.',
  ],
  ConfiguredDestination: [configuredDestinationSchema, 'A destination. Absent fields are empty, absent secrets stay.'],
  ConfiguredGroup: [configuredGroupSchema, 'A group of members, by their emails.'],
  ConfiguredRule: [configuredRuleSchema, 'An outgoing rule. `destinations` are names.'],
  ConfiguredLadder: [configuredLadderSchema, 'What happens until somebody takes an alert.'],
  ConfiguredRecipient: [
    configuredRecipientSchema,
    'Whom a step notifies: everybody online, a member by email, or a group, calendar or destination by name.',
  ],
  ConfiguredView: [configuredViewSchema, 'A view that everybody sees.'],
  ConfigurationPlan: [configurationPlanSchema, 'What a configuration would change, and how much of it stays.'],
  PlannedChange: [plannedChangeSchema, 'One step of a plan. Values are JSON; secrets are never in it.'],
  ConfigurationChange: [
    configurationChangeSchema,
    'A configuration to be applied, and the plan that was decided on: with another one nothing is changed.',
  ],
  ConfigurationResult: [
    configurationResultSchema,
    'What was changed. Keys, addresses and signing secrets of what was made are shown this once.',
  ],
};
