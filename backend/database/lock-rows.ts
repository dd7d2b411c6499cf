import type { EntityManager, EntityTarget, FindOptionsOrder, FindOptionsSelect, FindOptionsWhere } from 'typeorm';
import { dialectOf } from './dialect-of.ts';

/**
 * Rows that nobody else changes or deletes until the transaction ends, as they are once everybody before has committed:
 * decide on what this returns, never on an earlier read. In the order of their ids, so that two transactions that lock
 * some of the same rows do not wait for each other. On MySQL, name the rows by id: `FOR UPDATE` also locks entries of the
 * index by which it finds them, and whoever changes these rows locks them in another order.
 *
 * @param columns what to read of each row; all of it without
 */
export function lockRows<T extends { id: string }, K extends keyof T = keyof T>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  where: FindOptionsWhere<T>,
  columns?: readonly K[],
): Promise<Pick<T, K>[]> {
  const { rowLock } = dialectOf(tx);
  return tx.getRepository(entity).find({
    where,
    order: { id: 'ASC' } as FindOptionsOrder<T>,
    ...(columns && { select: Object.fromEntries(columns.map((column) => [column, true])) as FindOptionsSelect<T> }),
    ...(rowLock && { lock: rowLock }),
  });
}
