import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHeartbeat } from '#tests/support/heartbeat-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { levelsOf } from './levels.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const none = () => 0;

/** How heartbeats stand for metrics of a server of which the database's clock is so far ahead, in milliseconds. */
const standingAt = async (aheadMs: number) => {
  const levels = levelsOf({
    database: server.database,
    heartbeats: { clock: { now: () => Date.now() + aheadMs + 0.5, ask: () => Promise.resolve() } },
    writer: { queued: () => ({ alerts: 0, bytes: 0 }) },
    deliveryLog: { queued: none },
    hub: { size: 0, bufferedBytes: none },
    cluster: { levels: () => ({ isConnected: false, servers: 1 }) },
  });
  const { heartbeats, judgedLate } = await levels.standing();
  return { ok: heartbeats['ok'], late: heartbeats['late'], judgedLate };
};

test('heartbeats are counted by the clock that judges them, whatever the clock of the server says', async () => {
  const { path } = await makeHeartbeat({ admin: await server.signedIn({ role: 'admin' }) });
  expect((await fetch(server.url + path)).status).toBe(200);
  expect(await standingAt(0)).toEqual({ ok: 1, late: 0, judgedLate: 0 });
  expect(await standingAt(3_650_000)).toEqual({ ok: 0, late: 1, judgedLate: 0 });
  expect(await standingAt(3_670_000)).toEqual({ ok: 0, late: 1, judgedLate: 1 });
});
