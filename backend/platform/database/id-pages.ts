import { type EntityManager, type EntitySchema, type FindOptionsOrder, type FindOptionsWhere, LessThan } from 'typeorm';
import { type IdPageQuery, MAX_PAGE_ROWS } from '#backend/contract/pages.ts';

/** Rows of a page, and the `Link` header to the next one when there are more. */
export interface IdPage<Row> {
  rows: Row[];
  headers: { Link?: string };
}

/**
 * Reads one page of a table's rows, newest first.
 *
 * @param where which rows
 * @param path where the list is served, with its filter: what `Link` leads to
 */
export async function readIdPage<Row extends { id: string }>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  where: FindOptionsWhere<Row>,
  { limit, before }: IdPageQuery,
  path: string,
): Promise<IdPage<Row>> {
  const rows = limit ?? MAX_PAGE_ROWS;
  const found = await manager.getRepository(entity).find({
    where: { ...where, ...(before !== undefined && { id: LessThan(before) }) },
    order: { id: 'DESC' } as FindOptionsOrder<Row>,
    take: rows + 1,
  });
  const page = found.slice(0, rows);
  const last = found.length > rows ? page.at(-1) : undefined;
  if (!last) return { rows: page, headers: {} };
  const query = new URLSearchParams({ ...(limit !== undefined && { limit: String(limit) }), before: last.id });
  return { rows: page, headers: { Link: `<${path}${path.includes('?') ? '&' : '?'}${query}>; rel="next"` } };
}
