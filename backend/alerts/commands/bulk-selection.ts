import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { BulkSelection } from '#backend/contract/bulk.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { findFolder } from '#backend/alerts/alert/folder.ts';
import { type Branch, branchesOfAll, idAtDepth } from '#backend/alerts/lists/alert-branches.ts';
import { sizeOfAll } from '#backend/alerts/alert/alert-counts.ts';
import { findPlaces } from '#backend/alerts/lists/alert-pages.ts';
import { findInBranches } from '#backend/alerts/lists/alert-search.ts';
import { type Search, createSearch } from '#backend/alerts/lists/prepare-search.ts';
import { listNamed, narrowList } from '#backend/alerts/lists/narrow-list.ts';

/**
 * Alerts that one step of a run by filter changes. A quarter of what a request may name: on SQLite, which has one writer, ingest
 * waits for the whole step, and four times the steps cost a run little.
 */
export const FILTER_BATCH = 25;

/** Alerts that one transaction is to change. */
export interface Batch {
  ids: string[];
  /** Those that were in the inbox when they were chosen by a filter: who takes one since then has it. */
  pending: ReadonlySet<string>;
  /** Where the run goes on; undefined at its end. */
  next?: string | undefined;
}

/**
 * The alerts that a request names, or the next ones that its filter matches, newest first.
 *
 * @throws {ProblemError} 403 or 404 when the list is not the member's to read, 409 when a run begins and more alerts match,
 * or may, than its caller expects.
 */
export async function nextBatch(
  context: { database: Database; search: SearchIndex },
  actor: Actor,
  { ids, filter, expectedCount = 0, expectsMore, upTo, before }: BulkSelection,
): Promise<Batch> {
  const { database } = context;
  if (filter === undefined) return { ids: [...new Set(ids)], pending: new Set() };
  const list = listNamed(actor, filter);
  if (filter.list === 'folder' && !(await findFolder(database.reads, actor.id, filter.folderId))) {
    throw notFound('Folder not found');
  }
  const narrowed = await narrowList(database, actor, list, filter);
  const search = await createSearch(context, narrowed, await sizeOfAll(database.reads, narrowed));
  // No id stands between an id and the same with something after it, so a cursor before that takes the id in.
  const query = { sort: 'newest', before: before ?? (upTo && `${upTo}~`) } as const;
  const branches = branchesOfAll(narrowed, query.sort);
  if (before === undefined && expectsMore !== true) {
    const expected = expectedCount.toLocaleString('en');
    const isMore = await hasMore(database, branches, search, query.before, expectedCount);
    if (isMore) throw conflict(`More than ${expected} alerts match by now. Select them again.`);
    if (isMore === undefined) throw conflict(`More than ${expected} alerts may match.`);
  }
  const { places, stoppedAt } = await findPlaces(database, search, branches, query, FILTER_BATCH);
  const last = places.length < FILTER_BATCH ? stoppedAt : places.at(-1);
  return {
    ids: places.map(({ id }) => id),
    pending: new Set(places.filter(isEverybodys).map(({ id }) => id)),
    next: last?.id,
  };
}

/** Whether more alerts match than so many; undefined where a search would take too long to find out. */
async function hasMore(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  branches: Branch[],
  search: Search | undefined,
  cursor: string | undefined,
  than: number,
): Promise<boolean | undefined> {
  if (branches.length === 0) return false;
  const rows = than + 1;
  if (search?.condition !== undefined) {
    if (search.size.alerts <= than) return false;
    // Whether the caller has seen the number decides, so it looks farther than a page does.
    const thorough = { ...search, looksWithFinds: dialect.scanRows };
    const { places, stoppedAt } = await findInBranches(thorough, branches, { cursor, order: 'DESC', rows });
    return places.length >= rows || (stoppedAt === undefined ? false : undefined);
  }
  const bounds = cursor === undefined ? [] : [{ operator: '<', id: cursor } as const];
  return (await idAtDepth(reads, dialect, branches, { bounds, order: 'DESC', rows })) !== undefined;
}
