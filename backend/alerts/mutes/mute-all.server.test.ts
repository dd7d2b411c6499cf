import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCustomers } from '#tests/support/insert-names.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { WritableDatabase } from '#backend/identity/users/on-behalf-of.ts';
import { muteAll } from './mute-all.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test('a step whose commit is refused is run again for the same names', async () => {
  const anna = await server.signedIn();
  await insertCustomers(server.database, 1_200);
  const refusal = new Error('refused, as a node of a cluster does');
  let calls = 0;
  /** Has each transaction run once for nothing, as where its commit is refused. */
  const database: WritableDatabase = {
    ...server.database,
    async transaction(work, options) {
      calls += 1;
      await server.database
        .transaction(async (tx) => {
          await work(tx);
          throw refusal;
        }, options)
        .catch((error: unknown) => {
          if (error !== refusal) throw error;
        });
      return server.database.transaction(work, options);
    },
  };
  await muteAll(database, 'customer', anna.id, true);
  expect(calls).toBeGreaterThan(3);
  const [{ muted }]: [{ muted: number }] = await server.database.reads.query(
    'SELECT COUNT(*) AS muted FROM customer_mutes WHERE user_id = ?',
    [anna.id],
  );
  expect(Number(muted)).toBe(1_200);
});
