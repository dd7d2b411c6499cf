import { type EntityManager, EntitySchema, In } from 'typeorm';
import type { Ladder } from '#backend/contract/ladder.ts';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** A stored rule: which alerts go to which destinations, and on what. */
export interface StoredOutgoingRule {
  id: string;
  name: string;
  /** The name as it is compared: no two rules have the same. */
  nameKey: string;
  search: string;
  /** {@link OutgoingEvent}s as JSON. */
  events: string;
  /** Ids of destinations as JSON. */
  destinationIds: string;
  /** A {@link Ladder} as JSON; null where it has none. */
  ladder: string | null;
  isOn: boolean;
  /** From when on changes of alerts are sent: it was made or switched on then, or led nowhere before. */
  activeSince: number;
  /** Display name of the administrator who changed it last. */
  changedBy: string;
  changedAt: number;
  createdAt: number;
  version: number;
}

export const OutgoingRuleEntity = new EntitySchema<StoredOutgoingRule>({
  name: 'OutgoingRule',
  tableName: 'outgoing_rules',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    nameKey: textColumn('name_key', 200),
    search: longTextColumn('search'),
    events: textColumn('events', 100),
    destinationIds: longTextColumn('destination_ids'),
    ladder: nullable(longTextColumn('ladder')),
    isOn: { type: 'boolean', name: 'is_on' },
    activeSince: timeColumn('active_since'),
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

/** Names of rules by their ids; those that are deleted have none. */
export async function nameRules(
  reads: Pick<EntityManager, 'getRepository'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rules = await reads
    .getRepository(OutgoingRuleEntity)
    .find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
  return new Map(rules.map(({ id, name }) => [id, name]));
}

export const eventsOfRule = ({ events }: Pick<StoredOutgoingRule, 'events'>): OutgoingEvent[] =>
  JSON.parse(events) as OutgoingEvent[];

export const destinationsOfRule = ({ destinationIds }: Pick<StoredOutgoingRule, 'destinationIds'>): string[] =>
  JSON.parse(destinationIds) as string[];

export const ladderOfRule = ({ ladder }: Pick<StoredOutgoingRule, 'ladder'>): Ladder | null =>
  ladder === null ? null : (JSON.parse(ladder) as Ladder);

export const storedLadder = (ladder: Ladder | null): string | null => (ladder === null ? null : JSON.stringify(ladder));
