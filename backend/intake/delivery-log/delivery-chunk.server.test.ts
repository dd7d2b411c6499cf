import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryCountsSchema, deliveryListSchema, deliverySchema } from '#backend/contract/delivery.ts';
import { firstIdAt, newId } from '#backend/platform/database/ids.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { DeliveryChunkEntity } from './delivery-chunk.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { LoggedRequest } from './delivery-row.ts';
import { limitDeliveries, pruneDeliveries } from './prune-deliveries.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(() => server.destroy());

const chunksOf = (sourceId: string) => server.database.reads.getRepository(DeliveryChunkEntity).findBy({ sourceId });
const opened = (transaction = server.database.transaction) =>
  createDeliveryLog({
    database: { dialect: server.database.dialect, transaction },
    events: createEventBus((error) => expect.unreachable(String(error))),
    logger: createLogger('silent'),
    observe: () => expect.unreachable('All of it is written.'),
  });

const NOW = Date.now();

/** An id of a moment, unlike any other. */
const idAt = (moment: number): string => firstIdAt(moment).slice(0, 14) + newId().slice(14);

/** A request that makes one new alert, as its sender's others do; `agent` is what those have in common. */
const request = (sourceId: string, at: number, summary: string, agent = 'a monitor'): LoggedRequest => {
  const alertId = newId();
  return {
    id: idAt(at),
    source: { id: sourceId, keepBodiesUpTo: 262_144 },
    receivedAt: at,
    outcome: 'new',
    way: 'key',
    summary,
    results: [{ outcome: 'new', alertId, title: summary, occurrences: 1 }],
    target: '/webhook',
    rawHeaders: ['Content-Type', 'application/json', 'User-Agent', agent],
    body: '{}',
    bodyOfAlert: alertId,
    secrets: [],
    status: 202,
    size: 2,
    durationMs: 1.5,
    remoteAddress: '192.0.2.10',
    sender: null,
    recognisedBy: null,
    replayOf: null,
    isUnverified: false,
    maskedKey: null,
    method: 'POST',
  };
};

const refused = (sourceId: string, at: number, summary: string): LoggedRequest => ({
  ...request(sourceId, at, summary),
  outcome: 'refused',
  status: 400,
  results: [],
  bodyOfAlert: null,
});

/**
 * A log of 300 requests over twenty seconds, written by two servers, one of which writes late: two kinds of senders in turn,
 * and every tenth is refused.
 */
async function filled(): Promise<{ id: string; requests: LoggedRequest[] }> {
  const { source } = await world.newSource();
  const requests = Array.from({ length: 300 }, (_, number) => {
    const at = NOW - 60_000 + Math.floor((number * 20_000) / 300) + (number % 7);
    const summary = `Disk ${number} of "node-${number % 5}" is full`;
    return number % 10 === 9
      ? refused(source.id, at, summary)
      : request(source.id, at, summary, number % 2 === 0 ? 'a monitor' : 'another monitor');
  });
  const logs = [opened(), opened()];
  for (const [number, one] of requests.entries()) logs[number % 3 === 0 ? 1 : 0]?.add(one);
  for (const log of logs) await log.flush();
  return { id: source.id, requests: requests.toSorted((one, other) => (one.id < other.id ? 1 : -1)) };
}

const between = (from: number, to: number): string =>
  `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;

const namesOf = (requests: readonly { summary: string }[]): string[] => requests.map(({ summary }) => summary);

/** What the pages of a list say, one after the other. */
async function walk(id: string, query: string): Promise<string[]> {
  const names: string[] = [];
  for (let path: string | undefined = `/api/sources/${id}/deliveries?${query}`; path;) {
    const response = await admin.get(path);
    names.push(...namesOf(deliveryListSchema.parse(await response.json())));
    path = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return names;
}

test('deliveries of a second that are new alerts are one row, and are listed, narrowed, found and counted one by one', async () => {
  const { id, requests } = await filled();
  const chunks = await chunksOf(id);
  const chunked = chunks.reduce((sum, { deliveries }) => sum + deliveries, 0);
  expect([chunked > 200, chunks.length < 100]).toEqual([true, true]);

  for (const limit of [7, 50, 500]) expect(await walk(id, `limit=${limit}`)).toEqual(namesOf(requests));
  for (const outcome of ['new', 'refused'] as const)
    expect(await walk(id, `limit=13&outcome=${outcome}`)).toEqual(
      namesOf(requests.filter((one) => one.outcome === outcome)),
    );
  expect(await walk(id, `limit=9&q=${encodeURIComponent('"NODE-3"')}`)).toEqual(
    namesOf(requests.filter(({ summary }) => summary.includes('node-3'))),
  );
  expect(await walk(id, `limit=9&q=another`)).toEqual(
    namesOf(requests.filter(({ rawHeaders }) => rawHeaders[3] === 'another monitor')),
  );
  // The beginning and the end of these times lie within chunks.
  for (const [from, to] of [
    [58_300, 41_100],
    [50_001, 50_000],
  ] as const) {
    const of = between(NOW - from, NOW - to);
    const within = requests.filter(({ receivedAt }) => receivedAt >= NOW - from && receivedAt < NOW - to);
    expect(await walk(id, `limit=11&${of}`)).toEqual(namesOf(within));
    const answer = await admin.get(`/api/sources/${id}/delivery-counts?${of}`);
    const { outcomes, parts } = deliveryCountsSchema.parse(await answer.json());
    const counted = requests.filter(({ receivedAt }) => receivedAt >= NOW - from && receivedAt <= NOW - to);
    expect(outcomes.new + outcomes.refused).toBe(counted.length);
    expect(parts.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(counted.length);
  }
  for (const one of requests.slice(0, 40)) {
    const found = deliverySchema.parse(await (await admin.get(`/api/deliveries/${one.id}`)).json());
    expect(found).toMatchObject({
      summary: one.summary,
      outcome: one.outcome,
      receivedAt: new Date(one.receivedAt).toISOString(),
      remoteAddress: '192.0.2.10',
      headers: [
        ['Content-Type', 'application/json'],
        ['User-Agent', one.rawHeaders[3]],
      ],
    });
  }
  expect((await admin.get(`/api/deliveries/${idAt(NOW - 50_000)}`)).status).toBe(404);
});

test('of ids that were ahead of the clock the times of the deliveries decide', async () => {
  const { source } = await world.newSource();
  const log = opened();
  // The clock was an hour ahead; then it was set back.
  const names = Array.from({ length: 30 }, (_, number) => `Ahead ${number}`);
  for (const [number, name] of names.entries())
    log.add({
      ...request(source.id, NOW - 7_200_000, name),
      id: idAt(NOW - 3_600_000 + number),
      receivedAt: NOW - 7_200_000 + number,
    });
  await log.flush();
  expect(await chunksOf(source.id)).toHaveLength(1);
  await server.database.transaction((tx) =>
    tx.query('INSERT INTO id_leads (shown_from, ids_until) VALUES (?, ?)', [NOW - 7_300_000, NOW - 3_500_000]),
  );
  const of = between(NOW - 7_200_000 + 5, NOW - 7_200_000 + 15);
  expect(await walk(source.id, `limit=4&${of}`)).toEqual(names.slice(5, 15).toReversed());
  const answer = await admin.get(`/api/sources/${source.id}/delivery-counts?${of}`);
  expect(deliveryCountsSchema.parse(await answer.json()).outcomes.new).toBe(11);
  expect(await walk(source.id, between(NOW - 3_700_000, NOW))).toEqual([]);
  await server.database.transaction((tx) => tx.query('DELETE FROM id_leads', []));
});

test('a commit that was made and not answered is not made twice', async () => {
  const { source } = await world.newSource();
  let attempts = 0;
  const code = server.database.dialect.name === 'mysql' ? 'PROTOCOL_CONNECTION_LOST' : 'SQLITE_BUSY';
  const log = opened(async (work, options) => {
    const result = await server.database.transaction(work, options);
    attempts += 1;
    if (attempts === 1) throw Object.assign(new Error('away'), { code });
    return result;
  });
  const first = Array.from({ length: 20 }, (_, number) => request(source.id, NOW - 30_000 + number, `First ${number}`));
  for (const one of first) log.add(one);
  await log.flush();
  const second = Array.from({ length: 20 }, (_, number) =>
    request(source.id, NOW - 29_000 + number, `Second ${number}`),
  );
  for (const one of second) log.add(one);
  await log.flush();
  expect(attempts).toBe(2);
  expect(await walk(source.id, 'limit=100')).toEqual(namesOf([...first, ...second]).toReversed());
  expect(await amounts(source.id)).toMatchObject({ rows: 40 });
});

/** What the log of a source counts, and what its tables have. */
async function amounts(id: string) {
  const { reads } = server.database;
  const totals: { kind: string; amount: number | string }[] = await reads.query(
    'SELECT kind, amount FROM delivery_totals WHERE source_id = ?',
    [id],
  );
  const [stored]: { bytes: number | string | null }[] = await reads.query(
    'SELECT SUM(bytes) AS bytes FROM (SELECT bytes FROM deliveries WHERE source_id = ? ' +
      'UNION ALL SELECT bytes FROM delivery_chunks WHERE source_id = ?) log',
    [id, id],
  );
  const counted = Object.fromEntries(totals.map(({ kind, amount }) => [kind, Number(amount)]));
  expect(counted['bytes']).toBe(Number(stored?.bytes ?? 0));
  return counted;
}

/** Deletes what is older than a day, two days from now. */
const prune = () =>
  pruneDeliveries(
    {
      database: server.database,
      sources: { get: () => ({ settings: { keepDeliveriesDays: 1 } }) },
      maxBytes: Infinity,
    },
    new AbortController().signal,
    NOW + 2 * 86_400_000,
  );

test('chunks go with their age and for their size, and are counted', async () => {
  await prune();
  const { id } = await filled();
  const before = await amounts(id);
  expect(before).toMatchObject({ rows: 300 });
  const maxBytes = Math.floor((before['bytes'] ?? 0) / 2);
  await limitDeliveries({ database: server.database, maxBytes }, new AbortController().signal);
  const after = await amounts(id);
  expect(after['bytes']).toBeLessThanOrEqual(maxBytes);
  const left = await walk(id, 'limit=500');
  expect(after['rows']).toBe(left.length);
  expect(left.length).toBeGreaterThan(100);
  await prune();
  expect([await walk(id, 'limit=500'), await chunksOf(id)]).toEqual([[], []]);
  expect(await amounts(id)).toMatchObject({ rows: 0, bytes: 0 });
});
