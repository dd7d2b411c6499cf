import { setImmediate } from 'node:timers/promises';
import {
  type Branch,
  type MeasuredRow,
  type Place,
  type Range,
  type RangeSize,
  asMeasured,
  asPlaces,
  readMeasured,
  withHits,
} from './alert-branches.ts';
import { allOf, anyOf, isOneOf } from '#backend/platform/database/conditions.ts';
import type { Search } from './prepare-search.ts';

/** Rows of a list from a cursor on; `stoppedAt` is where a search broke off before it had found enough. */
export interface Found {
  places: Place[];
  stoppedAt?: Place | undefined;
}

/** What a stretch of a list holds. `stoppedAt` is the last alert that was looked at, when it was not the stretch's end. */
export interface FoundInStretch {
  places: Place[];
  stoppedAt?: string | undefined;
}

/** Notes what was looked at for an answer. */
export function note(search: Search, { looked, found, bytes }: { looked: number; found: number; bytes: number }): void {
  search.looked += looked;
  search.found += found;
  search.bytesLeft -= bytes;
}

/** The first of these alerts that are in the branches and contain the texts; `stoppedAt` when there were too many bytes. */
export async function lookAt(search: Search, branches: Branch[], ids: string[], rows: number): Promise<FoundInStretch> {
  const known = await measureInBranches(search, branches, ids);
  note(search, { looked: ids.length, found: 0, bytes: 0 });
  // Without texts no payload is looked at, however large.
  if (!search.condition) return { places: asPlaces(known).slice(0, rows) };
  const places: Place[] = [];
  for (const slice of slicesOf(known, search.database.dialect.slice.bytes)) {
    const hits = await hitsAmong(search, slice.rows);
    places.push(...asPlaces(hits));
    note(search, { looked: 0, found: hits.length, bytes: slice.bytes });
    if (places.length >= rows) return { places: places.slice(0, rows) };
    if (search.bytesLeft <= 0) return { places, stoppedAt: slice.rows.at(-1)?.id };
    await setImmediate();
  }
  return { places };
}

/** Measures a short range and looks at it in one statement; at nothing where there are too many bytes. */
export async function lookAtRange(
  search: Search,
  branches: Branch[],
  range: Range,
  most: number,
): Promise<{ slice: RangeSize; places?: Place[] }> {
  const { reads, dialect } = search.database;
  const rows = await readMeasured(reads, dialect, branches, range, measured(search, range.rows));
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const slice = { rows: rows.length, bytes, end: rows.at(-1)?.id };
  if (bytes > dialect.slice.bytes && rows.length > 1) return { slice };
  return { slice, places: asPlaces(await hitsAmong(search, rows)).slice(0, most) };
}

/**
 * What is read of so many alerts that are measured and, where they are small, looked at. Each is looked at whose bytes
 * are no more than its share of what one statement may look at.
 */
const measured = ({ condition, database }: Search, rows: number) =>
  withHits(condition, Math.floor(database.dialect.slice.bytes / Math.max(1, rows)));

/** Those of the measured alerts that contain the texts. Large ones were not looked at when they were measured. */
async function hitsAmong({ database, condition }: Search, rows: MeasuredRow[]): Promise<MeasuredRow[]> {
  const large = rows.filter(({ isHit }) => isHit === undefined).map(({ id }) => id);
  if (large.length === 0 || !condition) return rows.filter(({ isHit }) => isHit);
  const { reads, dialect } = database;
  const { sql, values } = allOf([isOneOf('id', large), condition]);
  const found: { id: string }[] = await reads.query(
    `SELECT id FROM alerts ${dialect.byKey('alerts')} WHERE ${sql}`,
    values,
  );
  const hits = new Set(found.map(({ id }) => id));
  return rows.filter(({ id, isHit }) => isHit ?? hits.has(id));
}

/** Those of the alerts that are in the branches, in the order of the ids. */
async function measureInBranches(search: Search, branches: Branch[], ids: string[]): Promise<MeasuredRow[]> {
  if (ids.length === 0) return [];
  const { reads, dialect } = search.database;
  const columns = measured(search, ids.length);
  const { sql, values } = allOf([isOneOf('id', ids), anyOf(branches)]);
  const found = asMeasured(
    await reads.query(`SELECT ${columns.sql} FROM alerts ${dialect.byKey('alerts')} WHERE ${sql}`, [
      ...columns.values,
      ...values,
    ]),
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Alerts in groups that are looked at in one statement. */
function slicesOf(rows: readonly MeasuredRow[], mostBytes: number): { rows: MeasuredRow[]; bytes: number }[] {
  const slices: { rows: MeasuredRow[]; bytes: number }[] = [];
  for (const row of rows) {
    const last = slices.at(-1);
    if (last && last.bytes + row.bytes <= mostBytes) {
      last.rows.push(row);
      last.bytes += row.bytes;
    } else {
      slices.push({ rows: [row], bytes: row.bytes });
    }
  }
  return slices;
}
