import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { arbitraryOf } from './arbitrary-of.ts';
import { createFuzzedWorld } from './fuzzed-world.ts';
import { createLimit } from './limits.ts';
import { requestTo } from './request-arbitrary.ts';
import { type RawRequest, sendRaw } from './send-raw.ts';
import { CANARY } from './wild.ts';

const world = await createFuzzedWorld();
afterAll(() => world.server.destroy());
const named = world.server.endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

describe('requests are made of the endpoint’s own schemas', () => {
  test.each(named)('%s', (_name, endpoint) => {
    const { params, query, body } = endpoint;
    for (const schema of [params, query, body]) {
      if (!schema) continue;
      const values = fc.sample(arbitraryOf(schema, world.hintsFor(endpoint)), { numRuns: 50, seed: 1 });
      expect(values.some((value) => schema.safeParse(value).success)).toBe(true);
    }
  });
});

/** Whether requests may have taken out something of the world since it was filled. */
let mayLack = true;

describe('whatever comes, it is answered as documented and the server goes on', () => {
  test.each(named)('%s', async (_name, endpoint) => {
    if (mayLack) await world.refill();
    mayLack = endpoint.method !== 'GET';
    const limit = createLimit(1 / named.length, 15);
    await fc.assert(
      fc.asyncProperty(requestTo(endpoint, world.hintsFor(endpoint)), async (request) => {
        if (limit.isOver()) return;
        const answer = await sendRaw(world.server.url, completed(request));
        world.server.checker.check(answer);
        expect(answer.status).toBeLessThan(500);
        await world.proveAlive();
      }),
      limit.parameters,
    );
  });
});

test.each(['br', 'gzip', '*'])('an answer in the encoding %s is read', async (encoding) => {
  const answer = await sendRaw(world.server.url, {
    method: 'GET',
    target: '/api/openapi.json',
    headers: [['Accept-Encoding', encoding]],
    body: undefined,
  });
  expect(answer.headers.get('Content-Encoding')).not.toBeNull();
  expect(JSON.parse(answer.text)).toHaveProperty('openapi');
});

test('of all that, nothing unknown was stored', async () => {
  expect(await world.dump()).not.toContain(CANARY);
  // Had it been stored, this would have found it.
  await world.server.anonymous().postAlert(world.apiKey, { note: CANARY });
  expect(await world.dump()).toContain(CANARY);
});

let senders = 0;
/** Each request comes from an address of its own, so that wrong sign-ins do not keep the right ones out. */
const fromSomewhere = (): [string, string] => ['X-Forwarded-For', `10.0.${(senders += 1) >> 8}.${senders & 255}`];

const completed = (request: RawRequest): RawRequest => ({
  ...request,
  headers: [
    ...world.credentials(),
    ['Content-Type', 'application/json'],
    ...(request.target.startsWith('/api/auth/login') ? [fromSomewhere()] : []),
    ...request.headers,
  ],
});
