import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { type DomainEvent, type EventOrigin, createEventBus } from '#backend/platform/live/event-bus.ts';
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
  const state = { isAway: false, failed: 0, reads: 0 };
  const failing: Database = {
    ...database,
    get reads() {
      state.reads += 1;
      if (!state.isAway) return database.reads;
      state.failed += 1;
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    },
  };
  const events = createEventBus((error) => {
    throw error;
  });
  const published: DomainEvent[] = [];
  const origins: EventOrigin[] = [];
  events.subscribe((event, origin) => {
    published.push(event);
    origins.push(origin);
  });
  return {
    state,
    events,
    published,
    origins,
    registry: await openSourceRegistry({ database: failing, events, logger: createLogger('silent'), isShared: true }),
  };
}

const rename = (id: string, name: string) =>
  server.database.transaction((tx) => tx.getRepository(SourceEntity).update({ id }, { name }));

/** What asks pages to read a source again. */
const asked = (id: string): DomainEvent[] => [{ type: 'source_changed', sourceId: id, isEdited: true }];

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
  expect(published).toEqual(asked(source.id));
  registry.stop();
});

test('what an event from here says is read, and pages that asked before are asked to read it again', async () => {
  const { newSource } = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
  const sources = [(await newSource()).source, (await newSource()).source];
  const { state, events, published, origins, registry } = await openOn(server);
  const changes = sources.map(({ id }) => ({ type: 'source_changed', sourceId: id, isEdited: true }) as const);
  for (const { id } of sources) await rename(id, `renamed ${id}`);
  for (const change of changes) events.publish(change);
  await waitFor(() => {
    for (const { id } of sources) expect(registry.get(id)?.name).toBe(`renamed ${id}`);
  });
  await waitFor(() => expect(published).toHaveLength(4));
  expect(published).toEqual([...changes, ...changes]);
  // Other servers read the change themselves: none is sent what this one asks its pages.
  expect(origins).toEqual(['here', 'here', 'elsewhere', 'elsewhere']);
  const { reads } = state;
  await rename(sources[0]?.id ?? '', 'renamed again');
  await registry.reload(sources[0]?.id ?? '');
  expect(published).toHaveLength(5);
  for (let turn = 0; turn < 2; turn += 1) await registry.load(crypto.randomUUID());
  // Two statements for each of the three, and none for what it has published itself.
  expect(state.reads).toBe(reads + 6);
  registry.stop();
});

test('pages are asked to read again what was read before the news of a change came', async () => {
  const { newSource } = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
  const known = await newSource();
  const { published, registry } = await openOn(server);
  await rename(known.source.id, 'looked up');
  await registry.lookUp([known.key]);
  expect(published).toEqual(asked(known.source.id));

  published.length = 0;
  await rename(known.source.id, 'looked up for an email');
  await registry.lookUpMail();
  expect(published).toEqual(asked(known.source.id));

  published.length = 0;
  const made = await newSource();
  expect((await registry.load(made.source.id))?.name).toBe(made.source.name);
  expect(published).toEqual(asked(made.source.id));
  await registry.load(crypto.randomUUID());
  expect(published).toHaveLength(1);
  registry.stop();
});
