import { expect, test } from 'vitest';
import { sqliteDialect } from '#backend/database/dialect.ts';
import { createEventBus } from '#backend/live/event-bus.ts';
import { createLogger } from '#backend/logger.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { LoggedRequest } from './delivery-row.ts';

test('a request that cannot be logged is dropped and counted, and its sender is answered all the same', () => {
  let dropped = 0;
  const log = createDeliveryLog({
    database: { dialect: sqliteDialect, transaction: () => expect.unreachable('There is nothing to write.') },
    events: createEventBus((error) => expect.unreachable(String(error))),
    logger: createLogger('silent'),
    observe: (deliveries) => (dropped += deliveries),
  });
  // What no request is: it has no headers at all.
  const broken = { id: 'one', source: null, results: [], secrets: [], summary: '', body: null } as unknown;
  log.add(broken as LoggedRequest);
  expect(dropped).toBe(1);
  expect(log.queued()).toBe(0);
});
