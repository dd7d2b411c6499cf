import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customerMuteSchema, customerSchema } from '#backend/contract/mute.ts';
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

const customers = async () => customerSchema.array().parse(await (await anna.get('/api/customers')).json());
const customerMutes = async (member: TestClient) =>
  customerMuteSchema.array().parse(await (await member.get('/api/customer-mutes')).json());
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

  test('that no alert has had cannot be muted', async () => {
    expect((await anna.send('POST', '/api/alert-types/mutes', { alertType: 'unheard of' })).status).toBe(404);
    expect((await anna.send('POST', '/api/alert-types/mutes', { alertType: ' ' })).status).toBe(422);
  });
});
