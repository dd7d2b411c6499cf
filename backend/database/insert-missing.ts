import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { Database } from './database.ts';

/** Rows that one insert writes; SQLite takes 32,766 parameters. */
const ROWS_AT_ONCE = 500;

/**
 * Stores the rows that `findMissing` finds missing, all or none. Looks again when some of them were stored by somebody
 * else in the same moment, so that two callers at once end where one would.
 */
export async function insertMissing<T extends ObjectLiteral>(
  database: Pick<Database, 'dialect' | 'transaction'>,
  entity: EntityTarget<T>,
  findMissing: (tx: EntityManager) => Promise<QueryDeepPartialEntity<T>[]>,
): Promise<void> {
  const insert = () =>
    database.transaction(async (tx) => {
      const rows = await findMissing(tx);
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        await tx.getRepository(entity).insert(rows.slice(at, at + ROWS_AT_ONCE));
      }
    });
  try {
    await insert();
  } catch (error) {
    if (!database.dialect.isDuplicate(error)) throw error;
    await insert();
  }
}
