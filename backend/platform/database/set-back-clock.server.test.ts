import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod/mini';
import { alertListSchema } from '#backend/contract/alert.ts';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { deliveryCountsSchema, deliveryListSchema } from '#backend/contract/delivery.ts';
import { insightSchema } from '#backend/contract/insight.ts';
import { type MainProcess, listening, startMain } from '#tests/support/main-process.ts';
import { hasCluster, startRedis } from '#tests/support/redis.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

const HOUR_MS = 60 * 60 * 1_000;
const AHEAD_MS = 3 * 24 * HOUR_MS;

/** Sets the clock of a process ahead, before anything in it asks for the time. */
const AHEAD = `--import data:text/javascript,const{now}=Date;Date.now=()=>now()+${AHEAD_MS}`;

/** Processes start. */
vi.setConfig({ testTimeout: 60_000 });

let server: TestServer;
afterEach(() => server.destroy());

/** Searches name whole seconds: the one that has begun, and the one that is to come. */
const thisSecond = () => Date.now() - (Date.now() % 1_000);
const nextSecond = () => thisSecond() + 1_000;

const at = (moment: number) => new Date(moment).toISOString();
const day = (moment: number) => at(moment).slice(0, 10);
const read = async (client: TestClient, path: string, query: Record<string, string>): Promise<unknown> =>
  (await client.get(`${path}?${new URLSearchParams(query)}`)).json();

/** Ids that a search of the list of all finds. */
const found = async (client: TestClient, search: string): Promise<string[]> =>
  alertListSchema.parse(await read(client, '/api/alerts/all', { search, limit: '100' })).map(({ id }) => id);

async function totalOf(client: TestClient, list: string, search: string): Promise<number> {
  const response = await client.get(`/api/alerts/${list}?${new URLSearchParams({ search, limit: '1' })}`);
  return Number(response.headers.get('X-Total-Count'));
}

async function arrived(client: TestClient, from: number, to: number): Promise<number> {
  const query = { from: day(from), to: day(to), timeZone: 'UTC' };
  return insightSchema.parse(await read(client, '/api/insight', query)).totals.arrived;
}

async function post(client: TestClient, key: string, titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) ids.unshift((await client.postAlert(key, { title })).id);
  return ids;
}

async function end({ child, ended }: MainProcess): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

test('after a clock that ran ahead was set back, what is asked by time is what came in that time', async () => {
  server = await startTestServer();
  const key = await server.addApiKey();
  const user = await server.addUser({ role: 'admin' });
  const { config } = server;
  await server.stop();
  const ahead = startMain(config, { NODE_OPTIONS: AHEAD });
  const later = await post(new TestClient((await listening(ahead)).url), key, ['heron', 'egret']);
  await end(ahead);

  const start = thisSecond();
  server = await server.restart();
  const admin = server.anonymous();
  await admin.signIn(user.email, TEST_PASSWORD);
  const since = await post(admin, key, ['crane', 'ibis', 'stork']);
  const until = nextSecond();
  const now = `from:${at(start)} to:${at(until)}`;

  expect(await found(admin, '')).toEqual([...since, ...later]);
  await expect.poll(() => found(admin, now)).toEqual(since);
  expect(await found(admin, `to:${at(until)}`)).toEqual(since);
  expect(await found(admin, `${now} ibis`)).toEqual([since[1]]);
  expect(await found(admin, `from:${at(start)}`)).toEqual([...since, ...later]);
  expect(await found(admin, `from:${at(start + AHEAD_MS - HOUR_MS)}`)).toEqual(later);
  expect(await found(admin, `from:${at(start + AHEAD_MS - HOUR_MS)} to:${at(until + AHEAD_MS)}`)).toEqual(later);
  expect([await totalOf(admin, 'all', now), await totalOf(admin, 'inbox', `to:${at(until)}`)]).toEqual([3, 3]);
  expect(await arrived(admin, start, until)).toBe(3);
  expect(await arrived(admin, start, until + AHEAD_MS)).toBe(5);

  const times = { from: at(start), to: at(until) };
  const [source] = z.array(z.object({ id: z.string() })).parse(await read(admin, '/api/sources', {}));
  const path = `/api/sources/${source?.id}`;
  const rows = async () => deliveryListSchema.parse(await read(admin, `${path}/deliveries`, times));
  await expect.poll(rows).toHaveLength(3);
  const counts = deliveryCountsSchema.parse(await read(admin, `${path}/delivery-counts`, times));
  expect(counts.outcomes.new).toBe(3);
  const audit = z.array(auditEntrySchema).parse(await read(admin, '/api/audit', times));
  expect(audit.map(({ actorId }) => actorId)).toContain(user.id);
});

describe.skipIf(!hasCluster)('of two servers', () => {
  test('one whose clock runs ahead hides nothing that the other stores: ids of both go on after each other', async () => {
    const redis = await startRedis();
    server = await startTestServer({ REDIS_URL: redis.url });
    const [key, admin] = [await server.addApiKey(), await server.signedIn({ role: 'admin' })];
    const start = thisSecond();
    const before = await post(admin, key, ['wren']);
    const ahead = startMain(server.config, { NODE_OPTIONS: AHEAD, REDIS_URL: redis.url });
    const other = new TestClient((await listening(ahead)).url);
    const first = await post(other, key, ['heron']);
    // Whatever it stores until it goes on after those of the other is counted all the same.
    const beside = await post(admin, key, ['crane']);
    const newest = async () => (await found(admin, ''))[0];
    const postedNewest = async () => (await post(admin, key, ['ibis']))[0] === (await newest());
    await expect.poll(postedNewest, { interval: 100 }).toBe(true);
    const second = await post(other, key, ['egret']);
    expect(await newest()).toBe(second[0]);
    await expect.poll(postedNewest, { interval: 100 }).toBe(true);
    const until = nextSecond();

    const all = await found(admin, '');
    const elsewhere = new Set([...first, ...second]);
    const here = all.filter((id) => !elsewhere.has(id));
    expect(here).toEqual(expect.arrayContaining([...before, ...beside]));
    await expect.poll(() => found(admin, `from:${at(start)} to:${at(until)}`)).toEqual(here);
    expect(await arrived(admin, start, until)).toBe(here.length);
    expect(await arrived(admin, start, until + AHEAD_MS)).toBe(all.length);
    await end(ahead);
    await redis.stop();
  });
});
