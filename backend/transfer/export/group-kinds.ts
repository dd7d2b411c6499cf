import { DERIVED, type ExportKind, flag, number, text, time } from './export-kind.ts';

/** Groups of alerts, the rules that make them, and the rule for what flaps. */
export const GROUP_KINDS: readonly ExportKind[] = [
  {
    kind: 'groupingRule',
    table: 'grouping_rules',
    about: 'A rule by which alerts become one card, where an administrator has decided on it.',
    key: ['kind'],
    fields: {
      kind: text('`sender`, `deployment` or `names`.'),
      isOn: flag('Whether it is on.'),
      withinMinutes: number('The longest pause between two alerts of a group, in minutes.'),
      changedBy: text('Who decided last.'),
      changedAt: time('When.'),
    },
  },
  {
    kind: 'alertGroup',
    table: 'alert_groups',
    about: 'Alerts that are one card; which they are says `groupId` of alerts.',
    key: ['id'],
    fields: {
      id: text('Id of the group.'),
      kind: text('The rule that made it.'),
      withinMinutes: number('What that had as the longest pause.'),
      shared: text('What its alerts have in common.'),
      alerts: number('Alerts that have joined it.'),
      announcedId: text('The last alert of it that notified while no other one in the inbox had; null while none has.'),
      criticalId: text('The last critical alert of it that notified as such; null while none has.'),
      beganAt: time('When its first alert arrived.'),
      lastAt: time('When its newest alert arrived.'),
    },
    leftOut: { open_key: DERIVED },
  },
  {
    kind: 'flappingRule',
    table: 'flapping_rules',
    about: 'How often a problem opens until it counts as flapping, where an administrator has decided on it.',
    key: ['id'],
    fields: {
      id: text('`all`.'),
      isOn: flag('Whether it is on.'),
      times: number('A problem flaps that opens more often than this'),
      withinMinutes: number('in so many minutes.'),
      changedBy: text('Who decided last.'),
      changedAt: time('When.'),
    },
  },
];
