import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { type DomainEvent, createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { SourceEntity } from './source-entity.ts';
import { openSourceRegistry } from './source-registry.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** A registry on the server's data, whose database cannot be read while `isAway`. */
async function openOn({ database }: TestServer) {
  const state = { isAway: false, failed: 0 };
  const failing: Database = {
    ...database,
    get reads() {
      if (!state.isAway) return database.reads;
      state.failed += 1;
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    },
  };
  const events = createEventBus((error) => {
    throw error;
  });
  const published: DomainEvent[] = [];
  events.subscribe((event) => published.push(event));
  return {
    state,
    events,
    published,
    registry: await openSourceRegistry({ database: failing, events, logger: createLogger('silent') }),
  };
}

const rename = (id: string, name: string) =>
  server.database.transaction((tx) => tx.getRepository(SourceEntity).update({ id }, { name }));

test.each([
  ['here', true],
  ['on another server', false],
])('a source that changed %s while it could not be read is read as soon as it can be', async (_where, isHere) => {
  const { source } = await createSourceWorld(server, await server.signedIn({ role: 'admin' })).newSource();
  const { state, events, published, registry } = await openOn(server);
  const name = `changed ${isHere}`;
  state.isAway = true;
  await rename(source.id, name);
  if (isHere) registry.reload(source.id).catch(() => undefined);
  else events.publish({ type: 'source_changed', sourceId: source.id, isEdited: true }, 'elsewhere');
  await waitFor(() => expect(state.failed).toBeGreaterThan(0));
  expect(registry.get(source.id)?.name).toBe(source.name);
  published.length = 0;
  state.isAway = false;
  await waitFor(() => expect(registry.get(source.id)?.name).toBe(name));
  // Pages that asked meanwhile ask again.
  expect(published).toEqual([{ type: 'source_changed', sourceId: source.id, isEdited: true }]);
  registry.stop();
});
