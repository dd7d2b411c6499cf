import { expect, test } from 'vitest';
import { type Database } from '#backend/platform/database/database.ts';
import { sqliteDialect } from '#backend/platform/database/dialect.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import { createBatchWriter } from './write-batch.ts';

const PLAIN = plainEvent({
  payload: jsonText('{}'),
  extraData: jsonText('{}'),
  customer: null,
  alertType: null,
  url: '/webhook',
});
const PROBLEM: IncomingEvent = { ...PLAIN, state: 'firing', dedupKey: 'disk' };
const NAMED: IncomingEvent = { ...PLAIN, delivery: { keyHash: 'key', bodyHash: 'body' } };

const deliveryOf = (event: IncomingEvent, signedKey?: string): IncomingDelivery => ({
  source: { id: 'source', name: 'Source', secretId: 'secret' },
  policy: DEFAULT_POLICY,
  receivedAt: 1,
  events: [event],
  ...(signedKey !== undefined && { signedKey }),
});

const DUPLICATE = Object.assign(new Error('duplicate'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
const FULL = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
const NOTHING = { outcomes: [], alerts: [] };

/** Stores a batch in a database whose first transactions end with these errors. Says how many there were. */
async function store(delivery: IncomingDelivery, ...errors: Error[]) {
  let transactions = 0;
  const transaction = async () => {
    const error = errors[transactions];
    transactions += 1;
    if (error) throw error;
    return NOTHING;
  };
  const write = createBatchWriter({ dialect: sqliteDialect, transaction } as unknown as Database);
  const outcome = await write([delivery]).catch((error: unknown) => error);
  return { outcome, transactions };
}

test.each([
  ['a problem', deliveryOf(PROBLEM)],
  ['a delivery with a key', deliveryOf(NAMED)],
  ['a signed request', deliveryOf(PLAIN, 'signed')],
])('%s that another server stored in the same moment is looked up again, once', async (_what, delivery) => {
  expect(await store(delivery, DUPLICATE)).toEqual({ outcome: NOTHING, transactions: 2 });
  expect(await store(delivery, DUPLICATE, DUPLICATE)).toEqual({ outcome: DUPLICATE, transactions: 2 });
});

test('what cannot collide, and another error, is not tried again', async () => {
  expect(await store(deliveryOf(PLAIN), DUPLICATE)).toEqual({ outcome: DUPLICATE, transactions: 1 });
  expect(await store(deliveryOf(PROBLEM), FULL)).toEqual({ outcome: FULL, transactions: 1 });
});
