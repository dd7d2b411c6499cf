import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockAlert } from '#backend/alerts/alert/alert-store.ts';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { untilQueued } from '#tests/support/until-queued.ts';

let server: TestServer;
let anna: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
});
afterAll(() => server.destroy());

const newAlert = async (): Promise<string> => (await insertAlerts(server.database, [{}]))[0] ?? '';

const untilWaiting = (text: string) => untilQueued(server.database, `%${text}%`);

const historyOf = async (id: string) =>
  historySchema
    .parse(await (await anna.get(`/api/alerts/${id}/history`)).json())
    .map(({ action, userDisplayName }) => [action, userDisplayName]);

test('an entry goes after one that a server with a clock ahead wrote while the alert was waited for', async () => {
  const id = await newAlert();
  let accepted: Promise<Response> | undefined;
  await server.database.transaction(async (tx) => {
    await lockAlert(tx, id);
    accepted = anna.send('POST', `/api/alerts/${id}/accept`);
    await untilWaiting(id);
    // Its id is of a time that this server has not reached.
    const later = { id: firstIdAt(Date.now() + 3_600_000), alertId: id, userDisplayName: 'Ben' };
    await addHistories(tx, [{ ...later, action: 'note_added' }]);
  });
  expect((await accepted)?.status).toBe(200);
  expect(await historyOf(id)).toEqual([
    ['accepted', 'Anna'],
    ['note_added', 'Ben'],
    ['received', 'Test key'],
  ]);
});

test.each([
  ['commits refuses it', true, 401],
  ['is rolled back does not concern it', false, 200],
])('a revocation that an accept waits for and that %s', async (_, isCommitted, status) => {
  const id = await newAlert();
  const member = await server.signedIn();
  let answer: Promise<Response> | undefined;
  const revoked = server.database.transaction(async (tx) => {
    const [sessionId = ''] = await removeSessionsOf(tx, member.id);
    answer = member.send('POST', `/api/alerts/${id}/accept`);
    await untilWaiting(sessionId);
    if (!isCommitted) throw new Error('Taken back.');
  });
  expect((await Promise.allSettled([revoked]))[0].status).toBe(isCommitted ? 'fulfilled' : 'rejected');
  expect((await answer)?.status).toBe(status);
});

test('a revocation waits for the change of an alert that began before it', async () => {
  const id = await newAlert();
  const member = await server.signedIn();
  const [session]: { id: string }[] = await server.database.reads.query('SELECT id FROM sessions WHERE user_id = ?', [
    member.id,
  ]);
  const order: string[] = [];
  let signedOut: Promise<unknown> | undefined;
  await server.database.transaction(async (tx) => {
    await lockAlert(tx, id, { sessionId: session?.id ?? '' });
    signedOut = member.send('POST', '/api/auth/logout').then(() => order.push('signed out'));
    await untilWaiting('DELETE FROM%sessions');
    order.push('changed');
  });
  await signedOut;
  expect(order).toEqual(['changed', 'signed out']);
});

test('who may not ask any more learns nothing of whether there is such an alert', async () => {
  const locking = server.database.transaction((tx) => lockAlert(tx, firstIdAt(0), { sessionId: 'f'.repeat(64) }));
  await expect(locking).rejects.toMatchObject({ status: 401 });
});
