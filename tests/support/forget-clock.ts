import { expect } from 'vitest';
import { newestMoment } from '#backend/platform/database/ids.ts';
import type { TestServer } from './test-server.ts';

const read = async ({ database }: TestServer, sql: string): Promise<number> =>
  Number((await database.reads.query(sql))[0].n);

/**
 * Waits until a server whose clock a test has set back has noted the ids that are ahead of it: another server of this process
 * gives them its own time. Call it after each change that a test makes at such a time.
 */
export async function idsAreNoted(server: TestServer): Promise<void> {
  const newest = newestMoment();
  if (newest <= Date.now()) return;
  await expect
    .poll(() => read(server, 'SELECT COALESCE(MAX(ids_until), 0) AS n FROM id_leads'))
    .toBeGreaterThan(newest);
}

/**
 * As after a day of running: until then a server takes a clock that a test sets ahead for one that jumped. Waits for the
 * server's first look at the clock, which would come after this and be believed.
 */
export async function forgetClock(server: TestServer): Promise<void> {
  await expect.poll(() => read(server, 'SELECT COUNT(*) AS n FROM clock_looks')).toBeGreaterThan(0);
  await server.database.transaction((tx) => tx.query('DELETE FROM clock_looks'));
}
