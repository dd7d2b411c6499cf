import { expect, onTestFinished, test } from 'vitest';
import { startMysqlProxy } from '#tests/support/mysql-proxy.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { openOwnConnection } from './own-connection.ts';

/** Longer than a test waits, in milliseconds. */
const HANGING_MS = 600_000;

async function hangingDatabase() {
  const place = await makeTestPlace();
  onTestFinished(() => place.remove());
  const proxy = await startMysqlProxy(place.databaseUrl ?? '');
  onTestFinished(() => proxy.stop());
  return proxy;
}

test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
  'what is asked of a database that hangs fails as soon as nobody waits for it',
  async () => {
    const proxy = await hangingDatabase();
    const stopping = new AbortController();
    const connection = await openOwnConnection(proxy.url, 5_000, stopping.signal);
    expect((await connection.query('SELECT 1 AS one'))[0]).toEqual([{ one: 1 }]);
    proxy.delay(HANGING_MS);
    const asked = [connection.query('SELECT 2'), connection.query('SELECT 3')];
    stopping.abort();
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  },
);

test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
  'a connection that nobody waits for any more is not opened',
  async () => {
    const proxy = await hangingDatabase();
    await expect(openOwnConnection(proxy.url, 5_000, AbortSignal.abort())).rejects.toThrow('cut');
  },
);
