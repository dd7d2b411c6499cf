import { setImmediate } from 'node:timers/promises';
import type { Database } from '#backend/database/database.ts';
import { type SearchIndex, SearchIndexError } from '#backend/search/search-index.ts';
import { gramsQuery, spellingsOf } from '#backend/search/search-text.ts';
import {
  type Branch,
  type Place,
  type Range,
  asPlaces,
  idAtDepth,
  measureBranches,
  readBranches,
} from './alert-branches.ts';
import { type Condition, allOf, anyOf } from './alert-list.ts';

/** Alerts that are counted before a total becomes "at least so many". */
export const MAX_COUNTED = 500;

/** Candidates of the index that are looked at together. */
const CANDIDATES_AT_ONCE = 250;

/** A text that is looked for, and where. */
export interface Search {
  database: Pick<Database, 'reads' | 'dialect'>;
  /** What an alert that contains the text meets. */
  condition: Condition;
  /** The index, where there is one and the text is long enough for it, and what to ask it. */
  index: { of: SearchIndex; grams: string } | undefined;
  /** Bytes of alerts that are still looked through for this answer. */
  bytesLeft: number;
}

/** Rows of a scan's first slice; the next ones are longer where alerts are small. */
const FIRST_SLICE_ROWS = 100;

/** Where to go on, which way, and how many alerts to find. */
interface Wanted {
  cursor: string | undefined;
  order: 'ASC' | 'DESC';
  rows: number;
}

/** What a stretch of a list holds. `stoppedAt` is the last alert that was looked at, when it was not the stretch's end. */
interface FoundInStretch {
  places: Place[];
  stoppedAt?: string | undefined;
}

/** Prepares to look for a text in title, customer, url and payload, case-insensitively. */
export function createSearch(
  database: Pick<Database, 'reads' | 'dialect'>,
  index: SearchIndex | undefined,
  text: string,
): Search {
  const spellings = spellingsOf(text);
  const grams = gramsQuery(spellings);
  return {
    database,
    condition: database.dialect.contains(['payload', 'url', 'customer', 'title'], spellings),
    index: index && grams !== undefined ? { of: index, grams } : undefined,
    bytesLeft: database.dialect.scanBytes,
  };
}

/**
 * Alerts of the branches that contain the text. A list without index, or one that is short, is looked through from the
 * cursor on, so many rows at most. A long one is asked of the index, but for its newest alerts, which are not in it yet.
 */
export async function findInBranches(search: Search, branches: Branch[], wanted: Wanted): Promise<FoundInStretch> {
  if (branches.length === 0) return { places: [] };
  try {
    const indexedTo = (await isLong(search, branches, wanted)) ? await search.index?.of.indexedTo() : undefined;
    if (indexedTo !== undefined) return await findWithIndex(search, branches, wanted, indexedTo);
  } catch (error) {
    if (!(error instanceof SearchIndexError)) throw error;
  }
  return scan(search, branches, wanted, undefined);
}

async function findWithIndex(
  search: Search,
  branches: Branch[],
  wanted: Wanted,
  indexedTo: string,
): Promise<FoundInStretch> {
  const stretches = [
    (want: Wanted) => scan(search, branches, want, indexedTo),
    (want: Wanted) => findByIndex(search, branches, want, indexedTo),
  ];
  const places: Place[] = [];
  for (const find of wanted.order === 'DESC' ? stretches : stretches.toReversed()) {
    const found = await find({ ...wanted, rows: wanted.rows - places.length });
    places.push(...found.places);
    if (places.length >= wanted.rows || found.stoppedAt) return { places, stoppedAt: found.stoppedAt };
  }
  return { places };
}

/**
 * How many finds to ask for to count them: one more than there can be, or than is counted.
 *
 * @param size how many alerts the list holds
 */
export const rowsToCount = ({ database }: Search, size: number): number =>
  (size <= database.dialect.scanRows ? size : MAX_COUNTED) + 1;

/** True when there are more rows from the cursor on than one scan looks at. */
async function isLong({ database, index }: Search, branches: Branch[], wanted: Wanted): Promise<boolean> {
  const { reads, dialect } = database;
  if (index === undefined) return false;
  const range = { bounds: boundsOf(wanted), order: wanted.order, rows: dialect.scanRows };
  return (await idAtDepth(reads, dialect, branches, range)) !== undefined;
}

/**
 * Looks through the rows from the cursor on, slice by slice: so many rows and bytes at most, one slice at least, and only
 * those with an id above `newerThan`. Other work gets its turn between two slices.
 */
async function scan(
  search: Search,
  branches: Branch[],
  wanted: Wanted,
  newerThan: string | undefined,
): Promise<FoundInStretch> {
  const { reads, dialect } = search.database;
  const { order } = wanted;
  const lower: Range['bounds'] = newerThan === undefined ? [] : [{ operator: '>', id: newerThan }];
  const places: Place[] = [];
  let from = wanted.cursor;
  let sliceRows = FIRST_SLICE_ROWS;
  for (let looked = 0; looked < dialect.scanRows && (looked === 0 || search.bytesLeft > 0);) {
    const rows = Math.min(sliceRows, dialect.scanRows - looked);
    const bounds = [...boundsOf({ cursor: from, order }), ...lower];
    const slice = await measureBranches(reads, dialect, branches, { bounds, order, rows });
    if (slice.end === undefined) return { places };
    if (slice.bytes > dialect.slice.bytes && slice.rows > 1) {
      sliceRows = Math.max(1, Math.floor((slice.rows * dialect.slice.bytes) / slice.bytes));
      continue;
    }
    bounds.push({ operator: order === 'DESC' ? '>=' : '<=', id: slice.end });
    const range = { bounds, order, rows: wanted.rows - places.length, condition: search.condition };
    places.push(...(await readBranches(reads, dialect, branches, range)));
    if (places.length >= wanted.rows || slice.rows < rows) return { places };
    looked += slice.rows;
    search.bytesLeft -= slice.bytes;
    from = slice.end;
    sliceRows = Math.min(2 * slice.rows, dialect.slice.rows);
    await setImmediate();
  }
  return { places, stoppedAt: from };
}

const boundsOf = ({ cursor, order }: Pick<Wanted, 'cursor' | 'order'>): Range['bounds'] =>
  cursor === undefined ? [] : [{ operator: order === 'DESC' ? '<' : '>', id: cursor }];

/** Asks the index for candidates, group by group, and keeps those that are in the branches and do contain the text. */
async function findByIndex(
  search: Search,
  branches: Branch[],
  { cursor, order, rows }: Wanted,
  indexedTo: string,
): Promise<FoundInStretch> {
  const { reads, dialect } = search.database;
  const { sql, values } = allOf([anyOf(branches), search.condition]);
  const places: Place[] = [];
  let from = cursor;
  for (let looked = 0; looked < dialect.scanRows; looked += CANDIDATES_AT_ONCE) {
    const ids = (await search.index?.of.candidates(search.index.grams, from, order, CANDIDATES_AT_ONCE)) ?? [];
    const known = ids.filter((id) => id <= indexedTo);
    for (const slice of await slicesOf(search, known)) {
      const hits = asPlaces(
        await reads.query(
          `SELECT id, status FROM alerts WHERE id IN (${slice.ids.map(() => '?').join(', ')}) AND ${sql}`,
          [...slice.ids, ...values],
        ),
      );
      const byId = new Map(hits.map((hit) => [hit.id, hit]));
      places.push(...slice.ids.flatMap((id) => byId.get(id) ?? []));
      if (places.length >= rows) return { places: places.slice(0, rows) };
      search.bytesLeft -= slice.bytes;
      if (search.bytesLeft <= 0) return { places, stoppedAt: slice.ids.at(-1) };
      await setImmediate();
    }
    if (ids.length < CANDIDATES_AT_ONCE) return { places };
    from = ids.at(-1);
  }
  return { places, stoppedAt: from };
}

/** Candidates in groups that are looked at in one statement. */
async function slicesOf({ database }: Search, ids: string[]): Promise<{ ids: string[]; bytes: number }[]> {
  if (ids.length === 0) return [];
  const rows: { id: string; bytes: unknown }[] = await database.reads.query(
    'SELECT id, OCTET_LENGTH(payload) + OCTET_LENGTH(url) AS bytes FROM alerts ' +
      `WHERE id IN (${ids.map(() => '?').join(', ')})`,
    ids,
  );
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]));
  const slices: { ids: string[]; bytes: number }[] = [];
  for (const id of ids) {
    const bytes = bytesOf.get(id) ?? 0;
    const last = slices.at(-1);
    if (last && last.bytes + bytes <= database.dialect.slice.bytes) {
      last.ids.push(id);
      last.bytes += bytes;
    } else {
      slices.push({ ids: [id], bytes });
    }
  }
  return slices;
}
