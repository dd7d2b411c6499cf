import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { type AlertListQuery, MAX_LIST_ROWS } from '#backend/contract/alert-query.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { LongReads } from '#backend/platform/database/long-read-thread.ts';
import { type Branch, type Place, branchesOfAll, readBranches } from './alert-branches.ts';
import { countBranches } from './count-branches.ts';
import { type ListSize, countEntries, sizeOfAll } from '#backend/alerts/alert/alert-counts.ts';
import { LABEL_INDEX, type NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { type MeasuredAlert, measurePage } from './alert-rows.ts';
import { findInBranches } from './alert-search.ts';
import { findCompleted } from './completed-order.ts';
import type { Found } from './look-at-alerts.ts';
import { MAX_COUNTED, type Search, createSearch, namesOf, rowsToCount } from './prepare-search.ts';
import { type Grouping, MAX_SORTED, lookInOrder, placesBehind, sortFinds, sortNamed } from './sort-finds.ts';

/**
 * A page of alerts, their texts not loaded yet, with the number of rows in the whole filtered list and the cursor of the
 * next page.
 */
export interface AlertPage {
  alerts: MeasuredAlert[];
  total: number;
  /** False when counting stopped early, or the page has more rows than are counted; there may be more than `total`. */
  isTotalExact: boolean;
  /** What `before` of the next call is, when there may be more rows. */
  next: string | undefined;
}

/** Entries of an index that are looked at for a total; measured to take 2 to 15 ms. */
const MAX_ENTRIES_COUNTED = 50_000;

/**
 * One page of a list. Every list is some index ranges, one for each status, or status, severity and state: read side by side
 * in the order of time, or group after group in the order of status or severity. The cursor is a place in them, so no page is
 * reached by OFFSET. A page may hold fewer rows than asked for and still have a next one: it holds so many bytes at most, and a search looks
 * at so many alerts at most.
 */
export async function findAlertPage(
  context: { database: Database; search: SearchIndex },
  list: NarrowedList,
  query: Pick<AlertListQuery, 'limit' | 'before' | 'sort'>,
): Promise<AlertPage> {
  const { database } = context;
  const limit = query.limit ?? MAX_LIST_ROWS;
  const size = await sizeOfAll(database.reads, list);
  const grouping = groupingOf(query);
  const prepared = searchFor(grouping, await createSearch(context, list, size));
  const newest = prepared && grouping && branchesOfAll(list, 'newest');
  // Where a search goes through the list group by group, it takes fewer looks to count apart from that, and first: what
  // is few is sorted then.
  const all = newest && prepared.condition && (await findAll(prepared, newest));
  if (all?.isWhole && grouping) return pageOfFinds(database, all.places, grouping, query);
  const sorted =
    newest &&
    grouping &&
    (await sortNamed(prepared, list, (most) => findNamed(prepared, newest, most), grouping, query.before));
  if (sorted && grouping) return pageOfSorted(prepared, newest, sorted, grouping, query);
  // Names alone are found in the indexes of the groups, of which many entries may be passed.
  const search = grouping && !prepared?.condition ? undefined : prepared;
  const from = grouping && namesOf(list).length > 0 ? { ...database, passing: database.longReads } : database;
  const branches = branchesOfAll(list, query.sort);
  // The first page counts its matches as well: another scan costs more than the rows that it returns.
  const toCount = query.before === undefined && !all ? rowsToFind(search, size) : 0;
  const rows = Math.max(limit + 1, toCount);
  const count = async (found?: Found): Promise<Total> =>
    search?.condition
      ? countFound(search, branches, found)
      : countListed(database, list, branches, size, found && { places: found.places, rows });
  // Counting does not wait for the query of the page.
  const [{ found, page }, counted] = await Promise.all([
    readPage(from, search, branches, query, rows),
    toCount > 0 ? undefined : count(search?.condition && all),
  ]);
  return { ...page, ...atLeast(Math.min(found.places.length, limit + 1), counted ?? (await count(found))) };
}

/** The search to use. In an order of groups the two looks, for all and for the page, share what one may look at. */
const searchFor = (grouping: Grouping | undefined, search: Search | undefined): Search | undefined =>
  search && grouping ? { ...search, looksWithFinds: search.looksWithFinds / 2 } : search;

/** What one look finds in the order of time; and whether that is everything, and so little that it may be sorted. */
async function findAll(search: Search, branches: Branch[]): Promise<Found & { isWhole: boolean }> {
  const rows = rowsToCount(search);
  const found = await findPlaces(search.database, lookedAgain(search), branches, FIRST_OF_ALL, rows);
  const isWhole = found.stoppedAt === undefined && found.places.length < Math.min(rows, MAX_SORTED);
  return { ...found, isWhole };
}

/** The first alerts of the list that have the names of a search, whatever they contain. */
function findNamed(search: Search, branches: Branch[], rows: number): Promise<Found> {
  const { index, database } = search;
  const question = { texts: [], names: index?.question.names ?? [] };
  const bare = { ...lookedAgain(search), condition: undefined, index: index && { of: index.of, question } };
  return findPlaces(database, bare, branches, FIRST_OF_ALL, rows);
}

/** The page after the query's cursor of those sorted alerts of a name that contain the texts. */
async function pageOfSorted(
  search: Search,
  branches: Branch[],
  sorted: Place[],
  grouping: Grouping,
  { limit = MAX_LIST_ROWS, before }: Pick<AlertListQuery, 'limit' | 'before'>,
): Promise<AlertPage> {
  const look = (places: Place[], rows: number) => lookInOrder(lookedAgain(search), branches, places, rows);
  const rows = search.condition ? rowsToCount(search) : sorted.length + 1;
  const most = before === undefined ? Math.max(limit + 1, rows) : limit + 1;
  const found = await look(placesBehind(sorted, before, grouping), most);
  const counted = countOf(before === undefined ? found : await look(sorted, rows), rows);
  const rowsSeen = Math.min(found.places.length, limit + 1);
  return { ...(await pageOf(search.database, found, limit)), ...atLeast(rowsSeen, counted) };
}

/** The page after the query's cursor of everything that was found. */
async function pageOfFinds(
  database: Database,
  finds: Place[],
  grouping: Grouping,
  { limit = MAX_LIST_ROWS, before }: Pick<AlertListQuery, 'limit' | 'before'>,
): Promise<AlertPage> {
  const places = placesBehind(await sortFinds(database, finds, grouping), before, grouping);
  return { ...(await pageOf(database, { places }, limit)), total: finds.length, isTotalExact: true };
}

/** A page that begins with the first place, and the cursor of the next. */
async function pageOf(
  { reads }: Pick<Database, 'reads'>,
  { places, stoppedAt }: Found,
  limit: number,
): Promise<Pick<AlertPage, 'alerts' | 'next'>> {
  const page = await measurePage(reads, places.slice(0, limit));
  const last = page.isCut || places.length > limit ? page.last : stoppedAt;
  return { alerts: page.alerts, next: last && cursorAt(last) };
}

const FIRST_OF_ALL = { before: undefined, sort: 'newest' } as const;

/** The same search, without a scanned row yet. */
const lookedAgain = (search: Search): Search => ({
  ...search,
  bytesLeft: search.database.dialect.scanBytes,
  looked: 0,
  found: 0,
});

/** Finds so many rows, of which a page has the first. */
async function readPage(
  database: PlacedReads,
  search: Search | undefined,
  branches: Branch[],
  query: Pick<AlertListQuery, 'limit' | 'before' | 'sort'>,
  rows: number,
): Promise<{ found: Found; page: Pick<AlertPage, 'alerts' | 'next'> }> {
  const found = await findPlaces(database, search, branches, query, rows);
  return { found, page: await pageOf(database, found, query.limit ?? MAX_LIST_ROWS) };
}

/** How many rows of a first page to find so that they may be counted on the way; 0 where counters know the number. */
function rowsToFind(search: Search | undefined, size: ListSize): number {
  if (search?.condition) return rowsToCount(search);
  return size.isExact ? 0 : Math.min(size.alerts, MAX_COUNTED) + 1;
}

type Total = Pick<AlertPage, 'total' | 'isTotalExact'>;

/** A total that is no lower than the rows seen: counters may be wrong, or older than the rows, and rows are not hidden. */
const atLeast = (rowsSeen: number, counted: Total): Total =>
  counted.total < rowsSeen ? { total: rowsSeen, isTotalExact: false } : counted;

/**
 * The length of a filtered list. A name together with an origin has no counter: its rows are counted in the indexes where
 * there are not too many entries to look at, else up to some hundreds, as a search counts. Nor has a label one.
 *
 * @param first what the first page found, of how many rows that it asked for
 */
async function countListed(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  list: NarrowedList,
  branches: Branch[],
  size: ListSize,
  first: { places: Place[]; rows: number } | undefined,
): Promise<Total> {
  if (size.isExact) return { total: size.alerts, isTotalExact: true };
  if (first && first.places.length < first.rows) return { total: first.places.length, isTotalExact: true };
  const isShort = (size.entries ?? (await countEntries(reads, list.parts))) <= MAX_ENTRIES_COUNTED;
  if (isShort || (await hasFewLabelled({ reads, dialect }, list))) {
    return { total: await countBranches(reads, dialect, branches), isTotalExact: true };
  }
  const rows = rowsToFind(undefined, size);
  const places = first?.places ?? (await readBranches(reads, dialect, branches, { bounds: [], order: 'DESC', rows }));
  const isTotalExact = places.length < rows;
  return { total: isTotalExact ? places.length : rows - 1, isTotalExact };
}

/**
 * Whether the index of labels has so few entries of a list's labels that they may be counted, however long the list is. Of a queue
 * it has none, and names and sources are not in it.
 */
async function hasFewLabelled(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  { parts, alternatives, range: { timed: _timed, ...range }, ...others }: NarrowedList,
): Promise<boolean> {
  const isInIndex =
    alternatives.length === 0 &&
    parts.every(({ filter: { customer, alertType, source } }) => (customer ?? alertType ?? source) === undefined);
  if (!isInIndex || others.labels.length === 0) return false;
  // What is left out of the filter, such as severities, is looked for among these.
  const whole = parts.map(({ list, filter: { status, completion } }) => ({ list, filter: { status, completion } }));
  const ranges = branchesOfAll({ ...others, parts: whole, alternatives, range }, 'newest');
  if (ranges.some(({ index }) => index !== LABEL_INDEX)) return false;
  return (await countBranches(reads, dialect, ranges, MAX_ENTRIES_COUNTED + 1)) <= MAX_ENTRIES_COUNTED;
}

/** How many rows a search finds in one look from the beginning, which the first page has `found` already. */
async function countFound(search: Search, branches: Branch[], found: Found | undefined): Promise<Total> {
  const rows = rowsToCount(search);
  // A count of its own looks as far as the first page did.
  const { places, stoppedAt } =
    found ?? (await findPlaces(search.database, lookedAgain(search), branches, FIRST_OF_ALL, rows));
  return countOf({ places, stoppedAt }, rows);
}

/** How many were found where so many were looked for. */
function countOf({ places, stoppedAt }: Found, rows: number): Total {
  const isTotalExact = stoppedAt === undefined && places.length < rows;
  return { total: isTotalExact ? places.length : Math.min(places.length, rows - 1), isTotalExact };
}

/** Where places are read; what passes many entries of indexes is read by `passing`. */
type PlacedReads = Pick<Database, 'reads' | 'dialect'> & { passing?: LongReads };

/** Up to `rows` rows after the query's cursor: of all branches at once, or of one branch after the other. */
export async function findPlaces(
  database: PlacedReads,
  search: Search | undefined,
  branches: Branch[],
  query: Pick<AlertListQuery, 'sort' | 'before'>,
  rows: number,
): Promise<Found> {
  if (query.sort === 'completed') return findCompleted(database, search, branches, query.before, rows);
  const grouping = groupingOf(query);
  const [group, id] = grouping === undefined ? [undefined, query.before] : (query.before?.split('~') ?? []);
  const groups = grouping === undefined ? [branches] : groupsOf(branches, grouping);
  const begun = group === undefined ? 0 : groups.findIndex(([branch]) => branch && groupOf(branch, grouping) === group);
  const places: Place[] = [];
  for (const [number, members] of groups.slice(Math.max(0, begun)).entries()) {
    const cursor = number === 0 ? id : undefined;
    const found = await readGroup(database, search, members, query, cursor, rows - places.length);
    places.push(...found.places);
    if (places.length >= rows || found.stoppedAt) return { places, stoppedAt: found.stoppedAt };
  }
  return { places };
}

/** What a list is ordered by before the time. */
const groupingOf = ({ sort }: Pick<AlertListQuery, 'sort'>): Grouping | undefined =>
  sort === 'severity' ? 'urgency' : sort === 'status' ? sort : undefined;

const groupOf = (branch: Branch | undefined, grouping: Grouping | undefined): Place['group'] =>
  grouping && branch?.[grouping];

/** The branches in groups of one status or urgency, in their order. */
function groupsOf(branches: Branch[], grouping: Grouping): Branch[][] {
  const groups = new Map<Place['group'], Branch[]>();
  for (const branch of branches) {
    const group = groupOf(branch, grouping);
    groups.set(group, [...(groups.get(group) ?? []), branch]);
  }
  return [...groups.values()];
}

async function readGroup(
  { reads, dialect, passing = reads }: PlacedReads,
  search: Search | undefined,
  branches: Branch[],
  query: Pick<AlertListQuery, 'sort'>,
  cursor: string | undefined,
  rows: number,
): Promise<Found> {
  const group = groupOf(branches[0], groupingOf(query));
  const inGroup = (places: Place[]) => (group === undefined ? places : places.map((place) => ({ ...place, group })));
  const order = query.sort === 'oldest' ? 'ASC' : 'DESC';
  if (!search) {
    const bounds = cursor === undefined ? [] : [{ operator: order === 'ASC' ? '>' : '<', id: cursor } as const];
    return { places: inGroup(await readBranches(passing, dialect, branches, { bounds, order, rows })) };
  }
  const { places, stoppedAt } = await findInBranches(search, branches, { cursor, order, rows });
  return {
    places: inGroup(places),
    ...(stoppedAt !== undefined && { stoppedAt: { id: stoppedAt, status: branches[0]?.status ?? 'pending', group } }),
  };
}

/** The cursor of what comes after a row. */
const cursorAt = ({ id, group }: Place): string => (group === undefined ? id : `${group}~${id}`);
