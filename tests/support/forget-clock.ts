import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

/**
 * As after a day of running: until then a server takes a clock that a test sets ahead for one that jumped. Waits for the
 * server's first look at the clock, which would come after this and be believed.
 */
export async function forgetClock({ database }: TestServer): Promise<void> {
  const looks = async () => Number((await database.reads.query('SELECT COUNT(*) AS n FROM clock_looks'))[0].n);
  await expect.poll(looks).toBeGreaterThan(0);
  await database.transaction((tx) => tx.query('DELETE FROM clock_looks'));
}
