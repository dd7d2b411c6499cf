import { EntitySchema } from 'typeorm';
import type { GroupingKind } from '#backend/contract/alert-group.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';

/** A rule that an administrator has decided on; one that nobody has is off. */
export interface StoredGroupingRule {
  kind: GroupingKind;
  isOn: boolean;
  withinMinutes: number;
  /** Display name of an administrator. */
  changedBy: string;
  changedAt: number;
}

export const GroupingRuleEntity = new EntitySchema<StoredGroupingRule>({
  name: 'GroupingRule',
  tableName: 'grouping_rules',
  columns: {
    kind: primary(textColumn('kind', 16)),
    isOn: { type: 'boolean', name: 'is_on' },
    withinMinutes: { type: 'int', name: 'within_minutes' },
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
  },
});

/** Alerts that are one card. Which they are says `groupId` of alerts. */
export interface StoredGroup {
  id: string;
  /** The rule that made it, and what that said then. */
  kind: GroupingKind;
  withinMinutes: number;
  /** What its alerts have in common, in words of their senders. */
  shared: string;
  /** Hash of the rule and of what the alerts have in common; null once another group has begun with it. */
  openKey: string | null;
  /** Alerts that have joined, those included that were taken out or deleted since. */
  alerts: number;
  /** The last alert of it that notified while no other one in the inbox had; null while none has. */
  announcedId: string | null;
  /** The last critical alert of it that notified as such; null while none has. */
  criticalId: string | null;
  beganAt: number;
  /** When the newest alert arrived. */
  lastAt: number;
}

export const AlertGroupEntity = new EntitySchema<StoredGroup>({
  name: 'AlertGroup',
  tableName: 'alert_groups',
  columns: {
    id: primary(idColumn('id')),
    kind: textColumn('kind', 16),
    withinMinutes: { type: 'int', name: 'within_minutes' },
    shared: textColumn('shared', 500),
    openKey: nullable(textColumn('open_key', 64)),
    alerts: { type: 'int', name: 'alerts' },
    announcedId: nullable(idColumn('announced_id')),
    criticalId: nullable(idColumn('critical_id')),
    beganAt: timeColumn('began_at'),
    lastAt: timeColumn('last_at'),
  },
});
