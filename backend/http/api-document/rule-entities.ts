import {
  newRuleSchema,
  ruleActionsSchema,
  ruleChangeSchema,
  ruleDryRunQuerySchema,
  ruleDryRunSchema,
  ruleOrderSchema,
  ruleSchema,
} from '#backend/contract/rule.ts';
import type { Entities } from './account-entities.ts';

/** Rules on what arrives. */
export const RULE_ENTITIES: Entities = {
  Rule: [ruleSchema, 'What is done with alerts as they arrive, and how often it was.'],
  NewRule: [
    newRuleSchema,
    'A rule to be made. `search` is in the language of searches, without times, owner, status and folder.',
  ],
  RuleChange: [ruleChangeSchema, 'What is to change; what is absent stays. `actions` are changed as a whole.'],
  RuleActions: [
    ruleActionsSchema,
    'What a rule does. `assigneeId` and `snoozeMinutes` apply to new alerts, the rest to every report; `stop` leaves out later rules.',
  ],
  RuleOrder: [ruleOrderSchema, 'The ids of all rules, in their new order.'],
  RuleDryRunQuery: [
    ruleDryRunQuerySchema,
    'A change of the rules that is not saved: of the rule `id`, of a new one, or of the order.',
  ],
  RuleDryRun: [ruleDryRunSchema, 'What a change of the rules would have made of the newest alerts.'],
};
