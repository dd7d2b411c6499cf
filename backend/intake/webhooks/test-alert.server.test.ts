import { afterAll, beforeAll, expect, test } from 'vitest';
import { historySchema } from '#backend/contract/history-entry.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin', displayName: 'Maya "Ops" Lindqvist' });
});
afterAll(() => server.destroy());

test('a test alert is stored when it is answered, published to everybody, and says who sent it', async () => {
  const member = await server.signedIn();
  const live = await listenLive(member);
  const response = await admin.send('POST', '/api/webhook/test');
  expect(response.status).toBe(202);
  const { id, receivedAt } = webhookReceiptSchema.parse(await response.json());

  const stored = (await member.alerts('/api/alerts/inbox')).find((alert) => alert.id === id);
  expect(stored).toMatchObject({
    customer: 'Test alert',
    alertType: 'test',
    status: 'pending',
    timestamp: receivedAt,
    url: '/webhook',
    payload: { sent_by: 'Maya "Ops" Lindqvist' },
    extraData: {},
    isTest: true,
  });
  const history = historySchema.parse(await (await member.get(`/api/alerts/${id}/history`)).json());
  expect(history.map(({ action, userDisplayName }) => [action, userDisplayName])).toEqual([
    ['test_received', 'Test alert'],
  ]);
  await waitFor(() => expect(live.events).toContainEqual({ type: 'new_alert', alert: stored }));
  live.socket.close();
});

test('every test alert is another one, and can be worked on as any alert', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(
      async () => webhookReceiptSchema.parse(await (await admin.send('POST', '/api/webhook/test')).json()).id,
    ),
  );
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect((await admin.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
});

test.each(['user', 'super_user'] as const)('a %s may not send one', async (role) => {
  const member = await server.signedIn({ role });
  const before = (await admin.alerts('/api/alerts/inbox')).length;
  expect((await member.send('POST', '/api/webhook/test')).status).toBe(403);
  expect(await admin.alerts('/api/alerts/inbox')).toHaveLength(before);
});
