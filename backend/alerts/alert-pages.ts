import { type EntityManager, In } from 'typeorm';
import { type AlertFilter, type AlertListQuery, type AlertStatus, MAX_LIST_ROWS } from '#backend/contract/alert.ts';
import type { Database } from '#backend/database/database.ts';
import type { Dialect, SqlValue } from '#backend/database/dialect.ts';
import { countAlerts } from './alert-counts.ts';
import { AlertEntity, type StoredAlert } from './alert-entity.ts';
import { type AlertList, statusesOf } from './alert-list.ts';

/** A page of alerts with the number of rows in the whole filtered list and the cursor of the next page. */
export interface AlertPage {
  alerts: StoredAlert[];
  total: number;
  /** What `before` of the next call is, when there are more rows. */
  next: string | undefined;
}

/** Rows of one list that have the same status: one range of one index, in the order of their ids. */
export interface Branch {
  status: AlertStatus;
  index: string;
  /** Condition on the columns that lead the index, and on those of the filter that it lacks. */
  where: string;
  values: SqlValue[];
}

/**
 * One page of a list. Every list is a handful of index ranges, one for each status: read side by side in the order of
 * time, or one after the other in the order of status. The cursor is a place in them, so no page is reached by OFFSET.
 */
export async function findAlertPage(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  list: AlertList,
  query: AlertListQuery,
): Promise<AlertPage> {
  const limit = query.limit ?? MAX_LIST_ROWS;
  const branches = branchesOf(list, query);
  const places =
    query.sort === 'status'
      ? await findOneByOne(reads, dialect, branches, query.before, limit + 1)
      : await findSideBySide(reads, dialect, branches, query, limit + 1);
  const page = places.slice(0, limit);
  const last = page.at(-1);
  return {
    alerts: await findInOrder(reads, page),
    total: await countAlerts(reads, list, query),
    next: places.length > limit && last ? cursorAt(last, query) : undefined,
  };
}

/** A row's place in its list. */
export interface Place {
  id: string;
  status: AlertStatus;
}

/** The cursor of what comes after a row. */
export const cursorAt = ({ id, status }: Place, { sort }: Pick<AlertListQuery, 'sort'>): string =>
  sort === 'status' ? `${status}~${id}` : id;

/** A list's index ranges, by rank of status. */
export function branchesOf(list: AlertList, filter: AlertFilter): Branch[] {
  return statusesOf(list, filter).map((status) => {
    const conditions: [string, SqlValue][] = [['status = ?', status]];
    let index = 'alerts_status';
    let folder = '';
    if (filter.alertType !== undefined) {
      conditions.push(['alert_type = ?', filter.alertType]);
      index = 'alerts_type';
    }
    if (filter.customer !== undefined) {
      conditions.push(['customer = ?', filter.customer]);
      index = 'alerts_customer';
    }
    if (list.list === 'mine' || list.list === 'folder') {
      conditions.push(['owner_id = ?', list.ownerId]);
      index = 'alerts_queue';
      if (list.list === 'folder') conditions.push(['folder_id = ?', list.folderId]);
      else folder = ' AND folder_id IS NULL';
    }
    return {
      status,
      index,
      where: conditions.map(([sql]) => sql).join(' AND ') + folder,
      values: conditions.map(([, value]) => value),
    };
  });
}

/** Rows of all branches together, in the order of time. */
async function findSideBySide(
  manager: EntityManager,
  dialect: Dialect,
  branches: Branch[],
  { sort, before }: Pick<AlertListQuery, 'sort' | 'before'>,
  rows: number,
): Promise<Place[]> {
  if (branches.length === 0) return [];
  const [after, order] = sort === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const parts = branches.map((branch, index) => {
    const { sql, values } = selectBranch(dialect, branch, before, after, order, rows);
    return { sql: `SELECT * FROM (${sql}) AS part${index}`, values };
  });
  return manager.query(
    `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id ${order} LIMIT ${rows}`,
    parts.flatMap(({ values }) => values),
  );
}

/** Rows of the first branch, then of the next, each newest first. */
async function findOneByOne(
  manager: EntityManager,
  dialect: Dialect,
  branches: Branch[],
  cursor: string | undefined,
  rows: number,
): Promise<Place[]> {
  const [status, id] = cursor?.split('~') ?? [];
  const begun =
    status === undefined
      ? 0
      : Math.max(
          0,
          branches.findIndex((branch) => branch.status === status),
        );
  const found: Place[] = [];
  for (const branch of branches.slice(begun)) {
    if (found.length >= rows) break;
    const before = branch.status === status ? id : undefined;
    const { sql, values } = selectBranch(dialect, branch, before, '<', 'DESC', rows - found.length);
    found.push(...((await manager.query(sql, values)) as Place[]));
  }
  return found;
}

function selectBranch(
  dialect: Dialect,
  { index, where, values }: Branch,
  before: string | undefined,
  after: string,
  order: string,
  rows: number,
): { sql: string; values: SqlValue[] } {
  const cursor = before === undefined ? '' : ` AND id ${after} ?`;
  return {
    sql: `SELECT id, status FROM alerts ${dialect.byIndex(index)} WHERE ${where}${cursor} ORDER BY id ${order} LIMIT ${rows}`,
    values: before === undefined ? values : [...values, before],
  };
}

/** Whole rows, in the order of their places. Those that were deleted in between are left out. */
export async function findInOrder(manager: EntityManager, places: Place[]): Promise<StoredAlert[]> {
  const rows = await manager.getRepository(AlertEntity).findBy({ id: In(places.map(({ id }) => id)) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ id }) => byId.get(id) ?? []);
}
