import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alert, alertFacetsSchema, alertListSchema } from '#backend/contract/alert.ts';
import { alertStatsSchema } from '#backend/contract/alert-totals.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';

const CUSTOMERS = ['Nordwind', 'Öl & Söhne', 'acme', 'ACME', null];
const TYPES = ['disk.full', 'order', null];
const RANK = { accepted: 1, 'in-progress': 2, completed: 3, pending: 999 };

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
let folderId: string;

beforeAll(async () => {
  server = await startTestServer();
  const key = await server.addApiKey();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada' });
  const folder = await anna.send('POST', '/api/folders', { name: 'Urgent', color: 'red' });
  folderId = folderSchema.parse(await folder.json()).id;
  // Every customer with every type in every place that an alert can be in, and some of them more than once.
  for (let number = 0; number < 90; number += 1) {
    const [customer, type] = [CUSTOMERS[number % 5], TYPES[Math.floor(number / 5) % 3]];
    const { id } = await anna.postAlert(key, { ...(customer && { customer }), ...(type && { type }), number });
    const place = Math.floor(number / 15);
    if (place === 0) continue;
    const owner = place === 5 ? ben : anna;
    await owner.send('POST', `/api/alerts/${id}/accept`);
    const status = (['accepted', 'in-progress', 'completed'] as const)[(place + number) % 3];
    await owner.send('PATCH', `/api/webhooks/${id}/status`, { status });
    if (place === 4) await owner.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
  }
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

const everything = async () => alertListSchema.parse(await (await admin.get('/api/alerts/all')).json());

const distinct = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))];

const LISTS: [string, () => TestClient, (alert: Alert) => boolean][] = [
  ['inbox', () => ben, ({ status }) => status === 'pending'],
  ['mine', () => anna, ({ ownerId, folderId: folder }) => ownerId === anna.id && folder === undefined],
  ['folder', () => anna, ({ ownerId, folderId: folder }) => ownerId === anna.id && folder !== undefined],
  ['all-folders', () => anna, ({ ownerId, folderId: folder }) => ownerId === anna.id && folder !== undefined],
  ['all', () => admin, () => true],
];
const FILTERS: Partial<Pick<Alert, 'customer' | 'alertType' | 'status'>>[] = [
  {},
  { customer: 'Öl & Söhne' },
  { customer: 'acme' },
  { alertType: 'order' },
  { customer: 'Nordwind', alertType: 'disk.full' },
  { status: 'completed' },
  { status: 'pending', customer: 'ACME' },
  { customer: 'nobody' },
];
const ORDERS: Record<string, (one: Alert, other: Alert) => number> = {
  newest: (one, other) => (one.id < other.id ? 1 : -1),
  oldest: (one, other) => (one.id < other.id ? -1 : 1),
  status: (one, other) => RANK[one.status] - RANK[other.status] || (one.id < other.id ? 1 : -1),
};

describe.each(LISTS)('the list %s', (list, member, isIn) => {
  const path = () => `/api/alerts/${list}${list === 'folder' ? `/${folderId}` : ''}`;

  test.each(Object.keys(ORDERS))('by %s, filtered in every way, page by page', async (sort) => {
    const all = await everything();
    for (const filter of FILTERS) {
      const expected = all
        .filter(
          (alert) => isIn(alert) && Object.entries(filter).every(([name, value]) => alert[name as 'id'] === value),
        )
        .sort(ORDERS[sort]);
      const query = new URLSearchParams({ sort, limit: '4', ...(filter as Record<string, string>) });
      const { alerts, totals } = await walkList(member(), `${path()}?${query}`);
      expect([filter, alerts.map(({ id }) => id)]).toEqual([filter, expected.map(({ id }) => id)]);
      expect([...totals]).toEqual([String(expected.length)]);
    }
  });

  test('names its customers and types', async () => {
    const alerts = (await everything()).filter(isIn);
    const query = list === 'folder' ? `list=folder&folderId=${folderId}` : `list=${list}`;
    const facets = alertFacetsSchema.parse(await (await member().get(`/api/alerts/facets?${query}`)).json());
    expect(facets.customers.toSorted()).toEqual(distinct(alerts.map(({ customer }) => customer)).toSorted());
    expect(facets.alertTypes).toEqual(distinct(alerts.map(({ alertType }) => alertType)).toSorted());
  });
});

test('customers are sorted as people expect', async () => {
  const { customers } = alertFacetsSchema.parse(await (await anna.get('/api/alerts/facets?list=inbox')).json());
  expect(customers).toEqual(['ACME', 'acme', 'Nordwind', 'Öl & Söhne']);
});

test('the whole names the owners', async () => {
  const names = new Set((await everything()).map(({ ownerName }) => ownerName));
  expect(names).toEqual(new Set([undefined, 'Anna', 'Ben']));
});

test('the statistics count every alert once', async () => {
  const alerts = await everything();
  const count = (status: string) => alerts.filter((alert) => alert.status === status).length;
  expect(alertStatsSchema.parse(await (await admin.get('/api/alerts/stats')).json())).toEqual({
    total: 90,
    pending: 15,
    accepted: count('accepted'),
    'in-progress': count('in-progress'),
    completed: count('completed'),
  });
});

test('somebody else’s folder has no facets', async () => {
  expect((await ben.get(`/api/alerts/facets?list=folder&folderId=${folderId}`)).status).toBe(404);
  expect((await ben.get('/api/alerts/facets?list=all')).status).toBe(403);
});

test.each([
  'sort=best',
  'status=unknown',
  'customer=',
  `before=${'x'.repeat(36)}`,
  'before=accepted~01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  'sort=status&before=01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  'sort=severity&before=01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  'sort=severity&before=accepted~01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  'sort=status&before=high~01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80',
  'severity=urgent',
  'severity=high&severity=',
  'source=someone',
  'customer=one&customer=two',
  `q=${'x'.repeat(201)}`,
])('refuses %s', async (query) => {
  expect((await anna.get(`/api/alerts/mine?${query}`)).status).toBe(400);
});
