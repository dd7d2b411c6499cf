import { setImmediate as nextTurn } from 'node:timers/promises';
import { alertSeveritySchema, alertUrgencySchema, urgencyOf } from '#backend/contract/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { countAlerts, countByVisibleStatus } from '#backend/alerts/alert/alert-counts.ts';
import { isOneOf } from '#backend/platform/database/conditions.ts';
import { BY_RANK, type NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import type { Branch, Place } from './alert-branches.ts';
import { type Found, lookAt } from './look-at-alerts.ts';
import { ENTRIES_PER_READ, type Search } from './prepare-search.ts';

/** Finds that are sorted in memory; of more, each group is looked for apart from the others. */
export const MAX_SORTED = 5_000;

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
  const isKnown = grouping === 'status' || places.every(({ urgency }) => urgency !== undefined);
  const urgencies = isKnown ? undefined : await readUrgencies(database, places);
  const grouped = places.flatMap((place): Place[] => {
    const group = grouping === 'status' ? place.status : (place.urgency ?? urgencies?.get(place.id));
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

/** Alerts of a name by which is estimated in which groups the others are. */
const SAMPLE = 100;

/**
 * All alerts of a list that have the names of a search, whatever they contain, sorted. Undefined where they are too many,
 * or where a page is sooner full if the list is read group by group: not if the first groups have many alerts, and none
 * of these.
 *
 * @param findFirst finds so many of them, newest first
 * @param before the place that the page comes after: groups before it are not read
 */
export async function sortNamed(
  { database, size, index }: Search,
  list: NarrowedList,
  findFirst: (rows: number) => Promise<Found>,
  grouping: Grouping,
  before: string | undefined,
): Promise<Place[] | undefined> {
  if (!index || index.question.names.length === 0 || size.alerts >= MAX_SORTED) return undefined;
  const sample = await findFirst(SAMPLE);
  if (sample.places.length === SAMPLE) {
    const [first] = await sortFinds(database, sample.places, grouping);
    const rankOf = (group: string | undefined) => GROUPS[grouping].findIndex((one) => one === group);
    const isBegun = before !== undefined && rankOf(first?.group) <= rankOf(before.split('~')[0]);
    const passed = isBegun ? 0 : await entriesBefore(database.reads, list, first?.group);
    if (passed < size.alerts * ENTRIES_PER_READ) return undefined;
  }
  const { places, stoppedAt } = await findFirst(MAX_SORTED);
  const isWhole = stoppedAt === undefined && places.length < MAX_SORTED;
  return isWhole ? sortFinds(database, places, grouping) : undefined;
}

/** How many alerts a list has, whatever their names, in groups that come before one. */
async function entriesBefore(
  reads: Database['reads'],
  { parts }: NarrowedList,
  group: Place['group'],
): Promise<number> {
  const rank = BY_RANK.findIndex((status) => status === group);
  const severities = alertSeveritySchema.options;
  const before = group === 'resolved' ? severities : severities.filter((_, at) => at < severityRank(group));
  const counts = await Promise.all(
    parts.map(async ({ list, filter: { status, completion } }) => {
      if (rank === -1) {
        return before.length === 0 ? 0 : countAlerts(reads, list, { status, completion, severity: [...before] });
      }
      const count = await countByVisibleStatus(reads, list);
      return BY_RANK.slice(0, rank).reduce((sum, one) => sum + count(one), 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const severityRank = (group: Place['group']): number =>
  alertSeveritySchema.options.findIndex((severity) => group === severity || group === `${severity}-acknowledged`);

/**
 * So many sorted places whose alerts contain the texts of a search, or all where none are asked for; `stoppedAt` is where
 * there were too many bytes.
 *
 * @param branches those of the list
 */
export async function lookInOrder(search: Search, branches: Branch[], sorted: Place[], rows: number): Promise<Found> {
  if (!search.condition) return { places: sorted.slice(0, rows) };
  const places: Place[] = [];
  for (let at = 0; at < sorted.length && places.length < rows; at += READ_AT_ONCE) {
    const some = sorted.slice(at, at + READ_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const { places: hits, stoppedAt } = await lookAt(search, branches, ids, rows - places.length);
    const found = new Set(hits.map(({ id }) => id));
    places.push(...some.filter(({ id }) => found.has(id)));
    if (stoppedAt !== undefined) return { places, stoppedAt: some.find(({ id }) => id === stoppedAt) };
  }
  return { places };
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
    // SQLite reads without waiting for anything.
    if (at > 0) await nextTurn();
    const { sql, values } = isOneOf(
      'id',
      places.slice(at, at + READ_AT_ONCE).map(({ id }) => id),
    );
    const rows: Pick<StoredAlert, 'id' | 'severity' | 'state'>[] = await reads.query(
      `SELECT id, severity, state FROM alerts ${dialect.byKey('alerts')} WHERE ${sql}`,
      values,
    );
    for (const { id, severity, state } of rows) {
      urgencies.set(id, urgencyOf({ severity: severity ?? 'none', state: state ?? 'event' }));
    }
  }
  return urgencies;
}
