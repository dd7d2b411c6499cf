import { vi } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';

/**
 * Waits until a statement waits in the database; on SQLite, until a transaction waits for its turn.
 *
 * @param like what the statement is like, with `%` for anything
 */
export const untilQueued = ({ reads, dialect, waiting }: Database, like: string): Promise<unknown> =>
  vi.waitUntil(
    async () => {
      if (dialect.name === 'sqlite') return waiting() > 0;
      const sql = 'SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE ? AND id <> CONNECTION_ID()';
      return ((await reads.query(sql, [like])) as unknown[]).length > 0;
    },
    { timeout: 10_000 },
  );
