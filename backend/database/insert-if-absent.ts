import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { Database } from './database.ts';

/** Stores a row, unless one with the same key is there already: twice is as good as once. */
export async function insertIfAbsent<T extends ObjectLiteral>(
  database: Pick<Database, 'dialect' | 'transaction'>,
  entity: EntityTarget<T>,
  row: QueryDeepPartialEntity<T>,
): Promise<void> {
  try {
    await database.transaction((tx) => tx.getRepository(entity).insert(row));
  } catch (error) {
    if (!database.dialect.isDuplicate(error)) throw error;
  }
}
