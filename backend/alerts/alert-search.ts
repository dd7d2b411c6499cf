import { setImmediate } from 'node:timers/promises';
import type { AppContext } from '#backend/context.ts';
import type { Database } from '#backend/database/database.ts';
import { type SearchIndex, SearchIndexError } from '#backend/search/search-index.ts';
import { isLongEnough, spellingsOf } from '#backend/search/search-text.ts';
import { type Branch, type Place, type Range, asPlaces, measureBranches, readBranches } from './alert-branches.ts';
import { countEntries } from './alert-counts.ts';
import { type Condition, type IdRange, type NarrowedList, allOf, anyOf } from './alert-list.ts';

/** Alerts that are counted before a total becomes "at least so many". */
export const MAX_COUNTED = 500;

/** Candidates of the index that are looked at together, and alerts of a list that stand far apart in it. */
const CANDIDATES_AT_ONCE = 250;
const SPARSE_AT_ONCE = MAX_COUNTED + 1;

/** A text that is looked for, and where. */
export interface Search {
  database: Pick<Database, 'reads' | 'dialect'>;
  /** What an alert that contains the texts meets. */
  condition: Condition;
  /** The index, where there is one and the text is long enough for it, and what to ask it. */
  index: { of: SearchIndex; texts: string[][] } | undefined;
  size: SearchedSize;
  /** Ids from this one on and below that one, where times are named. */
  range: IdRange;
  /** Bytes of alerts that are still looked through for this answer. */
  bytesLeft: number;
}

/** What counters say of a list that is searched. */
interface SearchedSize {
  /** Alerts that its filter lets through, at most. */
  alerts: number;
  /** Entries of indexes among which they are found. */
  entries: number;
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

/**
 * Prepares to look for the texts that a list is searched for, each somewhere in title, customer, url or payload,
 * case-insensitively. Undefined when there are none.
 *
 * @param alerts how many alerts the list holds at most, as `sizeOfAll` knows
 */
export async function createSearch(
  { database, search: index }: Pick<AppContext, 'database' | 'search'>,
  { parts, texts, range }: NarrowedList,
  alerts: number,
): Promise<Search | undefined> {
  if (texts.length === 0) return undefined;
  const spelled = texts.map(spellingsOf);
  const indexed = spelled.filter(isLongEnough);
  return {
    database,
    condition: allOf(
      spelled.map((spellings) => database.dialect.contains(['payload', 'url', 'customer', 'title'], spellings)),
    ),
    index: indexed.length > 0 ? { of: index, texts: indexed } : undefined,
    size: { alerts, entries: await countEntries(database.reads, parts) },
    range,
    bytesLeft: database.dialect.scanBytes,
  };
}

/**
 * Alerts of the branches that contain the texts. A short list is looked through from the cursor on, so many rows at most.
 * A long one is asked of the index, but for its newest alerts, which are not in it yet; and so is what is rare in a list
 * whose few alerts stand far apart.
 */
export async function findInBranches(search: Search, branches: Branch[], wanted: Wanted): Promise<FoundInStretch> {
  if (branches.length === 0) return { places: [] };
  try {
    const indexedTo = (await isForIndex(search, wanted)) ? await search.index?.of.indexedTo() : undefined;
    if (indexedTo !== undefined) return await findWithIndex(search, branches, wanted, indexedTo);
  } catch (error) {
    if (!(error instanceof SearchIndexError)) throw error;
  }
  return isSparse(search.size) ? scanSparse(search, branches, wanted) : scan(search, branches, wanted, undefined);
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

/** How many finds to ask for to count them: one more than there can be, or than is counted. */
export const rowsToCount = ({ database, size }: Search): number =>
  (size.alerts <= database.dialect.scanRows && !isSparse(size) ? size.alerts : Math.min(size.alerts, MAX_COUNTED)) + 1;

/** Whether a list's alerts stand far apart in its indexes, as those of one name among many do. */
const isSparse = ({ alerts, entries }: SearchedSize): boolean => entries > MAX_DENSE_ENTRIES && alerts < entries / 4;

/** Fewer entries are not worth a second look. */
const MAX_DENSE_ENTRIES = 10_000;

async function isForIndex({ database, index, size, range }: Search, { cursor, order }: Wanted): Promise<boolean> {
  const { scanRows } = database.dialect;
  if (index === undefined || size.entries <= scanRows) return false;
  if (size.alerts > scanRows) return true;
  const first = cursor ?? startOf(range, order);
  const { next } = await index.of.candidates(index.texts, first, order, CANDIDATES_AT_ONCE);
  return next === undefined;
}

/** Where a search begins that has no cursor yet. */
const startOf = (range: IdRange, order: 'ASC' | 'DESC'): string | undefined =>
  order === 'DESC' ? range.below : undefined;

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
  const { scanRows } = search.database.dialect;
  const places: Place[] = [];
  let from = cursor ?? startOf(search.range, order);
  for (let looked = 0; looked < scanRows; looked += CANDIDATES_AT_ONCE) {
    const found = await search.index?.of.candidates(search.index.texts, from, order, CANDIDATES_AT_ONCE);
    const known = found?.ids.filter((id) => id <= indexedTo && isInRange(search.range, id)) ?? [];
    const { places: hits, stoppedAt } = await lookAt(search, branches, known, rows - places.length);
    places.push(...hits);
    if (places.length >= rows || stoppedAt !== undefined) return { places, stoppedAt };
    if (found?.next === undefined || isBehind(search.range, found.next, order)) return { places };
    from = found.next;
  }
  return { places, stoppedAt: from };
}

/** Finds alerts of the branches in indexes alone, and looks at them by their ids. */
async function scanSparse(
  search: Search,
  branches: Branch[],
  { cursor, order, rows }: Wanted,
): Promise<FoundInStretch> {
  const { reads, dialect } = search.database;
  const places: Place[] = [];
  let from = cursor;
  for (let looked = 0; looked < dialect.scanRows; looked += SPARSE_AT_ONCE) {
    const range = { bounds: boundsOf({ cursor: from, order }), order, rows: SPARSE_AT_ONCE };
    const ids = (await readBranches(reads, dialect, branches, range)).map(({ id }) => id);
    const { places: hits, stoppedAt } = await lookAt(search, branches, ids, rows - places.length);
    places.push(...hits);
    if (places.length >= rows || stoppedAt !== undefined) return { places, stoppedAt };
    if (ids.length < SPARSE_AT_ONCE) return { places };
    from = ids.at(-1);
  }
  return { places, stoppedAt: from };
}

/** The first of these alerts that are in the branches and contain the texts; `stoppedAt` when there were too many bytes. */
async function lookAt(search: Search, branches: Branch[], ids: string[], rows: number): Promise<FoundInStretch> {
  const { reads, dialect } = search.database;
  const { sql, values } = allOf([anyOf(branches), search.condition]);
  const places: Place[] = [];
  for (const slice of await slicesOf(search, ids)) {
    const hits = asPlaces(
      await reads.query(
        `SELECT id, status FROM alerts ${dialect.byKey('alerts')} WHERE id IN (${slice.ids.map(() => '?').join(', ')}) AND ${sql}`,
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
  return { places };
}

const isInRange = ({ from, below }: IdRange, id: string): boolean =>
  (from === undefined || id >= from) && (below === undefined || id < below);

/** Whether nothing of a range comes after an id. */
const isBehind = ({ from, below }: IdRange, id: string, order: 'ASC' | 'DESC'): boolean =>
  order === 'DESC' ? from !== undefined && id < from : below !== undefined && id >= below;

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
