import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { noticesOf } from '#tests/support/notice-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
  anna = await server.signedIn({ displayName: 'Anna Ashby' });
  ben = await server.signedIn({ displayName: 'Ben Okafor' });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const COMPLETED = 'This alert was completed before anyone accepted it.';
const said = async (response: Response) => [response.status, await response.text()];

/** An alert whose sender resolved it before anyone accepted it; Anna had mentioned Ben on it. */
async function completed(): Promise<string> {
  const dedupKey = crypto.randomUUID();
  const report = (action: string) =>
    anna.post(
      '',
      {
        routing_key: key,
        event_action: action,
        dedup_key: dedupKey,
        payload: { summary: 'Disk full', source: 'db-7', severity: 'critical' },
      },
      {},
      '/v2/enqueue',
    );
  await report('trigger');
  const [alert] = await anna.alerts('/api/alerts/inbox');
  const id = alert?.id ?? '';
  await anna.send('POST', `/api/alerts/${id}/notes`, { text: 'Look', mentions: [ben.id] });
  await report('resolve');
  expect(await anna.alerts('/api/alerts/inbox')).toEqual([]);
  return id;
}

test('who comes too late for an alert that was completed in the inbox reads that, and not that somebody has it', async () => {
  const id = await completed();
  const change = (member: TestClient, action: string, body?: unknown) =>
    member.send('POST', `/api/alerts/${id}/${action}`, body);
  for (const member of [anna, admin]) expect(await said(await change(member, 'accept'))).toEqual([409, COMPLETED]);
  expect(await said(await change(anna, 'accept?status=in-progress'))).toEqual([409, COMPLETED]);
  expect(await said(await change(anna, 'assign', { userId: ben.id }))).toEqual([409, COMPLETED]);
  expect(await said(await change(anna, 'snooze', { minutes: 5 }))).toEqual([409, COMPLETED]);
  expect(await said(await anna.send('DELETE', `/api/webhooks/${id}`))).toEqual([409, COMPLETED]);
  const bulk = await anna.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [id] });
  expect(bulkResultSchema.parse(await bulk.json()).lost).toEqual([{ id, reason: 'completed' }]);
  expect((await change(admin, 'assign', { userId: ben.id })).status).toBe(200);
});

test('the address of an alert that was completed in the inbox says so, to whom it is not shown', async () => {
  const id = await completed();
  expect(await said(await ben.get(`/api/alerts/${id}`))).toEqual([404, COMPLETED]);
  expect((await admin.get(`/api/alerts/${id}`)).status).toBe(200);
});

test('a notice says that its alert was completed, and shows of it what it showed then', async () => {
  const id = await completed();
  const [notice] = await noticesOf(ben);
  expect(notice?.alert).toMatchObject({ id, title: 'Disk full', access: 'taken', isCompleted: true });
  expect(notice?.alert).not.toHaveProperty('ownerName');
});
