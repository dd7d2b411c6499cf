import { afterAll, beforeAll, expect, test } from 'vitest';
import { heartbeatSchema } from '#backend/contract/heartbeat.ts';
import { makeHeartbeat } from '#tests/support/heartbeat-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const call = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);

/** What each beat was, and the last line that was sent along. */
async function beatsOf(id: string) {
  const { beats } = heartbeatSchema.parse(await (await admin.get(`/api/heartbeats/${id}`)).json());
  return beats.map(({ kind, line }) => [kind, line]);
}

test('what a run that never ended sent along is in its bar, and not in that of the next run', async () => {
  const { id, path } = await makeHeartbeat({ admin });
  await call(`${path}/start`);
  await call(`${path}/log`, { method: 'POST', body: 'Traceback: disk full' });
  await server.database.transaction((tx) =>
    tx.query('UPDATE heartbeats SET late_at = late_at - 3700000, judge_at = judge_at - 3700000 WHERE id = ?', [id]),
  );
  await expect.poll(() => beatsOf(id)).toEqual([['overrun', 'Traceback: disk full']]);
  await call(`${path}/start`);
  await call(`${path}/0`);
  // The run before said nothing of its end, and another one begins.
  await call(`${path}/start`);
  await call(`${path}/log`, { method: 'POST', body: 'interrupted' });
  await call(`${path}/start`);
  await call(`${path}/0`);
  expect(await beatsOf(id)).toEqual([
    ['overrun', 'Traceback: disk full'],
    ['ok', undefined],
    ['ok', undefined],
  ]);
});
