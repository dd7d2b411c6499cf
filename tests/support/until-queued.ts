import { vi } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';

/**
 * Waits until a statement waits in the database; on SQLite, until a transaction waits for its turn.
 *
 * @param like what the statement is like, with `%` for anything
 * @param count how many statements, or transactions
 */
export const untilQueued = (
  { reads, dialect, waiting }: Pick<Database, 'dialect' | 'waiting'> & { reads: Pick<Database['reads'], 'query'> },
  like: string,
  count = 1,
): Promise<unknown> =>
  vi.waitUntil(
    async () => {
      if (dialect.name === 'sqlite') return waiting() >= count;
      // Others use the same server.
      const sql =
        'SELECT id FROM information_schema.PROCESSLIST WHERE db = DATABASE() AND info LIKE ? AND id <> CONNECTION_ID()';
      return ((await reads.query(sql, [like])) as unknown[]).length >= count;
    },
    { timeout: 20_000 },
  );
