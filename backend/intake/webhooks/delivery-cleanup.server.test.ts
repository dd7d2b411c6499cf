import { uuidv7 } from 'uuidv7';
import { LessThan, MoreThan } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneStatements } from '#backend/platform/database/prune.ts';
import {
  DELIVERY_MEMORY_MS,
  DeliveryEntity,
  DELIVERY_AGE,
  forgetDeliveries,
} from '#backend/intake/write/deliveries.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** As many as came in ten minutes at ten a second. */
const OLD_DELIVERIES = 6_000;
const YOUNG_DELIVERIES = 2_000;

const EXPLAIN = process.env['TEST_DIALECT'] === 'mysql' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

async function addDeliveries(count: number, receivedAt: (index: number) => number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    apiKeyId: uuidv7(),
    keyHash: String(index).padStart(64, '0'),
    bodyHash: '0'.repeat(64),
    alertId: uuidv7(),
    receivedAt: receivedAt(index),
  }));
  for (let at = 0; at < count; at += 1_000) {
    await server.database.transaction((tx) => tx.getRepository(DeliveryEntity).insert(rows.slice(at, at + 1_000)));
  }
}
const dayAgo = () => Date.now() - DELIVERY_MEMORY_MS;
const youngOnes = () => server.database.reads.getRepository(DeliveryEntity).countBy({ receivedAt: MoreThan(dayAgo()) });
const oldOnes = () => server.database.reads.getRepository(DeliveryEntity).countBy({ receivedAt: LessThan(dayAgo()) });

test('old idempotency keys go while keyed alerts come in, faster than those could bring new ones', async () => {
  const start = dayAgo() - OLD_DELIVERIES - 60_000;
  await addDeliveries(OLD_DELIVERIES, (index) => start + index);
  await addDeliveries(YOUNG_DELIVERIES, () => Date.now());
  server = await server.restart();
  const sender = server.anonymous();
  let posted = 0;
  while ((await oldOnes()) > 0) {
    const responses = Array.from({ length: 20 }, (_, index) =>
      sender.post(key, { a: 1 }, { 'Idempotency-Key': `live ${posted + index}` }),
    );
    for (const { status } of await Promise.all(responses)) expect(status).toBe(202);
    posted += responses.length;
  }
  // More went in that time than came in, so the table shrinks at any rate.
  expect(posted).toBeLessThan(OLD_DELIVERIES);
  expect(await server.database.reads.getRepository(DeliveryEntity).count()).toBe(YOUNG_DELIVERIES + posted);
});

test('looking for them and deleting them goes by the index', async () => {
  const start = dayAgo() - 60_000;
  await addDeliveries(1_500, (index) => start + index);
  const { findLast, deleteTo } = pruneStatements(server.database.dialect, DELIVERY_AGE);
  for (const [sql, value] of [
    [findLast, dayAgo()],
    [deleteTo, start + 499],
  ] as const) {
    // As the cleanup does it, in a transaction; explaining deletes nothing.
    const steps = await server.database.transaction((tx) => tx.query(`${EXPLAIN} ${sql}`, [value]));
    expect(JSON.stringify(steps)).toMatch(/webhook_deliveries_received/);
    expect(JSON.stringify(steps)).not.toMatch(/SCAN |"type":"(ALL|index)"|filesort/);
  }
  const young = await youngOnes();
  await forgetDeliveries(server.database, new AbortController().signal);
  expect([await oldOnes(), await youngOnes()]).toEqual([0, young]);
});
