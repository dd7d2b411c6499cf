import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { listening, startMain } from '#tests/support/main-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** Sets the clock of a process back by an hour, before anything in it asks for the time. */
const AN_HOUR_BACK = `--import data:text/javascript,const{now}=Date;Date.now=()=>now()-${HOUR_MS}`;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  vi.useRealTimers();
  await server.destroy();
});

/** Posts some alerts and works on one; `setBack` sets the clock back; then the same again, and all is in order. */
async function expectOrder(setBack: (email: string) => Promise<TestClient>): Promise<void> {
  const key = await server.addApiKey();
  const user = await server.addUser({ role: 'super_user' });
  const before = server.anonymous();
  await before.signIn(user.email, TEST_PASSWORD);
  const posted: string[] = [];
  for (const word of ['heron', 'egret', 'stork']) posted.unshift((await before.postAlert(key, { word })).id);
  const [worked = ''] = posted;
  await before.send('POST', `/api/alerts/${worked}/accept`);

  const after = await setBack(user.email);
  for (const word of ['crane', 'ibis']) posted.unshift((await after.postAlert(key, { word })).id);
  await after.send('POST', `/api/alerts/${worked}/unaccept`);

  expect((await after.alerts('/api/alerts/inbox')).map(({ id }) => id)).toEqual(posted);
  const found = await after.get('/api/alerts/all?q=ibis');
  expect(alertListSchema.parse(await found.json()).map(({ id }) => id)).toEqual([posted[0]]);
  const history = historySchema.parse(await (await after.get(`/api/alerts/${worked}/history`)).json());
  expect(history.map(({ action }) => action)).toEqual(['unaccepted', 'accepted', 'received']);
  expect([...posted].toSorted().toReversed()).toEqual(posted);
}

test('a clock that is set back while the server runs changes no order', () =>
  expectOrder(async (email) => {
    await server.search.settled();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS });
    const client = server.anonymous();
    await client.signIn(email, TEST_PASSWORD);
    return client;
  }));

test('a clock that is set back before a start changes no order', () =>
  expectOrder(async (email) => {
    await server.search.settled();
    await server.stop();
    const { config } = server;
    const restarted = startMain(config, { NODE_OPTIONS: AN_HOUR_BACK });
    const client = new TestClient((await listening(restarted)).url);
    await client.signIn(email, TEST_PASSWORD);
    return client;
  }));
