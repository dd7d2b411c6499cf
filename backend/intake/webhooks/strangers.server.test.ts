import { Agent, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { createStrangerBudget } from './stranger-budget.ts';

let server: TestServer;
let world: SourceWorld;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
  world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
  ({ key } = await world.newSource());
});
afterAll(() => server.destroy());

const WRONG = 'x'.repeat(32);
const PAYLOAD = { summary: 'Disk full', source: 'db-7', severity: 'critical' };
/** An event whose key comes before or after so many bytes. */
const event = (routingKey: string, bytes: number, where: 'first' | 'last') => {
  const rest = { event_action: 'trigger', payload: { ...PAYLOAD, custom_details: { text: 'x'.repeat(bytes) } } };
  return JSON.stringify(
    where === 'first' ? { routing_key: routingKey, ...rest } : { ...rest, routing_key: routingKey },
  );
};
let networks = 0;
/** A network of its own. */
const network = () => `192.0.2.${(networks += 1)}`;
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  world.send('/v2/enqueue', { body: body as BodyInit, headers: { 'X-Forwarded-For': network(), ...headers } });

describe('the key of an event', () => {
  test.each([
    ['identity', (body: string) => Buffer.from(body)],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('is found at its beginning and at its end: %s', async (encoding, compress) => {
    for (const bytes of [10, 500_000]) {
      for (const where of ['first', 'last'] as const) {
        const send = (routingKey: string) =>
          post(compress(event(routingKey, bytes, where)), { 'Content-Encoding': encoding });
        expect([bytes, where, (await send(key)).status]).toEqual([bytes, where, 202]);
        expect([bytes, where, (await send(WRONG)).status]).toEqual([bytes, where, 401]);
      }
    }
  });

  test('is the first of several that is right, however it is spelt', async () => {
    const [first, last] = [
      `{"routing\\u005fkey":"${key}"`,
      `,"event_action":"trigger","payload":${JSON.stringify(PAYLOAD)}}`,
    ];
    expect((await post(first + last)).status).toBe(202);
    expect((await post(`${first},"routing_key":"${WRONG}"${last}`)).status).toBe(202);
    expect((await post(`{"routing_key":"${WRONG}","routing_key":"${key}"${last}`)).status).toBe(202);
    expect((await post(`{"x":{"routing_key":"${key}"}${last}`)).status).toBe(401);
  });

  test('may come a little at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const body = event(key, 100_000, 'last');
    const sent = request(`${server.url}/v2/enqueue`, { method: 'POST' }, (answer) => resolve(answer.statusCode));
    for (let at = 0; at < body.length; at += 9_000) {
      sent.write(body.slice(at, at + 9_000));
      await new Promise((done) => setImmediate(done));
    }
    sent.end();
    expect(await promise).toBe(202);
  });
});

test('a refused event leaves its connection to the next one', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const send = (body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/v2/enqueue`, { method: 'POST', agent }, (answer) =>
        readText(answer).then(() => resolve(answer.statusCode), reject),
      );
      sent.on('socket', (socket) => sockets.add(socket));
      sent.end(body);
    });
  const large = event(WRONG, 800_000, 'first');
  expect([await send(large), await send(large), await send(event(key, 10, 'first'))]).toEqual([401, 401, 202]);
  expect(sockets.size).toBe(1);
  agent.destroy();
});

test('a network that sends much that is nobody’s is answered 429, others are not', async () => {
  const from = network();
  const body = gzipSync(event(WRONG, 1_000_000, 'last'));
  const send = (it: string | Buffer, more: Record<string, string> = {}) =>
    post(it, { 'X-Forwarded-For': from, ...more });
  const gzip = { 'Content-Encoding': 'gzip' };
  const statuses = [];
  for (let count = 0; count < 12; count += 1) statuses.push((await send(body, gzip)).status);
  expect(statuses).toEqual([...Array<number>(7).fill(401), ...Array<number>(5).fill(429)]);
  const refused = await send(body, gzip);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  // A key at the beginning is known before.
  expect((await send(event(key, 500_000, 'first'))).status).toBe(202);
  expect((await post(event(key, 500_000, 'last'))).status).toBe(202);
});

test('what is spent is there again after a minute, and what was taken is not spent', () => {
  let now = 0;
  const budget = createStrangerBudget({ each: 100, all: 250 }, () => now);
  for (let count = 0; count < 20; count += 1) budget.spend('one', 80)(0);
  budget.spend('one', 80)(60);
  expect(() => budget.spend('one', 80)).toThrow('Too much was sent from here');
  budget.spend('one', 40)(40);
  budget.spend('two', 100);
  expect(() => budget.spend('three', 100)).toThrow('Too much');
  now = 60_000;
  budget.spend('one', 100);
  now = 75_500;
  expect(() => budget.spend('one', 1)).toThrow(expect.objectContaining({ retryAfterSeconds: 45 }));
});
