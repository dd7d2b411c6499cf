import type { EntityManager } from 'typeorm';
import type { Dialect } from '#backend/platform/database/dialect.ts';
import { allOf, joinSelects } from '#backend/platform/database/conditions.ts';
import { type Branch, boundsWithin, fromIndex } from './alert-branches.ts';

/**
 * How many rows all branches have together, counted one by one in their indexes.
 *
 * @param most no more are counted of each branch; absent: all
 */
export async function countBranches(
  manager: EntityManager,
  dialect: Dialect,
  branches: Branch[],
  most?: number,
): Promise<number> {
  if (branches.length === 0) return 0;
  const counts = branches.map((branch) => {
    const { sql, values } = allOf([branch, ...boundsWithin(branch.range, [])]);
    const rows = `FROM ${fromIndex(dialect, branch)} WHERE ${sql}`;
    const first = most === undefined ? rows : `FROM (SELECT id ${rows} LIMIT ${most}) AS counted`;
    return { sql: `SELECT COUNT(*) AS alerts ${first}`, values };
  });
  const { sql, values } = joinSelects(counts, (union) => `SELECT SUM(alerts) AS alerts FROM (${union}) AS counts`);
  const [row]: { alerts: unknown }[] = await manager.query(sql, values);
  return Number(row?.alerts ?? 0);
}
