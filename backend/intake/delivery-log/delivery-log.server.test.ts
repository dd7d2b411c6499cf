import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#backend/platform/database/ids.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
});
afterAll(() => server.destroy());

test('a delivery that the database refuses is dropped and counted, and its neighbours are logged', async () => {
  const { source: own, token } = await world.newSource();
  await world.send(`/in/${token}`, { body: '{"title":"First"}' });
  await world.expectNewest(own.id, { summary: 'First' });
  const [row] = await world.logged({ sourceId: own.id });
  let dropped = 0;
  const log = createDeliveryLog({
    database: server.database,
    events: { publish: () => undefined, subscribe: () => () => undefined },
    logger: { warn: () => undefined } as never,
    observe: (count) => (dropped += count),
  });
  for (const [index, outcome] of ['new', null, 'new'].entries()) {
    log.add({
      ...(row as never as object),
      id: newId(),
      outcome,
      summary: `Request ${index}`,
      source: { id: own.id, keepBodiesUpTo: 100 },
      rawHeaders: ['Accept', '*/*'],
      secrets: [],
      results: [],
      target: '/',
    } as never);
  }
  await log.flush();
  expect([dropped, log.queued()]).toEqual([1, 0]);
  const rows = await world.logged({ sourceId: own.id });
  expect(rows.map(({ summary }) => summary)).toEqual(['Request 2', 'Request 0', 'First']);
  // The second of the three was the first with what it and the third have in common.
  expect(rows[0]?.headers).toEqual([['Accept', '*/*']]);
});
