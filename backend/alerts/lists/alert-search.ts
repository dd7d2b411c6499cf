import { setImmediate } from 'node:timers/promises';
import type { IdRange } from '#backend/platform/database/id-times.ts';
import { SearchIndexError } from '#backend/platform/search/search-index.ts';
import {
  type Branch,
  type Place,
  type Range,
  type RangeSize,
  measureBranches,
  readBranches,
} from './alert-branches.ts';
import { isBehind, isInRange } from '#backend/alerts/alert/alert-list.ts';
import { type FoundInStretch, lookAt, lookAtRange, note } from './look-at-alerts.ts';
import { type Search, isSparse, looksOn, stepsOfSparse } from './prepare-search.ts';

/** Candidates of the index that are looked at first, and at most before an answer asks whether to look at more. */
const FIRST_CANDIDATES = 250;
const CANDIDATES_AT_ONCE = 1_000;

/** Candidates that are looked at by one statement. MariaDB makes a table of a list of 1,000 values, which takes it longer. */
const MOST_TOGETHER = 500;

/** Share of what was looked at that contains the texts, from which on no other way is tried. */
const MOST = 1 / 2;

/** Rows of a scan's first slice; the next ones are longer where alerts are small. */
const FIRST_SLICE_ROWS = 100;

/** Where to go on, which way, and how many alerts to find. */
interface Wanted {
  cursor: string | undefined;
  order: 'ASC' | 'DESC';
  rows: number;
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
  if (!search.condition) return readAll(search, branches, wanted, []);
  return lookThrough(search, branches, wanted, []);
}

/** Looks at the alerts of a list one after the other. */
const lookThrough: typeof scan = (search, ...rest) => (isSparse(search.size) ? scanSparse : scan)(search, ...rest);

/** Alerts of the branches in the order of their ids, whatever they contain. */
async function readAll(
  { database: { reads, dialect } }: Search,
  branches: Branch[],
  { cursor, order, rows }: Wanted,
  within: Range['bounds'],
): Promise<FoundInStretch> {
  const bounds = [...boundsOf({ cursor, order }), ...within];
  return { places: await readBranches(reads, dialect, branches, { bounds, order, rows }) };
}

async function findWithIndex(
  search: Search,
  branches: Branch[],
  wanted: Wanted,
  indexedTo: string,
): Promise<FoundInStretch> {
  const newer: Range['bounds'] = [{ operator: '>', id: indexedTo }];
  const stretches = [
    (want: Wanted) => (search.condition ? lookThrough : readAll)(search, branches, want, newer),
    (want: Wanted) => findIndexed(search, branches, want, indexedTo),
  ];
  const places: Place[] = [];
  for (const find of wanted.order === 'DESC' ? stretches : stretches.toReversed()) {
    const found = await find({ ...wanted, rows: wanted.rows - places.length });
    places.push(...found.places);
    if (places.length >= wanted.rows || found.stoppedAt) return { places, stoppedAt: found.stoppedAt };
  }
  return { places };
}

async function isForIndex({ database, index, size, range }: Search, { cursor, order }: Wanted): Promise<boolean> {
  const { scanRows } = database.dialect;
  if (index === undefined || size.entries <= scanRows) return false;
  if (size.alerts > scanRows || index.question.names.length > 0) return true;
  const first = cursor ?? startOf(range, order);
  return !(await index.of.hasAtLeast(index.question, first, order, CANDIDATES_AT_ONCE));
}

/** Where a search begins that has no cursor yet. */
const startOf = (range: IdRange, order: 'ASC' | 'DESC'): string | undefined =>
  order === 'DESC' ? range.below : undefined;

/**
 * Looks through the rows from the cursor on, slice by slice: so many rows and bytes at most, one slice at least, and only
 * those `within` bounds. Other work gets its turn between two slices.
 */
async function scan(
  search: Search,
  branches: Branch[],
  wanted: Wanted,
  within: Range['bounds'],
  mostRows = Infinity,
): Promise<FoundInStretch> {
  const { dialect } = search.database;
  const { order } = wanted;
  const places: Place[] = [];
  let from = wanted.cursor;
  let sliceRows = FIRST_SLICE_ROWS;
  for (let looked = 0; looked === 0 || (looked < mostRows && looksOn(search));) {
    const rows = Math.min(sliceRows, mostRows - looked);
    const bounds = [...boundsOf({ cursor: from, order }), ...within];
    const range = { bounds, order, rows };
    const { slice, places: found } = await lookThroughRange(search, branches, range, wanted.rows - places.length);
    if (slice.end === undefined) return { places };
    if (!found) {
      sliceRows = Math.max(1, Math.floor((slice.rows * dialect.slice.bytes) / slice.bytes));
      continue;
    }
    places.push(...found);
    note(search, { looked: slice.rows, found: found.length, bytes: slice.bytes });
    if (places.length >= wanted.rows || slice.rows < rows) return { places };
    looked += slice.rows;
    from = slice.end;
    sliceRows = Math.min(2 * slice.rows, dialect.slice.rows);
    await setImmediate();
  }
  return { places, stoppedAt: from };
}

/** Rows that one statement counts and searches; all branches together. */
const READ_TOGETHER = 250;

/** Measures a range, and looks at the first `most` that contain the texts; at none where there are too many bytes. */
async function lookThroughRange(
  search: Search,
  branches: Branch[],
  range: Range,
  most: number,
): Promise<{ slice: RangeSize; places?: Place[] }> {
  const { reads, dialect } = search.database;
  const { condition } = search;
  if (condition && range.rows * branches.length <= READ_TOGETHER) return lookAtRange(search, branches, range, most);
  const slice = await measureBranches(reads, dialect, branches, range);
  if (slice.end === undefined || (slice.bytes > dialect.slice.bytes && slice.rows > 1)) return { slice };
  const bounds = [...range.bounds, { operator: range.order === 'DESC' ? '>=' : '<=', id: slice.end } as const];
  const within = { bounds, order: range.order, rows: most, ...(condition && { condition }) };
  return { slice, places: await readBranches(reads, dialect, branches, within) };
}

const boundsOf = ({ cursor, order }: Pick<Wanted, 'cursor' | 'order'>): Range['bounds'] =>
  cursor === undefined ? [] : [{ operator: order === 'DESC' ? '<' : '>', id: cursor }];

/**
 * Finds what the index knows, or looks through the list: what finds more in as many looks. Where the texts are common the
 * index takes the longer the farther it begins from its end, so further pages try the list first.
 */
async function findIndexed(
  search: Search,
  branches: Branch[],
  wanted: Wanted,
  indexedTo: string,
): Promise<FoundInStretch> {
  const known: Range['bounds'] = [{ operator: '<=', id: indexedTo }];
  const byIndex = (want: Wanted, most?: number, share?: number) =>
    findByIndex(search, branches, want, indexedTo, { most, share });
  const byList = (want: Wanted, rows?: number) => lookThrough(search, branches, want, known, rows);
  const places: Place[] = [];
  let { cursor } = wanted;
  let isOver = false;
  /** Goes on where the last one ended. Returns the share of what was looked at that was found. */
  const goOn = async (find: (want: Wanted) => Promise<FoundInStretch>): Promise<number> => {
    const { looked } = search;
    const found = await find({ ...wanted, cursor, rows: wanted.rows - places.length });
    places.push(...found.places);
    cursor = found.stoppedAt;
    isOver = cursor === undefined || places.length >= wanted.rows || !looksOn(search);
    return found.places.length / Math.max(1, search.looked - looked);
  };
  const tryList = async (): Promise<number> => (search.condition ? goOn((want) => byList(want, FIRST_SLICE_ROWS)) : 0);

  let ofList = wanted.cursor === undefined ? undefined : await tryList();
  if (!isOver && (ofList ?? 0) < MOST) {
    const ofIndex = await goOn((want) => byIndex(want, FIRST_CANDIDATES));
    if (!isOver && ofIndex < MOST) ofList ??= await tryList();
    if (!isOver && ofIndex >= (ofList ?? 0)) await goOn((want) => byIndex(want, undefined, ofIndex));
  }
  if (!isOver) await goOn((want) => byList(want));
  return { places, stoppedAt: cursor };
}

/**
 * Asks the index for candidates, group by group, and keeps those that are in the branches and do contain the text.
 *
 * @param limits how many candidates to look at, and the share of them that is likely to be kept
 */
async function findByIndex(
  search: Search,
  branches: Branch[],
  { cursor, order, rows }: Wanted,
  indexedTo: string,
  { most = Infinity, share = 0 }: { most: number | undefined; share: number | undefined },
): Promise<FoundInStretch> {
  const inStep = Math.min(most, CANDIDATES_AT_ONCE);
  const together = Math.min(search.database.dialect.slice.rows, MOST_TOGETHER);
  const places: Place[] = [];
  let from = cursor ?? startOf(search.range, order);
  for (let asked = 0; asked === 0 || asked % inStep > 0 || (asked < most && looksOn(search));) {
    // Where most are kept, a few more than are missing are enough.
    const enough = asked === 0 && share > 0 ? Math.ceil((1.1 * (rows - places.length)) / share) : inStep;
    const atOnce = Math.min(enough, inStep - (asked % inStep));
    const found = await search.index?.of.candidates(search.index.question, from, order, atOnce);
    const known = found?.ids.filter((id) => id <= indexedTo && isInRange(search.range, id)) ?? [];
    for (let at = 0; at < known.length; at += together) {
      const some = known.slice(at, at + together);
      const { places: hits, stoppedAt } = await lookAt(search, branches, some, rows - places.length);
      places.push(...hits);
      if (places.length >= rows || stoppedAt !== undefined) return { places, stoppedAt };
    }
    if (found?.next === undefined || isBehind(search.range, found.next, order)) return { places };
    from = found.next;
    asked += atOnce;
  }
  return { places, stoppedAt: from };
}

/**
 * Finds alerts of the branches in indexes alone, and looks at them by their ids: MySQL, asked for both at once, reads the
 * alert of every entry that it passes backwards.
 */
async function scanSparse(
  search: Search,
  branches: Branch[],
  { cursor, order, rows }: Wanted,
  within: Range['bounds'],
  mostRows = Infinity,
): Promise<FoundInStretch> {
  const { reads, dialect } = search.database;
  const places: Place[] = [];
  const steps = stepsOfSparse(search);
  let from = cursor;
  for (let looked = 0; looked === 0 || (looked < mostRows && looksOn(search));) {
    const atOnce = Math.min(steps.atOnce, mostRows - looked);
    const range = { bounds: [...boundsOf({ cursor: from, order }), ...within], order, rows: atOnce };
    const ids = (await readBranches(reads, dialect, branches, range)).map(({ id }) => id);
    const { places: hits, stoppedAt } = await lookAt(search, branches, ids, rows - places.length);
    places.push(...hits);
    note(search, { looked: ids.length * (steps.cost - 1), found: 0, bytes: 0 });
    if (places.length >= rows || stoppedAt !== undefined) return { places, stoppedAt };
    if (ids.length < atOnce) return { places };
    looked += ids.length;
    from = ids.at(-1);
  }
  return { places, stoppedAt: from };
}
