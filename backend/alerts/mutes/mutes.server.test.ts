import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customerMuteSchema, customerSchema, sourceMuteSchema } from '#backend/contract/mute.ts';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { insertCustomers } from '#tests/support/insert-names.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  const key = await server.addApiKey();
  anna = await server.signedIn();
  ben = await server.signedIn();
  await anna.postAlert(key, { customer: 'Nordwind', type: 'disk/full & slow?' });
  await anna.postAlert(key, { customer: 'Harbor & Finch', type: 'order.failed' });
  await anna.postAlert(key, { customer: 'Nordwind', type: 'order.failed' });
});
afterAll(() => server.destroy());

const customers = async () => z.array(customerSchema).parse(await (await anna.get('/api/customers')).json());
const customerMutes = async (member: TestClient) =>
  z.array(customerMuteSchema).parse(await (await member.get('/api/customer-mutes')).json());
const sourceMutes = async (member: TestClient) =>
  z.array(sourceMuteSchema).parse(await (await member.get('/api/source-mutes')).json());
const strings = async (member: TestClient, path: string) =>
  z.array(z.string()).parse(await (await member.get(path)).json());

describe('customers', () => {
  test('are listed by name, each once, with when it was last seen', async () => {
    const list = await customers();
    expect(list.map(({ name }) => name)).toEqual(['Harbor & Finch', 'Nordwind']);
    for (const { lastSeenAt } of list) expect(Date.now() - Date.parse(lastSeenAt)).toBeLessThan(60_000);
  });

  test('are muted and unmuted by each member for themselves, twice as well as once', async () => {
    const [customer] = await customers();
    const customerId = customer?.id ?? '';
    for (let time = 0; time < 2; time += 1) {
      expect((await anna.send('POST', '/api/customer-mutes', { customerId })).status).toBe(201);
      expect(await customerMutes(anna)).toEqual([{ customerId }]);
    }
    expect(await customerMutes(ben)).toEqual([]);
    for (let time = 0; time < 2; time += 1) {
      expect((await anna.send('DELETE', `/api/customer-mutes/${customerId}`)).status).toBe(204);
      expect(await customerMutes(anna)).toEqual([]);
    }
  });

  test('that nobody knows cannot be muted', async () => {
    const unknown = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';
    expect((await anna.send('POST', '/api/customer-mutes', { customerId: unknown })).status).toBe(404);
    expect((await anna.send('POST', '/api/customer-mutes', { customerId: 'x' })).status).toBe(422);
    expect((await anna.send('DELETE', '/api/customer-mutes/x')).status).toBe(400);
  });
});

describe('sources', () => {
  test('are muted and unmuted by each member for themselves, and forgotten with the source', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const made = await admin.send('POST', '/api/api-keys', { name: 'Backup jobs' });
    const { id: sourceId } = createdApiKeySchema.parse(await made.json());
    for (let time = 0; time < 2; time += 1) {
      expect((await anna.send('POST', '/api/source-mutes', { sourceId })).status).toBe(201);
      expect(await sourceMutes(anna)).toEqual([{ sourceId }]);
    }
    expect(await sourceMutes(ben)).toEqual([]);
    expect((await anna.send('DELETE', `/api/source-mutes/${sourceId}`)).status).toBe(204);
    expect(await sourceMutes(anna)).toEqual([]);

    await ben.send('POST', '/api/source-mutes/bulk', { muted: true });
    expect(await sourceMutes(ben)).toContainEqual({ sourceId });
    await admin.send('DELETE', `/api/api-keys/${sourceId}`);
    expect(await sourceMutes(ben)).not.toContainEqual({ sourceId });
    expect((await ben.send('POST', '/api/source-mutes', { sourceId })).status).toBe(404);
  });
});

describe('all at once', () => {
  test('customers are muted and enabled by each member for themselves, twice as well as once', async () => {
    const ids = (await customers()).map(({ id }) => id).toSorted();
    await anna.send('POST', '/api/customer-mutes', { customerId: ids[0] });
    for (let time = 0; time < 2; time += 1) {
      const response = await anna.send('POST', '/api/customer-mutes/bulk', { muted: true });
      expect(response.status).toBe(200);
      const answered = z.array(customerMuteSchema).parse(await response.json());
      expect(answered.map(({ customerId }) => customerId)).toEqual(ids);
      expect(await customerMutes(anna)).toEqual(answered);
    }
    expect(await customerMutes(ben)).toEqual([]);
    await ben.send('POST', '/api/customer-mutes/bulk', { muted: true });
    for (let time = 0; time < 2; time += 1) {
      const response = await anna.send('POST', '/api/customer-mutes/bulk', { muted: false });
      expect([response.status, await response.json()]).toEqual([200, []]);
      expect(await customerMutes(anna)).toEqual([]);
    }
    expect(await customerMutes(ben)).toHaveLength(ids.length);
  });

  test('alert types are muted and enabled likewise', async () => {
    const muted = await anna.send('POST', '/api/alert-types/mutes/bulk', { muted: true });
    expect([muted.status, await muted.json()]).toEqual([200, ['disk/full & slow?', 'order.failed']]);
    expect(await strings(anna, '/api/alert-types/mutes')).toEqual(['disk/full & slow?', 'order.failed']);
    expect(await strings(ben, '/api/alert-types/mutes')).toEqual([]);
    const enabled = await anna.send('POST', '/api/alert-types/mutes/bulk', { muted: false });
    expect([enabled.status, await enabled.json()]).toEqual([200, []]);
  });

  test('a member who asks many times at once ends with every customer muted, once', async () => {
    const count = (await customers()).length;
    const member = await server.signedIn();
    const ask = (muted: boolean) => member.send('POST', '/api/customer-mutes/bulk', { muted });
    const responses = await Promise.all([ask(true), ask(true), ask(false), ask(true), ask(true)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await ask(true);
    expect(await customerMutes(member)).toHaveLength(count);
  });

  test('more customers than one insert takes are muted together', async () => {
    await insertCustomers(server.database, 1100);
    const member = await server.signedIn();
    await member.send('POST', '/api/customer-mutes/bulk', { muted: true });
    expect(await customerMutes(member)).toHaveLength((await customers()).length);
  });

  test.each([{}, { muted: 'yes' }, { muted: null }, []])('%j is not taken', async (body) => {
    for (const path of ['/api/customer-mutes/bulk', '/api/alert-types/mutes/bulk']) {
      const response = await anna.send('POST', path, body);
      expect([path, response.status]).toEqual([path, 422]);
    }
  });
});

describe('alert types', () => {
  test('are listed by name, each once', async () => {
    expect(await strings(anna, '/api/alert-types')).toEqual(['disk/full & slow?', 'order.failed']);
  });

  test('are muted and unmuted by each member for themselves, whatever their name', async () => {
    const alertType = 'disk/full & slow?';
    expect((await anna.send('POST', '/api/alert-types/mutes', { alertType })).status).toBe(201);
    expect(await strings(anna, '/api/alert-types/mutes')).toEqual([alertType]);
    expect(await strings(ben, '/api/alert-types/mutes')).toEqual([]);
    const path = `/api/alert-types/mutes/${encodeURIComponent(alertType)}`;
    expect((await anna.send('DELETE', path)).status).toBe(204);
    expect(await strings(anna, '/api/alert-types/mutes')).toEqual([]);
  });

  test('that a URL takes for folders are unmuted too, by name in the query', async () => {
    const own = await startTestServer();
    const [member, key] = [await own.signedIn(), await own.addApiKey()];
    const types = ['.', '..', '%2E', 'a/../b'];
    for (const type of types) await member.postAlert(key, { type });
    await member.send('POST', '/api/alert-types/mutes/bulk', { muted: true });
    expect(await strings(member, '/api/alert-types/mutes')).toEqual(expect.arrayContaining(types));
    // What a browser makes of the other call: it asks for another path.
    expect(new URL('/api/alert-types/mutes/%2E%2E', own.url).pathname).toBe('/api/alert-types/');
    for (const alertType of types) {
      const { pathname, search } = new URL(`/api/alert-types/mutes?${new URLSearchParams({ alertType })}`, own.url);
      expect((await member.send('DELETE', pathname + search)).status).toBe(204);
      expect(await strings(member, '/api/alert-types/mutes')).not.toContain(alertType);
    }
    expect(await strings(member, '/api/alert-types/mutes')).toEqual([]);
    await own.destroy();
  });

  test('that no alert has had cannot be muted', async () => {
    expect((await anna.send('POST', '/api/alert-types/mutes', { alertType: 'unheard of' })).status).toBe(404);
    expect((await anna.send('POST', '/api/alert-types/mutes', { alertType: ' ' })).status).toBe(422);
  });
});

test('customers and types stand in the order of the filters: for people, not by code', async () => {
  const own = await startTestServer();
  const [member, key] = [await own.signedIn(), await own.addApiKey()];
  const names = ['zebra 10', 'Zebra 9', 'éclair', 'Eclipse'];
  for (const name of names) await member.postAlert(key, { customer: name, type: name });
  const read = async (path: string): Promise<unknown> => (await member.get(path)).json();
  const sorted = ['éclair', 'Eclipse', 'Zebra 9', 'zebra 10'];
  expect(await read('/api/alerts/facets?list=inbox')).toMatchObject({
    customers: sorted,
    alertTypes: sorted,
    isComplete: true,
  });
  expect((await read('/api/customers')) as { name: string }[]).toMatchObject(sorted.map((name) => ({ name })));
  expect(await read('/api/alert-types')).toEqual(sorted);
  await own.destroy();
});
