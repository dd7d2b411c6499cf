import { setImmediate } from 'node:timers/promises';
import type { Database } from '#backend/platform/database/database.ts';
import { type Condition, allOf } from '#backend/platform/database/conditions.ts';
import { type StoredStatus, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';
import { type Branch, type Place, boundsWithin, fromIndex } from './alert-branches.ts';
import { type Found, lookAt } from './look-at-alerts.ts';
import { type Search, looksOn } from './prepare-search.ts';

type Reads = Pick<Database, 'reads' | 'dialect'>;

/** Has the completed alerts of a member's queue and folders in the order of their completion. */
export const COMPLETED_INDEX = 'alerts_completed';

/** Only what is completed is in the index on SQLite, which knows that of a query by these words alone. */
export const IS_COMPLETED: Condition = { sql: "status = 'completed'", values: [] };

/** Alerts whose texts are read together. */
const READ_AT_ONCE = 250;

/**
 * Completed alerts of a queue or a folder, which are one branch, after a cursor: the last completion first, and behind all
 * others those of which that time is not known, newest first. A search looks through them in this order.
 */
export async function findCompleted(
  database: Reads,
  search: Search | undefined,
  [branch]: readonly Branch[],
  cursor: string | undefined,
  rows: number,
): Promise<Found> {
  if (!branch) return { places: [] };
  if (!search?.condition) return { places: await readCompleted(database, branch, cursor, rows) };
  const places: Place[] = [];
  for (let from = cursor; ;) {
    const some = await readCompleted(database, branch, from, READ_AT_ONCE);
    const byId = new Map(some.map((place) => [place.id, place]));
    const found = await lookAt(search, [branch], [...byId.keys()], rows - places.length);
    places.push(...found.places.flatMap(({ id }) => byId.get(id) ?? []));
    if (places.length >= rows) return { places };
    if (found.stoppedAt !== undefined) return { places, stoppedAt: byId.get(found.stoppedAt) };
    const last = some.at(-1);
    if (!last || some.length < READ_AT_ONCE) return { places };
    if (!looksOn(search)) return { places, stoppedAt: last };
    from = `${last.group}~${last.id}`;
    await setImmediate();
  }
}

async function readCompleted(
  database: Reads,
  branch: Branch,
  cursor: string | undefined,
  rows: number,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const after of rangesAfter(cursor)) {
    if (places.length < rows) places.push(...(await readRange(database, branch, after, rows - places.length)));
  }
  return places;
}

/** What comes after a cursor, each a range of the index: those of the same moment, the earlier ones, those without a time. */
function rangesAfter(cursor: string | undefined): CompletedRange[] {
  const order = 'completed_at DESC, id DESC';
  if (cursor === undefined) return [{ sql: '1 = 1', values: [], order }];
  const [time = '', id = ''] = cursor.split('~');
  const completedAt = Number(time);
  // Where all have the same time, MariaDB sorts by hand when the order names it.
  const byId = 'id DESC';
  if (completedAt === 0) return [{ sql: 'completed_at IS NULL AND id < ?', values: [id], order: byId }];
  return [
    { sql: 'completed_at = ? AND id < ?', values: [completedAt, id], order: byId },
    { sql: 'completed_at < ?', values: [completedAt], order },
    { sql: 'completed_at IS NULL', values: [], order: byId },
  ];
}

/** A condition on the time, and the order of its rows in the index. */
interface CompletedRange extends Condition {
  order: string;
}

async function readRange(
  { reads, dialect }: Reads,
  branch: Branch,
  after: CompletedRange,
  rows: number,
): Promise<Place[]> {
  const { sql, values } = allOf([branch, IS_COMPLETED, after, ...boundsWithin(branch.range, [])]);
  const found: { id: string; status: StoredStatus; completedAt: number | string | null }[] = await reads.query(
    `SELECT id, status, completed_at AS completedAt FROM ${fromIndex(dialect, { index: COMPLETED_INDEX })} ` +
      `WHERE ${sql} ORDER BY ${after.order} LIMIT ${rows}`,
    values,
  );
  return found.map(({ id, status, completedAt }) => ({
    id,
    status: visibleStatusOf(status),
    group: `${Number(completedAt ?? 0)}`,
  }));
}
