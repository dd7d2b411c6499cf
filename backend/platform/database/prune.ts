import type { Database } from './database.ts';
import type { Dialect, SqlValue } from './dialect.ts';
import { pause } from './repeat.ts';

/** Rows that one transaction deletes, and the pause after it in milliseconds: writers of alerts go between. */
const BATCH_ROWS = 500;
const PAUSE_MS = 20;

/** What decides on the age of a table's rows: a column, and an index that begins with it; the table's key without. */
export interface Age {
  table: string;
  column: string;
  index?: string;
}

/** The statements that prune a table: the last row of the next batch, the batch, and what is left after the last one. */
export function pruneStatements({ byIndex, deleteByIndex }: Dialect, { table, column, index }: Age, only = '') {
  const select = `SELECT ${column} AS last FROM ${table}${index ? ` ${byIndex(index)}` : ''}`;
  // Named: MySQL may prefer to read, and to lock, the whole table.
  const remove = index ? deleteByIndex(table, index) : `DELETE FROM ${table}`;
  return {
    findLast: `${select} WHERE ${column} < ?${only} ORDER BY ${column} LIMIT 1 OFFSET ${BATCH_ROWS - 1}`,
    deleteTo: `${remove} WHERE ${column} <= ?${only}`,
    deleteBelow: `${remove} WHERE ${column} < ?${only}`,
  };
}

/**
 * Deletes the rows that are below a bound, oldest first, a few in each transaction, until none is left: some ten
 * thousand a second. Rows that share the value at a batch's end go together.
 *
 * @param only what else they meet
 */
export async function prune(
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  age: Age,
  below: string | number,
  stopping: AbortSignal,
  only: readonly { sql: string; values: SqlValue[] }[] = [],
): Promise<void> {
  const also = only.map(({ sql }) => ` AND ${sql}`).join('');
  const values = only.flatMap((condition) => condition.values);
  const { findLast, deleteTo, deleteBelow } = pruneStatements(database.dialect, age, also);
  while (!stopping.aborted) {
    const [row]: { last: string | number }[] = await database.reads.query(findLast, [below, ...values]);
    const [sql, bound] = row ? [deleteTo, row.last] : [deleteBelow, below];
    await database.transaction((tx) => tx.query(sql, [bound, ...values]));
    if (!row) return;
    await pause(PAUSE_MS, stopping);
  }
}
