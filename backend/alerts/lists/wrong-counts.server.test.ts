import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeWrongCount, findWrongCounts, recount } from './recount.ts';
import { alertFacetsSchema, alertListSchema } from '#backend/contract/alert.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let anna: TestClient;
let admin: TestClient;
let key: string;
let folderId: string;
let filed: string[];
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
  anna = await server.signedIn();
  admin = await server.signedIn({ role: 'admin' });
  const folder = await anna.send('POST', '/api/folders', { name: 'Urgent', color: 'red' });
  folderId = folderSchema.parse(await folder.json()).id;
  const many = (status: 'pending' | 'accepted' | 'completed', more: { ownerId?: string; folderId?: string } = {}) =>
    insertAlerts(
      server.database,
      Array.from({ length: 6 }, () => ({ status, customer: 'Nordwind', alertType: 'order', url: '/needle', ...more })),
    );
  await many('pending');
  await many('accepted', { ownerId: anna.id });
  filed = await many('completed', { ownerId: anna.id, folderId });
});
afterEach(async () => {
  await recount(server.database);
  await expectTrueCounts(server.database);
});
afterAll(() => server.destroy());

const spoil = (sql: string) => server.database.transaction((tx) => tx.query(sql));

/** The counter of what Anna has filed, whatever its names. */
const FILED = "folder_id <> '' AND detail = 0";

const LISTS: [string, () => TestClient, number][] = [
  ['inbox?', () => anna, 6],
  ['inbox?customer=Nordwind', () => anna, 6],
  ['mine?', () => anna, 6],
  ['mine?sort=status', () => anna, 6],
  ['folder/FOLDER?sort=oldest', () => anna, 6],
  ['folder/FOLDER?alertType=order', () => anna, 6],
  ['all?', () => admin, 18],
  ['all?sort=status', () => admin, 18],
  ['all?status=completed', () => admin, 6],
  ['all?q=needle', () => admin, 18],
];

test.each(LISTS)('%s holds every row although its counters are too low', async (path, member, rows) => {
  await spoil('UPDATE alert_counts SET alerts = 1 WHERE detail = 0');
  await spoil('DELETE FROM alert_counts WHERE detail > 0');
  const list = `/api/alerts/${path.replace('FOLDER', folderId)}`;
  const whole = await member().get(list);
  expect(alertListSchema.parse(await whole.json())).toHaveLength(rows);
  expect(Number(whole.headers.get('X-Total-Count'))).toBe(rows);
  expect(whole.headers.get('X-Total-Count-Relation')).toBe('at-least');

  const first = await member().get(`${list}&limit=4`);
  expect(alertListSchema.parse(await first.json())).toHaveLength(4);
  expect(Number(first.headers.get('X-Total-Count'))).toBeGreaterThanOrEqual(4);
  const next = /<(?<path>.*)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.groups?.['path'] ?? '';
  expect(alertListSchema.parse(await (await member().get(next)).json())).toHaveLength(Math.min(4, rows - 4));
});

test('a recount reports each counter that is wrong, and corrects it', async () => {
  await spoil(`UPDATE alert_counts SET alerts = alerts + 19 WHERE ${FILED}`);
  await spoil("DELETE FROM alert_counts WHERE detail = 2 AND customer = 'Nordwind' AND status = 'accepted'");
  await spoil(
    "INSERT INTO alert_counts (detail, owner_id, folder_id, status, customer, alert_type, alerts) VALUES (1, '', '', 'pending', 'Ghost', '', 2)",
  );
  const found = await findWrongCounts(server.database.reads);
  expect(found.map(describeWrongCount)).toEqual([
    `completed alerts of ${anna.id}, folder ${folderId}: 25 counted, 6 exist`,
    'pending alerts of nobody, customer "Ghost", type "": 2 counted, 0 exist',
    'accepted alerts of anybody, customer "Nordwind", type "order": 0 counted, 6 exist',
  ]);
  expect(await recount(server.database)).toEqual(found);
  expect(await findWrongCounts(server.database.reads)).toEqual([]);
  expect(await recount(server.database)).toEqual([]);
  const facets = await anna.get('/api/alerts/facets?list=inbox');
  expect(alertFacetsSchema.parse(await facets.json()).customers).toEqual(['Nordwind']);
});

test('recounts beside each other and beside changes leave true counters', async () => {
  await spoil('UPDATE alert_counts SET alerts = alerts + 3');
  const changes = Array.from({ length: 30 }, (_, at) => anna.postAlert(key, { customer: `Customer ${at % 3}` }));
  const moves = filed.map((id) => anna.send('PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' }));
  await Promise.all([recount(server.database), ...changes, recount(server.database), ...moves]);
  await expectTrueCounts(server.database);
});
