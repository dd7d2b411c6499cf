import { type EntityManager, EntitySchema, In } from 'typeorm';
import { type RuleActions, ruleActionsSchema } from '#backend/contract/rule.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** A stored rule: which reports it is about, and what it does with them. */
export interface StoredRule {
  id: string;
  /** Rules are applied in this order, the lowest first; of two with the same, the older first. */
  place: number;
  name: string;
  search: string;
  /** {@link RuleActions} as JSON. */
  actions: string;
  isOn: boolean;
  /** The member who answers for it. */
  ownerId: string;
  /** When and why it switched itself off; null once somebody switched it. */
  offAt: number | null;
  offReason: string | null;
  /** Display name of the administrator who changed it last. */
  changedBy: string;
  changedAt: number;
  createdAt: number;
  version: number;
}

export const RuleEntity = new EntitySchema<StoredRule>({
  name: 'AlertRule',
  tableName: 'alert_rules',
  columns: {
    id: primary(idColumn('id')),
    place: { type: 'int', name: 'place' },
    name: textColumn('name', 100),
    search: longTextColumn('search'),
    actions: longTextColumn('actions'),
    isOn: { type: 'boolean', name: 'is_on' },
    ownerId: idColumn('owner_id'),
    offAt: nullable(timeColumn('off_at')),
    offReason: nullable(textColumn('off_reason', 300)),
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

/** How many reports a rule was applied to on one day. */
export interface StoredRuleHits {
  ruleId: string;
  /** The beginning of the day in UTC. */
  day: number;
  hits: number;
  lastHitAt: number;
}

export const RuleHitsEntity = new EntitySchema<StoredRuleHits>({
  name: 'AlertRuleHits',
  tableName: 'alert_rule_hits',
  columns: {
    ruleId: primary(idColumn('rule_id')),
    day: primary(timeColumn('day')),
    hits: { type: 'int', name: 'hits' },
    lastHitAt: timeColumn('last_hit_at'),
  },
});

/** Names of rules by their ids; those that are deleted have none. */
export async function nameRulesOnArrival(
  reads: Pick<EntityManager, 'getRepository'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rules = await reads
    .getRepository(RuleEntity)
    .find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
  return new Map(rules.map(({ id, name }) => [id, name]));
}

/** What a stored rule does; undefined where what is stored is not understood. */
export function actionsOf({ actions }: Pick<StoredRule, 'actions'>): RuleActions | undefined {
  try {
    return ruleActionsSchema.safeParse(JSON.parse(actions)).data;
  } catch {
    return undefined;
  }
}
