import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertSchema } from '#backend/contract/alert.ts';
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

const read = async (id: string) => heartbeatSchema.parse(await (await admin.get(`/api/heartbeats/${id}`)).json());
const stateOf = async (id: string) => (await read(id)).state;
const alertOf = async (id: string) =>
  alertSchema.parse(await (await admin.get(`/api/alerts/${(await read(id)).alert?.id ?? ''}`)).json());

/** Lets the grace of a heartbeat be over, as if time had passed. */
const overdue = (id: string) =>
  server.database.transaction((tx) =>
    tx.query('UPDATE heartbeats SET judge_at = judge_at - 3700000 WHERE id = ?', [id]),
  );

test('a failure whose alert was completed is followed by another alert where nothing calls any more', async () => {
  const { id, name, path } = await makeHeartbeat({ admin });
  await fetch(`${server.url}${path}/fail`);
  const failed = await alertOf(id);
  await overdue(id);
  await expect.poll(() => stateOf(id)).toBe('missing');
  // While nobody has completed it, it says so itself.
  expect(await alertOf(id)).toMatchObject({ id: failed.id, title: `${name} is missing`, occurrences: 2 });

  await fetch(`${server.url}${path}/fail`);
  for (const action of [{ action: 'accept' }, { action: 'status', status: 'completed' }]) {
    const answer = await admin.send('POST', '/api/alerts/bulk', { ...action, ids: [failed.id] });
    expect(answer.status).toBe(200);
  }
  expect((await read(id)).alert).toBeNull();
  await overdue(id);
  await expect.poll(() => stateOf(id)).toBe('missing');
  const missing = await alertOf(id);
  expect(missing).toMatchObject({ title: `${name} is missing`, status: 'pending', occurrences: 1 });
  expect(missing.id).not.toBe(failed.id);
});
