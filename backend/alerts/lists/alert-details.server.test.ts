import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertDetailsSchema } from '#backend/contract/alert.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;
let superUser: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  superUser = await server.signedIn({ role: 'super_user' });
});
afterAll(() => server.destroy());

const detailsOf = async (member: TestClient, id: string) =>
  alertDetailsSchema.parse(await (await member.get(`/api/alerts/${id}`)).json());

test('an alert is answered with its payload as it was received', async () => {
  const payload = '{"customer":"Nordwind","b":1,"a":820982911946154508123}';
  const response = await anna.post(key, payload);
  const { id } = (await response.json()) as { id: string };
  await anna.send('POST', `/api/alerts/${id}/accept`);
  expect(await (await anna.get(`/api/alerts/${id}`)).text()).toContain(`"payload":${payload}`);
  expect(await detailsOf(superUser, id)).toMatchObject({ id, ownerId: anna.id, ownerName: 'Anna' });
});

test('the earlier alert of the same problem is named to who may see it', async () => {
  const resolvedAt = Date.UTC(2026, 10, 17, 9, 38);
  const [earlier = ''] = await insertAlerts(server.database, [
    { status: 'completed', ownerId: anna.id, title: 'Disk full', state: 'resolved', resolvedAt },
  ]);
  const [later = ''] = await insertAlerts(server.database, [{ previousAlertId: earlier }]);
  expect((await detailsOf(anna, later)).previousAlert).toMatchObject({
    id: earlier,
    title: 'Disk full',
    state: 'resolved',
    resolvedAt: new Date(resolvedAt).toISOString(),
  });
  expect((await detailsOf(superUser, later)).previousAlert?.id).toBe(earlier);
  expect((await detailsOf(ben, later)).previousAlert).toBeUndefined();
});

test('somebody else’s alert, one that is gone and one that never was are answered alike', async () => {
  const [accepted = '', gone = ''] = await insertAlerts(server.database, [
    { status: 'accepted', ownerId: anna.id },
    {},
  ]);
  await anna.send('DELETE', `/api/webhooks/${gone}`);
  for (const id of [accepted, gone, newId()]) {
    const response = await ben.get(`/api/alerts/${id}`);
    expect([response.status, await response.text()]).toEqual([404, 'This alert no longer exists.']);
  }
});
