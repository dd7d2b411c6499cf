import { type AlertSeverity, alertUrgencySchema, urgencyOf } from '#backend/contract/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { BY_RANK, isOneOf } from '#backend/alerts/alert/alert-list.ts';
import type { Place } from './alert-branches.ts';

/** Finds that are sorted in memory; of more, each group is looked for apart from the others. */
export const MAX_SORTED = 2_000;

/** Alerts of which one statement reads severity and state. MariaDB makes a table of a list of 1,000 values. */
const READ_AT_ONCE = 500;

/** What a list is ordered by before the time. */
export type Grouping = 'status' | 'urgency';

/** The groups of an order, the first one first. */
const GROUPS: Record<Grouping, readonly NonNullable<Place['group']>[]> = {
  status: BY_RANK,
  urgency: alertUrgencySchema.options,
};

/**
 * Places in the order by status or by severity, each group newest first. Alerts that were deleted meanwhile are left out.
 *
 * @param places each with its alert's status
 */
export async function sortFinds(
  database: Pick<Database, 'reads' | 'dialect'>,
  places: readonly Place[],
  grouping: Grouping,
): Promise<Place[]> {
  const urgencies = grouping === 'urgency' ? await readUrgencies(database, places) : undefined;
  const grouped = places.flatMap((place): Place[] => {
    const group = urgencies ? urgencies.get(place.id) : place.status;
    return group === undefined ? [] : [{ ...place, group }];
  });
  return grouped.sort((one, other) => compare(one, other, grouping));
}

/** Those of sorted places that stand behind a cursor, which is a group and an id. */
export function placesBehind(places: readonly Place[], before: string | undefined, grouping: Grouping): Place[] {
  if (before === undefined) return [...places];
  const [group, id = ''] = before.split('~');
  const cursor = { id, group: GROUPS[grouping].find((one) => one === group) };
  return places.filter((place) => compare(cursor, place, grouping) < 0);
}

type Sorted = Pick<Place, 'id' | 'group'>;

function compare(one: Sorted, other: Sorted, grouping: Grouping): number {
  const rankOf = ({ group }: Sorted): number => (group === undefined ? -1 : GROUPS[grouping].indexOf(group));
  return rankOf(one) - rankOf(other) || (one.id > other.id ? -1 : one.id === other.id ? 0 : 1);
}

async function readUrgencies(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  places: readonly Place[],
): Promise<Map<string, Place['group']>> {
  const urgencies = new Map<string, Place['group']>();
  for (let at = 0; at < places.length; at += READ_AT_ONCE) {
    const { sql, values } = isOneOf(
      'id',
      places.slice(at, at + READ_AT_ONCE).map(({ id }) => id),
    );
    const rows: Pick<StoredAlert, 'id' | 'severity' | 'state'>[] = await reads.query(
      `SELECT id, severity, state FROM alerts ${dialect.byKey('alerts')} WHERE ${sql}`,
      values,
    );
    for (const { id, severity, state } of rows) {
      const known: AlertSeverity = severity ?? 'none';
      urgencies.set(id, urgencyOf({ severity: known, state: state ?? 'event' }));
    }
  }
  return urgencies;
}
