import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SnoozeAlerts1764900900000 } from '#backend/platform/database/migrations/1764900900000-snooze-alerts.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let admin: TestClient;
let key: string;
let live: LiveClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  const answer = await admin.send('POST', '/api/sources', { name: 'Monitoring' });
  key = sourceWithSecretsSchema.parse(await answer.json()).plain.key ?? '';
  live = await listenLive(admin);
});
afterEach(() => expectTrueCounts(server.database));
afterAll(async () => {
  live.socket.close();
  await server.destroy();
});

/** A problem of its own for each test. */
let problem = 0;
beforeEach(() => {
  problem += 1;
});

/** What the sender says of the problem, in the words of PagerDuty's API. */
async function report(action: 'trigger' | 'acknowledge' | 'resolve', severity = 'warning'): Promise<void> {
  const response = await fetch(`${server.url}/v2/enqueue`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      routing_key: key,
      event_action: action,
      dedup_key: `problem ${problem}`,
      payload: { summary: 'Disk full', source: 'db-7', severity },
    }),
  });
  expect(response.status).toBe(202);
}

const stored = () =>
  server.database.reads.getRepository(AlertEntity).findOneByOrFail({ dedupKey: `problem ${problem}` });
const snooze = async (body: object) => {
  const { id } = await stored();
  const response = await admin.send('POST', `/api/alerts/${id}/snooze`, body);
  expect(response.status).toBe(200);
  return id;
};
/** What was published of an alert, by its reasons; of what people did there is none. */
const reasonsOf = async (id: string, count: number) => {
  const events = () =>
    live.events.flatMap((event) =>
      (event.type === 'new_alert' || event.type === 'alert_updated') && event.alert.id === id
        ? [event.type === 'new_alert' ? event.type : event.reason]
        : [],
    );
  await waitFor(() => expect(events()).toHaveLength(count));
  return events();
};

test('what is reported of a snoozed alert is counted, wakes it before no time, and notifies nobody', async () => {
  await report('trigger');
  const id = await snooze({ minutes: 600 });
  await report('trigger');
  await report('trigger', 'critical');
  expect(await stored()).toMatchObject({
    occurrences: 3,
    severity: 'critical',
    status: 'pending',
    snoozedUntil: expect.any(Number),
  });
  expect(await reasonsOf(id, 4)).toEqual(['new_alert', undefined, 'repeated', 'repeated']);
});

test('what is snoozed until it fires again wakes with the next firing, not with an acknowledgement', async () => {
  await report('trigger');
  const id = await snooze({ until: 'next-firing' });
  await report('acknowledge');
  expect(await stored()).toMatchObject({ snoozedUntil: expect.any(Number) });
  await report('trigger');
  expect(await stored()).toMatchObject({ snoozedUntil: null, wokenAt: expect.any(Number), status: 'pending' });
  expect(await reasonsOf(id, 4)).toEqual(['new_alert', undefined, 'acknowledged', 'woken']);
  const history = historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json());
  expect(history.find(({ action }) => action === 'woken')).toMatchObject({ userDisplayName: 'Monitoring' });
});

test('a snoozed alert that nobody accepted is completed by its resolution, and nothing wakes it', async () => {
  await report('trigger');
  const id = await snooze({ minutes: 600 });
  await report('resolve');
  expect(await stored()).toMatchObject({ status: 'completed', snoozedUntil: null });
  expect(await server.database.reads.query('SELECT 1 FROM alert_wakes WHERE alert_id = ?', [id])).toEqual([]);
});

test('a snoozed alert of an owner stays snoozed when it is resolved, until it fires again', async () => {
  await report('trigger');
  await admin.send('POST', `/api/alerts/${(await stored()).id}/accept`);
  const id = await snooze({ until: 'next-firing' });
  await report('resolve');
  expect(await stored()).toMatchObject({ status: 'accepted', snoozedUntil: expect.any(Number) });
  await report('trigger');
  expect(await stored()).toMatchObject({ status: 'accepted', snoozedUntil: null });
  expect(await reasonsOf(id, 4)).toEqual(['new_alert', undefined, 'resolved', 'woken']);
});

test('when the upgrade is taken back, snoozed alerts are in their lists and counters', async () => {
  const own = await startTestServer();
  const member = await own.signedIn();
  const mine = { customer: 'Nordwind', severity: 'critical', ownerId: member.id } as const;
  const ids = await insertAlerts(own.database, [
    { customer: 'Nordwind' },
    { customer: 'Nordwind' },
    { ...mine, status: 'accepted' },
    { ...mine, status: 'in-progress' },
    { ...mine, status: 'in-progress' },
  ]);
  for (const id of ids.slice(1)) await member.send('POST', `/api/alerts/${id}/snooze`, { minutes: 5 });
  await own.database.transaction(async (tx) => {
    if (!tx.queryRunner) throw new Error('There is no query runner.');
    await new SnoozeAlerts1764900900000().down(tx.queryRunner);
    await tx.query("DELETE FROM migrations WHERE name LIKE 'SnoozeAlerts%'");
  });
  const rows: { status: string }[] = await own.database.reads.query('SELECT status FROM alerts ORDER BY id');
  expect(rows.map(({ status }) => status)).toEqual(['pending', 'pending', 'accepted', 'in-progress', 'in-progress']);
  const upgraded = await own.restart();
  try {
    await expectTrueCounts(upgraded.database);
    const inbox = await (await upgraded.signedIn()).get('/api/alerts/inbox');
    expect(alertListSchema.parse(await inbox.json())).toHaveLength(2);
  } finally {
    await upgraded.destroy();
  }
});
