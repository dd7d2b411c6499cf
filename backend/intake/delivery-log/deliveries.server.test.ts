import { IsNull } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deliveryCountsSchema,
  deliveryListSchema,
  deliverySchema,
  deliverySummarySchema,
  dryRunResultSchema,
  replayResultSchema,
  unknownKeysSchema,
} from '#backend/contract/delivery.ts';
import { type Source, type SourceSettings, sourceSchema } from '#backend/contract/source.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { waitOutQuarter } from '#tests/support/wait-out-quarter.ts';

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
const replay = async (id: string, ids: string[], body: object = {}) =>
  replayResultSchema.parse(await (await admin.send('POST', `/api/sources/${id}/replay`, { ids, ...body })).json());
/** A source with these bodies posted to it, once all are in its log. */
async function filled(bodies: string[], settings: Partial<SourceSettings> = {}) {
  const own = await world.newSource();
  await world.change(own.source.id, settings);
  for (const body of bodies) await world.send(`/in/${own.token}?token=no`, { body });
  await waitFor(async () => expect(await list(own.source.id)).toHaveLength(bodies.length));
  return { ...own, id: own.source.id };
}

test('a delivery is shown with its request, its secrets masked, and how it is read', async () => {
  const own = await world.newSource();
  const body = '{"title":"Disk full on db-7","customer":"Nordwind","severity":"critical"}';
  const { id: alertId } = (await (
    await world.send('/webhook', { headers: { Authorization: `Bearer ${own.key}` }, body })
  ).json()) as { id: string };
  await world.expectNewest(own.source.id, { outcome: 'new' });
  const [row] = await list(own.source.id);
  expect(row).toMatchObject({ outcome: 'new', summary: 'Disk full on db-7', alerts: 1, newAlerts: 1, status: 202 });
  const delivery = await read(row?.id ?? '');
  expect(delivery).toMatchObject({
    method: 'POST',
    path: '/webhook',
    way: 'key',
    body,
    isBodyCut: false,
    results: [{ outcome: 'new', alertId, title: 'Disk full on db-7', occurrences: 1 }],
    events: [{ title: 'Disk full on db-7', customer: 'Nordwind', severity: 'critical', payload: body }],
  });
  const shown = delivery.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  expect(shown).toBe(`Bearer ad_••••••••${own.key.slice(-4)}`);
  expect(JSON.stringify(delivery)).not.toContain(own.key);
  const { keptUntil, receivedAt } = delivery;
  expect(Date.parse(keptUntil ?? '') - Date.parse(receivedAt)).toBe(14 * 86_400_000);
});

test('the list goes on by its links, and is narrowed by outcome, time and text', async () => {
  await waitOutQuarter();
  const own = await filled(['{"title":"One"}', '{"title":"Two","note":"rare words"}', '{no JSON', '{"title":"Four"}']);
  const all = await list(own.id);
  expect(all.map(({ outcome }) => outcome)).toEqual(['new', 'refused', 'new', 'new']);
  const walked: string[] = [];
  let next: string | undefined = `/api/sources/${own.id}/deliveries?limit=3`;
  while (next) {
    const response: Response = await admin.get(next);
    walked.push(...deliveryListSchema.parse(await response.json()).map(({ id }) => id));
    next = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  expect(walked).toEqual(all.map(({ id }) => id));
  expect((await list(own.id, '?outcome=refused')).map(({ id }) => id)).toEqual([all[1]?.id]);
  expect((await list(own.id, '?q=FOUR')).map(({ id }) => id)).toEqual([all[0]?.id]);
  expect(await list(own.id, '?q=words%20that%20nobody%20sent')).toEqual([]);
  const early = new Date(Date.now() - 60_000).toISOString();
  expect(await list(own.id, `?to=${early}`)).toEqual([]);
  expect(await list(own.id, `?from=${early}`)).toHaveLength(4);

  const counts = deliveryCountsSchema.parse(await (await admin.get(`/api/sources/${own.id}/delivery-counts`)).json());
  expect(counts.outcomes).toMatchObject({ new: 3, refused: 1, repeated: 0 });
  expect(counts.parts).toHaveLength(96);
  expect(counts.parts.at(-1)).toMatchObject({ deliveries: 4, refused: 1 });
  const source = sourceSchema.parse(await (await admin.get(`/api/sources/${own.id}`)).json());
  expect(source).toMatchObject({ health: { state: 'ok' }, refusedToday: 1, ways: { token: { deliveries: 4 } } });
  expect(source.hours.at(-1)).toEqual({ deliveries: 4, refused: 1 });
  expect(source.log.deliveries).toBe(4);
});

test('three refused requests make a source refusing, one that is taken makes it OK', async () => {
  const own = await filled(['no', 'JSON', 'here']);
  const health = async () => sourceSchema.parse(await (await admin.get(`/api/sources/${own.id}`)).json()).health;
  expect(await health()).toMatchObject({ state: 'refusing', reason: expect.stringMatching(/^Not JSON/) });
  await world.send(`/in/${own.token}`);
  await world.expectNewest(own.id, { outcome: 'new' });
  expect((await health()).state).toBe('ok');
});

describe('a replay', () => {
  test('goes through the settings as they are now, whatever the sender’s ids say, and is marked', async () => {
    const own = await world.newSource();
    const headers = { 'Idempotency-Key': 'once' };
    await world.send(`/in/${own.token}`, { headers, body: '{"name":"Maya"}' });
    const { id } = await world.expectNewest(own.source.id, { outcome: 'new' });
    await world.change(own.source.id, { mapping: { customer: 'name' } });
    expect((await replay(own.source.id, [id])).outcomes.new).toBe(1);
    const row = await world.expectNewest(own.source.id, { replayOf: id, way: 'replay' });
    expect((await read(row.id)).events).toMatchObject([{ customer: 'Maya' }]);
  });

  test('is quiet unless it is asked to notify', async () => {
    const own = await filled(['{"n":1}']);
    const [row] = await list(own.id);
    const received: (boolean | undefined)[] = [];
    const live = await listenLive(admin, '/ws');
    const collect = () => live.events.flatMap((event) => (event.type === 'new_alert' ? [event.alert.id] : []));
    await replay(own.id, [row?.id ?? ''], { notify: true });
    await waitFor(() => expect(collect()).toHaveLength(1));
    await replay(own.id, [row?.id ?? '']);
    await waitFor(() => expect(collect()).toHaveLength(2));
    for (const event of live.events) if (event.type === 'new_alert') received.push(event.quiet);
    expect(received).toEqual([undefined, true]);
    live.socket.close();
  });

  test('brings what a paused source was sent, and what was refused', async () => {
    const own = await world.newSource();
    await admin.send('PATCH', `/api/sources/${own.source.id}`, { isPaused: true });
    await world.send(`/in/${own.token}`);
    const paused = await world.expectNewest(own.source.id, { outcome: 'paused' });
    await world.change(own.source.id, { auth: { ...own.source.settings.auth, token: false } });
    await world.send(`/in/${own.token}`, { body: '{"b":2}' });
    const refused = await world.expectNewest(own.source.id, { outcome: 'refused' });
    const before = await world.countAlerts();
    expect((await replay(own.source.id, [paused.id, refused.id])).outcomes.new).toBe(2);
    expect(await world.countAlerts()).toBe(before + 2);
  });

  test('says of which nothing is kept', async () => {
    const own = await filled(['{"a":1}'], { keepBodiesUpTo: 0 });
    const [row] = await list(own.id);
    const { notReplayed } = await replay(own.id, [row?.id ?? '']);
    expect(notReplayed).toEqual([{ id: row?.id, reason: 'Its body is no longer kept.' }]);
    const other = await world.newSource();
    const foreign = await admin.send('POST', `/api/sources/${other.source.id}/replay`, { ids: [row?.id] });
    expect(foreign.status).toBe(404);
  });
});

test('a test sends the sample of the source’s sender', async () => {
  const own = await world.newSource();
  await world.change(own.source.id, { adapter: 'alertmanager' });
  const response = await admin.send('POST', `/api/sources/${own.source.id}/test`);
  const row = deliverySummarySchema.parse(await response.json());
  expect(row).toMatchObject({ outcome: 'new', sender: 'alertmanager' });
  expect((await read(row.id)).way).toBe('test');
});

test('a dry run shows how a request would be read, and stores nothing', async () => {
  const own = await filled(['{"order":{"title":"Late"}}']);
  const [row] = await list(own.id);
  const before = await world.countAlerts();
  const run = async (body: object) =>
    dryRunResultSchema.parse(await (await admin.send('POST', `/api/sources/${own.id}/dry-run`, body)).json());
  expect(await run({ deliveryId: row?.id, mapping: { title: 'order.title' } })).toMatchObject({
    sender: 'generic',
    events: [{ title: 'Late' }],
    errors: [],
  });
  const wrong = await run({ deliveryId: row?.id, mapping: { title: 'order[' } });
  expect(wrong.errors).toEqual([{ field: 'title', message: expect.any(String) }]);
  expect((await run({ request: { body: '{no JSON' } })).problem).toMatch(/not valid JSON/);
  const saved = await admin.send('PATCH', `/api/sources/${own.id}`, { settings: { mapping: { title: 'order[' } } });
  expect(saved.status).toBe(422);
  expect(await world.countAlerts()).toBe(before);
  expect(await list(own.id)).toHaveLength(1);
});

const unknownKeys = async () => unknownKeysSchema.parse(await (await admin.get('/api/unknown-keys')).json());

test('requests with unknown keys are listed by key and address, without their bodies', async () => {
  const key = `ad_${'x'.repeat(39)}aa01`;
  const headers = { 'X-Webhook-Auth': key, 'User-Agent': 'Grafana' };
  for (const body of ['{"secret":1}', '{"secret":2}']) await world.send('/webhook', { headers, body });
  await waitFor(async () => {
    const { keys, requestsToday } = await unknownKeys();
    expect(keys).toContainEqual(
      expect.objectContaining({ key: 'ad_••••••••aa01', way: 'key', sender: 'grafana', requests: 2 }),
    );
    expect(requestsToday).toBeGreaterThanOrEqual(2);
  });
  const rows = (await world.logged({ sourceId: IsNull() })).filter((row) => row.maskedKey === 'ad_••••••••aa01');
  expect(rows.map(({ sourceId, body }) => [sourceId, body])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(JSON.stringify(rows)).not.toContain(key);
});

test('administrators receive how a source stands with its deliveries, and fetch nothing for it; members do not', async () => {
  await waitOutQuarter();
  const own = await world.newSource();
  const member = await server.signedIn();
  const [admins, members] = [await listenLive(admin, '/ws'), await listenLive(member, '/ws')];
  await world.send(`/in/${own.token}`);
  const changes = () =>
    admins.events.filter((event) => event.type === 'source_changed' && event.sourceId === own.source.id);
  const shown = async () => (await (await admin.get(`/api/sources/${own.source.id}`)).json()) as Source;
  await waitFor(() =>
    expect(changes().at(-1)).toMatchObject({ sourceId: own.source.id, counts: { log: { deliveries: 1 } } }),
  );
  const { hours, health, lastDeliveryAt, log } = await shown();
  const pairs = hours.map(({ deliveries, refused }) => [deliveries, refused]);
  expect(changes().map((event) => 'counts' in event && event.counts)).toEqual([
    expect.objectContaining({ health, lastDeliveryAt, log, hours: pairs }),
  ]);
  await Promise.all(Array.from({ length: 5 }, () => world.send(`/in/${own.token}`)));
  await waitFor(() => expect(changes().at(-1)).toMatchObject({ counts: { log: { deliveries: 6 } } }));
  // Not one for each: what came within a second comes together.
  expect(changes().length).toBeLessThanOrEqual(4);
  expect(members.events.some((event) => event.type === 'source_changed')).toBe(false);
  admins.socket.close();
  members.socket.close();
});

const sources = (days: 1 | 90) => ({ get: () => ({ settings: { keepDeliveriesDays: days } }) as never });
const prune = (days: 1 | 90, maxBytes: number, now = Date.now()) =>
  pruneDeliveries({ database: server.database, sources: sources(days), maxBytes }, new AbortController().signal, now);
const bytesOf = async () =>
  Number(
    (await server.database.reads.query("SELECT SUM(amount) AS sum FROM delivery_totals WHERE kind = 'bytes'"))[0].sum,
  );

describe('the log is kept', () => {
  test('for as many days as its source says', async () => {
    const own = await filled(['{"a":1}', '{"a":2}']);
    await prune(90, Infinity);
    expect(await list(own.id)).toHaveLength(2);
    await prune(1, Infinity, Date.now() + 2 * 86_400_000);
    expect(await list(own.id)).toEqual([]);
  });

  test('within a size: the oldest of the source that takes most go', async () => {
    const big = await filled(Array.from({ length: 5 }, (_, n) => JSON.stringify([n, 'x'.repeat(10_000)])));
    const small = await filled(['{"a":1}']);
    const newest = (await list(big.id))[0]?.id;
    await prune(90, (await bytesOf()) - 25_000);
    const left = await list(big.id);
    expect([left.length, left[0]?.id]).toEqual([2, newest]);
    expect(await list(small.id)).toHaveLength(1);
    const [counted] = await server.database.reads.query('SELECT SUM(bytes) AS sum FROM deliveries');
    expect(await bytesOf()).toBe(Number(counted.sum));
  });

  test('not at all once its source is deleted', async () => {
    const own = await filled(['{"a":1}']);
    await admin.send('DELETE', `/api/sources/${own.id}`);
    await pruneDeliveries(
      { database: server.database, sources: { get: () => undefined }, maxBytes: Infinity },
      new AbortController().signal,
    );
    expect(await world.logged({ sourceId: own.id })).toEqual([]);
  });
});

test('what cannot be written in time is dropped and counted', async () => {
  let dropped = 0;
  const log = createDeliveryLog({
    database: { ...server.database, transaction: () => new Promise<never>(() => undefined) },
    events: { publish: () => undefined, subscribe: () => () => undefined },
    logger: { warn: () => undefined } as never,
    observe: (count) => (dropped += count),
  });
  const [row] = await world.logged({});
  for (let count = 0; count < 150; count += 1) {
    log.add({
      ...(row as never as object),
      source: null,
      rawHeaders: [],
      secrets: [],
      results: [],
      target: '/',
    } as never);
  }
  expect([dropped, log.queued()]).toEqual([50, 100]);
});
