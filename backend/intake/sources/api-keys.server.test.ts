import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SourceEntity, SourceSecretEntity } from './source-entity.ts';
import { apiKeySchema, createdApiKeySchema } from '#backend/contract/api-key.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const create = (member: TestClient, name: unknown) => member.send('POST', '/api/api-keys', { name });

test('a key is shown once, stored by its hash, and listed newest first', async () => {
  const response = await create(admin, '  Production Webhook Key ');
  expect(response.status).toBe(201);
  const { plainKey, ...key } = createdApiKeySchema.parse(await response.json());
  expect(plainKey).toMatch(/^ad_[\w-]{43}$/);
  expect(key.name).toBe('Production Webhook Key');
  await create(admin, 'Second');

  const text = await (await admin.get('/api/api-keys')).text();
  expect(text).not.toContain(plainKey);
  expect(
    z
      .array(apiKeySchema)
      .parse(JSON.parse(text))
      .map(({ name }) => name),
  ).toEqual(['Second', key.name]);
  expect(JSON.stringify(await server.database.reads.getRepository(SourceSecretEntity).find())).not.toContain(plainKey);
});

test('a key works until it is deleted, and at once no more', async () => {
  const { id, plainKey } = createdApiKeySchema.parse(await (await create(admin, 'Short-lived')).json());
  expect((await admin.post(plainKey, {})).status).toBe(202);
  expect((await admin.send('DELETE', `/api/api-keys/${id}`)).status).toBe(204);
  expect((await admin.post(plainKey, {})).status).toBe(401);
  expect((await admin.send('DELETE', `/api/api-keys/${id}`)).status).toBe(404);
});

test('keys survive a restart', async () => {
  const own = await startTestServer();
  const plainKey = await own.addApiKey();
  const restarted = await own.restart();
  expect((await restarted.anonymous().post(plainKey, {})).status).toBe(202);
  await restarted.destroy();
});

describe('errors', () => {
  test.each([
    ['', 422],
    ['   ', 422],
    ['x'.repeat(101), 422],
    [7, 422],
    [undefined, 422],
  ])('name %j', async (name, status) => {
    const response = await create(admin, name);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(/name/);
  });

  test.each(['user', 'super_user'] as const)('a %s may neither see, create nor delete keys', async (role) => {
    const member = await server.signedIn({ role });
    const before = await server.database.reads.getRepository(SourceEntity).find();
    expect((await member.get('/api/api-keys')).status).toBe(403);
    expect((await create(member, 'Mine')).status).toBe(403);
    expect((await member.send('DELETE', `/api/api-keys/${before[0]?.id}`)).status).toBe(403);
    expect(await server.database.reads.getRepository(SourceEntity).count()).toBe(before.length);
  });
});

test('the list goes on by its links, each key once', async () => {
  for (const name of ['One', 'Two', 'Three']) await create(admin, name);
  const all = z.array(apiKeySchema).parse(await (await admin.get('/api/api-keys')).json());
  const walked: string[] = [];
  let next: string | undefined = '/api/api-keys?limit=2';
  while (next) {
    const response: Response = await admin.get(next);
    const page = z.array(apiKeySchema).parse(await response.json());
    expect(page.length).toBeLessThanOrEqual(2);
    walked.push(...page.map(({ id }) => id));
    next = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  expect(walked).toEqual(all.map(({ id }) => id));
});
