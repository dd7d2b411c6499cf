import type { AppContext } from '#backend/context.ts';
import { type AlertListQuery, MAX_LIST_ROWS } from '#backend/contract/alert.ts';
import type { Database } from '#backend/database/database.ts';
import { type Branch, type Place, branchesOf, readBranches } from './alert-branches.ts';
import { countAlerts } from './alert-counts.ts';
import type { AlertList } from './alert-list.ts';
import { type MeasuredAlert, measurePage } from './alert-rows.ts';
import { type Search, createSearch, findInBranches, rowsToCount } from './alert-search.ts';

/**
 * A page of alerts, their texts not loaded yet, with the number of rows in the whole filtered list and the cursor of the
 * next page.
 */
export interface AlertPage {
  alerts: MeasuredAlert[];
  total: number;
  /** False when a search stopped counting, or the page has more rows than are counted; there may be more than `total`. */
  isTotalExact: boolean;
  /** What `before` of the next call is, when there may be more rows. */
  next: string | undefined;
}

/** Rows of a list from a cursor on; `stoppedAt` is where a search broke off before it had found enough. */
interface Found {
  places: Place[];
  stoppedAt?: Place | undefined;
}

/**
 * One page of a list. Every list is a handful of index ranges, one for each status: read side by side in the order of
 * time, or one after the other in the order of status. The cursor is a place in them, so no page is reached by OFFSET.
 * A page may hold fewer rows than asked for and still have a next one: it holds so many bytes at most, and a search looks
 * at so many alerts at most.
 */
export async function findAlertPage(
  { database, search: index }: Pick<AppContext, 'database' | 'search'>,
  list: AlertList,
  query: AlertListQuery,
): Promise<AlertPage> {
  const limit = query.limit ?? MAX_LIST_ROWS;
  const search = query.q ? createSearch(database, index, query.q) : undefined;
  const size = await countAlerts(database.reads, list, query);
  const branches = branchesOf(list, query, query.sort);
  // The first page of a search counts what it finds on the way; a look costs more than the rows that it reports.
  const toCount = search && query.before === undefined ? rowsToCount(search, size) : 0;
  const { places, stoppedAt } = await findPlaces(database, search, branches, query, Math.max(limit + 1, toCount));
  const page = await measurePage(database.reads, places.slice(0, limit));
  const last = page.isCut || places.length > limit ? page.last : stoppedAt;
  const found = toCount > 0 ? { places, stoppedAt } : undefined;
  return {
    alerts: page.alerts,
    ...atLeast(
      Math.min(places.length, limit + 1),
      search ? await countFound(search, branches, size, found) : { total: size, isTotalExact: true },
    ),
    next: last && cursorAt(last, query),
  };
}

type Total = Pick<AlertPage, 'total' | 'isTotalExact'>;

/** A total that is no lower than the rows seen: counters may be wrong, or older than the rows, and rows are not hidden. */
const atLeast = (rowsSeen: number, counted: Total): Total =>
  counted.total < rowsSeen ? { total: rowsSeen, isTotalExact: false } : counted;

/** How many rows a search finds in one look from the beginning, which the first page has `found` already. */
async function countFound(search: Search, branches: Branch[], size: number, found: Found | undefined): Promise<Total> {
  const rows = rowsToCount(search, size);
  const first = { before: undefined, sort: 'newest' } as const;
  // A count of its own looks as far as the first page did.
  const again = { ...search, bytesLeft: search.database.dialect.scanBytes };
  const { places, stoppedAt } = found ?? (await findPlaces(search.database, again, branches, first, rows));
  const isTotalExact = stoppedAt === undefined && places.length < rows;
  return { total: isTotalExact ? places.length : Math.min(places.length, rows - 1), isTotalExact };
}

/** Up to `rows` rows after the query's cursor: of all branches at once, or of one branch after the other. */
async function findPlaces(
  database: Pick<Database, 'reads' | 'dialect'>,
  search: Search | undefined,
  branches: Branch[],
  query: Pick<AlertListQuery, 'sort' | 'before'>,
  rows: number,
): Promise<Found> {
  const [status, id] = query.sort === 'status' ? (query.before?.split('~') ?? []) : [undefined, query.before];
  const groups = query.sort === 'status' ? branches.map((branch) => [branch]) : [branches];
  const begun = status === undefined ? 0 : branches.findIndex((branch) => branch.status === status);
  const places: Place[] = [];
  for (const [number, group] of groups.slice(Math.max(0, begun)).entries()) {
    const cursor = number === 0 ? id : undefined;
    const found = await readGroup(database, search, group, query, cursor, rows - places.length);
    places.push(...found.places);
    if (places.length >= rows || found.stoppedAt) return { places, stoppedAt: found.stoppedAt };
  }
  return { places };
}

async function readGroup(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  search: Search | undefined,
  branches: Branch[],
  { sort }: Pick<AlertListQuery, 'sort'>,
  cursor: string | undefined,
  rows: number,
): Promise<Found> {
  const order = sort === 'oldest' ? 'ASC' : 'DESC';
  if (!search) {
    const bounds = cursor === undefined ? [] : [{ operator: order === 'ASC' ? '>' : '<', id: cursor } as const];
    return { places: await readBranches(reads, dialect, branches, { bounds, order, rows }) };
  }
  const { places, stoppedAt } = await findInBranches(search, branches, { cursor, order, rows });
  // The status of an order by status is the branch's own; in the others the cursor has none.
  return {
    places,
    ...(stoppedAt !== undefined && { stoppedAt: { id: stoppedAt, status: branches[0]?.status ?? 'pending' } }),
  };
}

/** The cursor of what comes after a row. */
const cursorAt = ({ id, status }: Place, { sort }: AlertListQuery): string =>
  sort === 'status' ? `${status}~${id}` : id;
