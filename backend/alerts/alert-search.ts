import type { Database } from '#backend/database/database.ts';
import { type SearchIndex, SearchIndexError } from '#backend/search/search-index.ts';
import { gramsQuery, spellingsOf } from '#backend/search/search-text.ts';
import { type Branch, type Place, type Range, idAtDepth, readBranches } from './alert-branches.ts';
import { type Condition, allOf, anyOf } from './condition.ts';

/** Found alerts that are counted before a total becomes "at least so many". */
const MAX_COUNTED = 500;

/** Candidates of the index that are looked at together. */
const CANDIDATES_AT_ONCE = 250;

/** A text that is looked for, and where. */
export interface Search {
  database: Pick<Database, 'reads' | 'dialect'>;
  /** What an alert that contains the text meets. */
  condition: Condition;
  /** The index, where there is one and the text is long enough for it, and what to ask it. */
  index: { of: SearchIndex; grams: string } | undefined;
}

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

/** Prepares to look for a text in customer, url and payload, whatever its case (spec.md section 2, System-Wide Alerts). */
export function createSearch(
  database: Pick<Database, 'reads' | 'dialect'>,
  index: SearchIndex | undefined,
  text: string,
): Search {
  const spellings = spellingsOf(text);
  const grams = gramsQuery(spellings);
  return {
    database,
    condition: database.dialect.contains(['payload', 'url', 'customer'], spellings),
    index: index && grams !== undefined ? { of: index, grams } : undefined,
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
  return index !== undefined && (await endOfScan(database, branches, wanted, [])) !== undefined;
}

/** Looks through the rows from the cursor on, so many at most, and only those with an id above `newerThan`. */
async function scan(
  { database, condition }: Search,
  branches: Branch[],
  wanted: Wanted,
  newerThan: string | undefined,
): Promise<FoundInStretch> {
  const lower: Range['bounds'] = newerThan === undefined ? [] : [{ operator: '>', id: newerThan }];
  const stoppedAt = await endOfScan(database, branches, wanted, lower);
  const bounds = [...boundsOf(wanted), ...lower];
  if (stoppedAt !== undefined) bounds.push({ operator: wanted.order === 'DESC' ? '>=' : '<=', id: stoppedAt });
  const { order, rows } = wanted;
  const places = await readBranches(database.reads, database.dialect, branches, { bounds, order, rows, condition });
  return { places, stoppedAt: places.length < rows ? stoppedAt : undefined };
}

/** The last row that a scan looks at, when there are more behind it. */
async function endOfScan(
  { reads, dialect }: Search['database'],
  branches: Branch[],
  wanted: Wanted,
  more: Range['bounds'],
): Promise<string | undefined> {
  const bounds = [...boundsOf(wanted), ...more];
  return idAtDepth(reads, dialect, branches, { bounds, order: wanted.order, rows: dialect.scanRows });
}

const boundsOf = ({ cursor, order }: Wanted): Range['bounds'] =>
  cursor === undefined ? [] : [{ operator: order === 'DESC' ? '<' : '>', id: cursor }];

/** Asks the index for candidates, group by group, and keeps those that are in the branches and do contain the text. */
async function findByIndex(
  { database, condition, index }: Search,
  branches: Branch[],
  { cursor, order, rows }: Wanted,
  indexedTo: string,
): Promise<FoundInStretch> {
  const { reads, dialect } = database;
  const { sql, values } = allOf([anyOf(branches), condition]);
  const places: Place[] = [];
  let from = cursor;
  for (let looked = 0; looked < dialect.scanRows && places.length < rows; looked += CANDIDATES_AT_ONCE) {
    const ids = (await index?.of.candidates(index.grams, from, order, CANDIDATES_AT_ONCE)) ?? [];
    const known = ids.filter((id) => id <= indexedTo);
    const hits: Place[] = await reads.query(
      `SELECT id, status FROM alerts WHERE id IN (${known.map(() => '?').join(', ')}) AND ${sql}`,
      [...known, ...values],
    );
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    places.push(...known.flatMap((id) => byId.get(id) ?? []));
    if (ids.length < CANDIDATES_AT_ONCE) return { places: places.slice(0, rows) };
    from = ids.at(-1);
  }
  return places.length >= rows ? { places: places.slice(0, rows) } : { places, stoppedAt: from };
}
