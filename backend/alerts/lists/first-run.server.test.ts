import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstRunSchema } from '#backend/contract/first-run.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let anna: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
});
afterAll(() => server.destroy());

const firstRun = async () => firstRunSchema.parse(await (await anna.get('/api/first-run')).json());
const seen = (id: string, at: number) =>
  server.database.transaction((tx) => tx.query('UPDATE sessions SET last_seen_at = ? WHERE user_id = ?', [at, id]));

test('while no alert ever arrived, up to three administrators are named, the last seen first', async () => {
  const now = Date.now();
  for (const [displayName, hoursAgo] of [
    ['Maya', 3],
    ['Jonas', 1],
    ['Ida', 2],
    ['Otto', 9],
  ] as const) {
    const { id } = await server.signedIn({ displayName, role: 'admin' });
    await seen(id, now - hoursAgo * 3_600_000);
  }
  const away = await server.signedIn({ displayName: 'Disabled', role: 'admin' });
  await server.database.transaction((tx) => tx.query('UPDATE users SET is_active = ? WHERE id = ?', [false, away.id]));
  await server.signedIn({ displayName: 'Super', role: 'super_user' });
  const { hasAlerts, isAlone, administrators } = await firstRun();
  // Their addresses are what they sign in with: members know these by no other way either.
  expect(await (await anna.get('/api/first-run')).text()).not.toContain('@');
  expect([hasAlerts, isAlone]).toEqual([false, false]);
  expect(administrators.map(({ displayName }) => displayName)).toEqual(['Jonas', 'Ida', 'Maya']);
});

test('an alert that arrived and was deleted has arrived', async () => {
  const key = await server.addApiKey();
  const { id } = (await (await anna.post(key, '{"title":"Disk full"}')).json()) as { id: string };
  expect(await firstRun()).toMatchObject({ hasAlerts: true, administrators: [] });
  expect((await anna.send('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
  expect((await firstRun()).hasAlerts).toBe(true);
});
