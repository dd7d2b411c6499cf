import {
  alertGroupDetailsSchema,
  alertGroupSchema,
  groupMemberSchema,
  groupingKindSchema,
  groupingRuleChangeSchema,
  groupingRuleSchema,
} from '#backend/contract/alert-group.ts';
import { flappingSchema } from '#backend/contract/flapping.ts';
import { flappingRuleChangeSchema, flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import type { Entities } from './account-entities.ts';

/** Groups of alerts, the rules that make them, and what is one card because it flaps. */
export const GROUP_ENTITIES: Entities = {
  AlertGroup: [alertGroupSchema, 'Alerts that are one card, as a list has them. `bars` are equal parts of their time.'],
  AlertGroupDetails: [alertGroupDetailsSchema, 'A group with its alerts, the worst first.'],
  AlertGroupMember: [groupMemberSchema, 'An alert of a group, in short.'],
  GroupingKind: [
    groupingKindSchema,
    'By what alerts belong together: the group of their sender, their deployment, or their customer and type.',
  ],
  GroupingRule: [groupingRuleSchema, 'A rule by which alerts become one card.'],
  GroupingRuleChange: [groupingRuleChangeSchema, 'What is to change; what is absent stays.'],
  Flapping: [
    flappingSchema,
    'How a problem opens and closes again and again. `turns` are when it did within the last `withinMinutes`, the newest 60, the oldest first; they alternate, and the last one opened it where it `isOpen`.',
  ],
  FlappingRule: [
    flappingRuleSchema,
    'A problem that opens more often than `times` in `withinMinutes` is one card. `ownSources` is how many sources say something else for their own problems.',
  ],
  FlappingRuleChange: [flappingRuleChangeSchema, 'What is to change; what is absent stays.'],
};
