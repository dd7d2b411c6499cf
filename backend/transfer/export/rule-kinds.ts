import { type ExportKind, flag, number, text, time } from './export-kind.ts';

/** Rules on what arrives, and how often they were applied. */
export const RULE_KINDS: readonly ExportKind[] = [
  {
    kind: 'rule',
    table: 'alert_rules',
    about: 'What is done with alerts as they arrive.',
    key: ['id'],
    fields: {
      id: text('Id of the rule.'),
      place: number('Its place among the rules: the lowest is applied first.'),
      name: text('Its name.'),
      search: text('Which alerts; empty for all.'),
      actions: text('What it does, as JSON.'),
      isOn: flag('Whether it is on.'),
      ownerId: text('The member who answers for it.'),
      offAt: time('When it switched itself off; null otherwise.'),
      offReason: text('Why.'),
      changedBy: text('Who changed it last.'),
      changedAt: time('When.'),
      createdAt: time('When it was made.'),
      version: number('Counts its changes.'),
    },
    long: ['search', 'actions'],
  },
  {
    kind: 'ruleHits',
    table: 'alert_rule_hits',
    about: 'How many reports a rule was applied to on one day.',
    key: ['rule_id', 'day'],
    fields: {
      ruleId: text('The rule.'),
      day: time('The beginning of the day in UTC.'),
      hits: number('How many.'),
      lastHitAt: time('When the last of them arrived.'),
    },
  },
];
