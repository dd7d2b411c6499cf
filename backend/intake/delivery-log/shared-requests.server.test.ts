import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryListSchema, deliverySchema } from '#backend/contract/delivery.ts';
import { DeliveryRowEntity, SharedRequestEntity } from './delivery-entity.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(() => server.destroy());

const list = async (id: string, query = '') =>
  deliveryListSchema.parse(await (await admin.get(`/api/sources/${id}/deliveries${query}`)).json());
const read = async (id: string) => deliverySchema.parse(await (await admin.get(`/api/deliveries/${id}`)).json());
const shared = (sourceId: string) => server.database.reads.getRepository(SharedRequestEntity).findBy({ sourceId });

/** Deletes what is older than a day. */
const prune = (now: number) =>
  pruneDeliveries(
    {
      database: server.database,
      sources: { get: () => ({ settings: { keepDeliveriesDays: 1 } }) as never },
      maxBytes: Infinity,
    },
    AbortSignal.timeout(10_000),
    now,
  );

test('what requests have in common is stored once, shown with each, found by a search, and kept as long as one of them', async () => {
  const { source, key } = await world.newSource();
  const header = 'x-run-by';
  for (const body of ['{"a":1}', '{"a":22}', '{"a":333}', '{"a":4444}']) {
    await world.send('/webhook', { headers: { 'X-API-Key': key, [header]: 'the night shift' }, body });
  }
  await waitFor(async () => expect(await list(source.id)).toHaveLength(4));
  expect(await shared(source.id)).toHaveLength(1);

  const found = await list(source.id, '?q=night%20shift');
  const deliveries = await Promise.all(found.map(({ id }) => read(id)));
  expect(deliveries.map(({ body }) => body)).toEqual(['{"a":4444}', '{"a":333}', '{"a":22}', '{"a":1}']);
  for (const { headers, body, path, sender, size } of deliveries) {
    expect([path, sender, size]).toEqual(['/webhook', 'generic', body?.length]);
    expect(headers).toContainEqual([header, 'the night shift']);
    expect(headers).toContainEqual(['content-length', String(size)]);
  }
  expect(JSON.stringify(deliveries)).not.toContain(key);

  await prune(Date.now());
  expect(await shared(source.id)).toHaveLength(1);
  // A source that is deleted takes it along, also from what is written a moment later.
  const { requestId } = await server.database.reads
    .getRepository(DeliveryRowEntity)
    .findOneByOrFail({ id: found[0]?.id ?? '' });
  await server.database.transaction((tx) => tx.getRepository(SharedRequestEntity).delete({ id: requestId ?? '' }));
  expect(await read(found[0]?.id ?? '')).toMatchObject({ path: '', headers: [], body: '{"a":4444}' });
  await prune(Date.now() + 2 * 86_400_000);
  expect([await list(source.id), await shared(source.id)]).toEqual([[], []]);
});
