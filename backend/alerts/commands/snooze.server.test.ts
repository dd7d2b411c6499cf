import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { snoozedCountsSchema } from '#backend/contract/alert-totals.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { snoozeBriefly } from '#tests/support/snooze-briefly.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { startWaking, wakeDue } from './waking.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

/** Alerts of a customer of their own, so that lists can be read by it. */
let customer: string;
let last = 0;
beforeEach(() => {
  customer = `Customer ${(last += 1)}`;
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const pending = async (more = {}): Promise<string> =>
  (await insertAlerts(server.database, [{ customer, ...more }]))[0] ?? '';
const owned = (member: TestClient, more = {}) => pending({ status: 'accepted', ownerId: member.id, ...more });
const firing = { dedupKey: 'disk', state: 'firing' } as const;

const snooze = (member: TestClient, id: string, body: object = { minutes: 60 }) =>
  member.send('POST', `/api/alerts/${id}/snooze`, body);
const wake = (member: TestClient, id: string) => member.send('POST', `/api/alerts/${id}/wake`);
const bulk = async (member: TestClient, body: object) =>
  bulkResultSchema.parse(await (await member.send('POST', '/api/alerts/bulk', body)).json());
const read = async (member: TestClient, id: string) =>
  alertSchema.parse(await (await member.get(`/api/alerts/${id}`)).json());
const listOf = async (member: TestClient, list: string, query = '') => {
  const answer = await member.get(`/api/alerts/${list}?customer=${encodeURIComponent(customer)}${query}`);
  const alerts = alertListSchema.parse(await answer.json());
  expect(Number(answer.headers.get('X-Total-Count'))).toBe(alerts.length);
  return alerts.map(({ id }: Alert) => id);
};
const counts = async (member: TestClient) =>
  snoozedCountsSchema.parse(await (await member.get('/api/alerts/snoozed/counts')).json());
const historyOf = async (id: string) =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json()).toReversed();

/** A server beside this one, with what it publishes. */
function other() {
  const { database, changes } = catchChanges(server.database);
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const woken = () =>
    changes.flatMap((change) => (change.type === 'alert_updated' && 'alertIds' in change ? change.alertIds : []));
  return { deps: { database, events, logger: createLogger('silent') }, woken };
}
const never = new AbortController().signal;
describe('an alert of the inbox', () => {
  test('leaves it for everybody, with its counters, and is in the list of the snoozed', async () => {
    const id = await pending({ severity: 'critical' });
    const answer = await snooze(anna, id);
    expect(answer.status).toBe(200);
    const alert = alertSchema.parse(await answer.json());
    expect(alert).toMatchObject({ status: 'pending', severity: 'critical' });
    expect(Date.parse(alert.snoozedUntil ?? '') - Date.now()).toBeGreaterThan(HOUR_MS - 60_000);
    for (const query of ['', '&sort=severity', '&severity=critical', '&status=pending', '&q=%7B%7D']) {
      expect([query, await listOf(ben, 'inbox', query)]).toEqual([query, []]);
      expect([query, await listOf(ben, 'snoozed', query)]).toEqual([query, [id]]);
      expect([query, await listOf(admin, 'all', query)]).toEqual([query, [id]]);
    }
    expect(await listOf(ben, 'snoozed', '&status=accepted')).toEqual([]);
    const facets = await (await ben.get('/api/alerts/facets?list=snoozed')).json();
    expect(facets).toMatchObject({ customers: expect.arrayContaining([customer]) });
    expect(await (await ben.get(`/api/alerts/facets?list=inbox&q=${customer}`)).json()).toMatchObject({
      customers: [],
    });
  });

  test('is counted for everybody, an own one for its owner', async () => {
    const before = [await counts(anna), await counts(ben)] as const;
    for (const id of [await pending(), await owned(anna), await owned(anna)]) await snooze(anna, id);
    expect(await counts(anna)).toEqual({ inbox: before[0].inbox + 1, own: before[0].own + 2 });
    expect(await counts(ben)).toEqual({ ...before[1], inbox: before[1].inbox + 1 });
  });

  test('is woken by anybody, and its history says who did what until when', async () => {
    const id = await pending();
    const until = inTime(DAY_MS);
    await snooze(anna, id, { until });
    expect(await (await wake(ben, id)).json()).not.toHaveProperty('snoozedUntil');
    expect(await (await wake(ben, id)).json()).not.toHaveProperty('wokenAt');
    expect(await listOf(anna, 'inbox')).toEqual([id]);
    expect(await listOf(anna, 'snoozed')).toEqual([]);
    expect((await historyOf(id)).slice(-2)).toEqual([
      expect.objectContaining({ action: 'snoozed', userDisplayName: 'Anna', snoozedUntil: until }),
      expect.objectContaining({ action: 'woken', userDisplayName: 'Ben' }),
    ]);
  });

  test('is awake once somebody accepts it, and nothing wakes it later', async () => {
    const id = await pending();
    await snooze(anna, id, { until: inTime(HOUR_MS) });
    await ben.send('POST', `/api/alerts/${id}/accept`);
    expect(await read(ben, id)).not.toHaveProperty('snoozedUntil');
    expect(await listOf(ben, 'mine')).toEqual([id]);
    const { deps, woken } = other();
    await wakeDue({ ...deps, now: () => Date.now() + DAY_MS }, never);
    expect(woken()).not.toContain(id);
  });
});

describe('an accepted alert', () => {
  test('is snoozed by its owner alone, leaves the queue and its folder, and keeps status and folder', async () => {
    const folder = folderSchema.parse(
      await (await anna.send('POST', '/api/folders', { name: customer, color: 'red' })).json(),
    );
    const [loose, filed] = [await owned(anna), await owned(anna, { status: 'in-progress', folderId: folder.id })];
    expect((await snooze(ben, loose)).status).toBe(404);
    expect((await snooze(admin, loose)).status).toBe(403);
    for (const id of [loose, filed]) expect((await snooze(anna, id)).status).toBe(200);
    expect(await listOf(anna, 'mine')).toEqual([]);
    expect(await listOf(anna, `folder/${folder.id}`)).toEqual([]);
    const folders = (await (await anna.get('/api/folders')).json()) as { id: string; alertCount: number }[];
    expect(folders.find(({ id }) => id === folder.id)).toMatchObject({ alertCount: 0 });
    for (const sort of ['newest', 'status', 'severity']) {
      expect(new Set(await listOf(anna, 'snoozed', `&sort=${sort}`))).toEqual(new Set([loose, filed]));
    }
    expect(await listOf(ben, 'snoozed')).toEqual([]);
    expect((await wake(admin, filed)).status).toBe(403);
    await wake(anna, filed);
    expect(await read(anna, filed)).toMatchObject({ status: 'in-progress', folderId: folder.id });
  });

  test('is awake in another status, and stays snoozed in another folder', async () => {
    const folder = folderSchema.parse(
      await (await anna.send('POST', '/api/folders', { name: customer, color: 'red' })).json(),
    );
    const id = await owned(anna);
    await snooze(anna, id);
    await anna.send('PATCH', `/api/webhooks/${id}/move`, { folderId: folder.id });
    expect(await read(anna, id)).toMatchObject({ folderId: folder.id, snoozedUntil: expect.any(String) });
    await anna.send('DELETE', `/api/folders/${folder.id}`);
    expect(await listOf(anna, 'snoozed')).toEqual([id]);
    await anna.send('PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' });
    expect(await listOf(anna, 'mine')).toEqual([id]);
  });

  test('is not snoozed when it is completed', async () => {
    expect((await snooze(anna, await owned(anna, { status: 'completed' }))).status).toBe(409);
  });
});

test.each([
  [{ until: inTime(-1000) }, 422],
  [{ until: inTime(400 * DAY_MS) }, 422],
  [{ minutes: 0 }, 422],
  [{}, 422],
])('a snooze of %j is refused', async (body, status) => {
  const id = await pending();
  expect((await snooze(anna, id, body)).status).toBe(status);
  expect(await listOf(anna, 'inbox')).toEqual([id]);
});

describe('many alerts', () => {
  test('are snoozed and woken together, each by its own rules; the losers are named', async () => {
    const mine = await owned(anna, firing);
    const done = await owned(anna, { status: 'completed' });
    const [inbox, others] = [await pending(firing), await owned(ben)];
    const plain = await pending();
    const ids = [mine, done, inbox, others, plain];
    const live = await listenLive(ben);
    const result = await bulk(anna, { action: 'snooze', until: 'next-firing', ids });
    expect(new Set(result.changed.map(({ id }) => id))).toEqual(new Set([mine, inbox]));
    expect(result.lost).toEqual([
      { id: done, reason: 'completed' },
      { id: others, reason: 'taken', ownerName: 'Ben' },
      { id: plain, reason: 'fires_once' },
    ]);
    expect(await bulk(anna, { action: 'snooze', until: 'next-firing', ids: [mine] })).toMatchObject({ unchanged: 1 });
    await waitFor(() =>
      expect(live.events).toContainEqual(
        expect.objectContaining({
          type: 'alerts_changed',
          change: 'snoozed',
          alertIds: [inbox],
          snoozedUntil: 'next-firing',
        }),
      ),
    );
    expect(live.events).not.toContainEqual(expect.objectContaining({ alertIds: expect.arrayContaining([mine]) }));
    live.socket.close();
    const filter = { list: 'snoozed', customer };
    const woken = await bulk(anna, { action: 'wake', filter, expectedCount: 2 });
    expect(woken.changed).toHaveLength(2);
    expect(woken.changed[0]).toMatchObject({ snoozedUntil: 'next-firing' });
    expect(await listOf(anna, 'snoozed')).toEqual([]);
  });

  test('two people snooze the same alert at once: it is snoozed once and wakes once', async () => {
    const id = await pending();
    await Promise.all([snooze(anna, id, { minutes: 5 }), snooze(ben, id, { minutes: 10 }), wake(anna, id)]);
    await Promise.all([snooze(anna, id, { minutes: 5 }), snooze(ben, id, { minutes: 10 })]);
    const rows = await server.database.reads.query('SELECT due_at FROM alert_wakes WHERE alert_id = ?', [id]);
    expect(rows).toHaveLength(1);
    expect(Number(rows[0].due_at)).toBe(Date.parse((await read(anna, id)).snoozedUntil ?? ''));
  });
});

describe('waking', () => {
  test('happens at its time, by itself, with one notification and one entry', async () => {
    const live = await listenLive(ben);
    const id = await pending();
    await snoozeBriefly(anna, id);
    const events = () => live.events.filter((event) => event.type === 'alert_updated' && event.alert.id === id);
    await waitFor(() => expect(events()).toHaveLength(2));
    expect(events()[1]).toMatchObject({ reason: 'woken', alert: { wokenAt: expect.any(String), status: 'pending' } });
    expect(await listOf(ben, 'inbox')).toEqual([id]);
    expect((await historyOf(id)).filter(({ action }) => action === 'woken')).toMatchObject([
      { userDisplayName: 'Alertdesk' },
    ]);
    live.socket.close();
  });

  test('happens once with two servers on one database, however many are due', async () => {
    const ids = await insertAlerts(
      server.database,
      Array.from({ length: 230 }, () => ({ customer })),
    );
    const until = inTime(2 * HOUR_MS);
    for (let at = 0; at < ids.length; at += 100) {
      await bulk(anna, { action: 'snooze', until, ids: ids.slice(at, at + 100) });
    }
    const servers = [other(), other(), other()];
    const later = () => Date.now() + 3 * HOUR_MS;
    await Promise.all(servers.map(({ deps }) => wakeDue({ ...deps, now: later }, never)));
    const woken = servers.flatMap((one) => one.woken()).filter((id) => ids.includes(id));
    expect(woken.toSorted()).toEqual(ids.toSorted());
    expect((await historyOf(ids[0] ?? '')).filter(({ action }) => action === 'woken')).toHaveLength(1);
    expect(await server.database.reads.query('SELECT 1 FROM alert_wakes WHERE due_at < ?', [later()])).toEqual([]);
  });

  test('is not missed when the clock jumps, and forgets alerts that are gone', async () => {
    const [id, gone, longer] = [await pending(), await pending(), await pending()];
    for (const one of [id, gone, longer]) await snooze(anna, one, { minutes: 300 });
    await server.database.transaction(async (tx) => {
      // As a restored backup might have it: due, but for nothing, or for what was snoozed for longer since.
      await tx.query('INSERT INTO alert_wakes (alert_id, due_at) VALUES (?, ?)', ['gone', 1]);
      await tx.query('UPDATE alert_wakes SET due_at = 1 WHERE alert_id = ?', [longer]);
    });
    await admin.send('DELETE', `/api/webhooks/${gone}`);
    const { deps, woken } = other();
    let ahead = 0;
    const waking = startWaking({ ...deps, now: () => Date.now() + ahead, longestPauseMs: 20 });
    await waitFor(async () =>
      expect(await server.database.reads.query("SELECT 1 FROM alert_wakes WHERE alert_id = 'gone'")).toEqual([]),
    );
    for (const one of [id, longer]) expect(woken()).not.toContain(one);
    ahead = 6 * HOUR_MS;
    await waitFor(() => expect(woken()).toContain(id));
    await waking.stop();
    expect(woken()).not.toContain(gone);
  });

  test('happens after a restart', async () => {
    const own = await startTestServer();
    const member = await own.signedIn();
    const [id = ''] = await insertAlerts(own.database, [{ customer }]);
    const until = await snoozeBriefly(member, id);
    await own.stop();
    await waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(until)));
    const restarted = await own.restart();
    try {
      const again = await restarted.signedIn({ role: 'admin' });
      await waitFor(async () => expect(await listOf(again, 'inbox')).toEqual([id]));
      const history = historySchema.parse(await (await again.get(`/api/alerts/${id}/history`)).json());
      expect(history.filter(({ action }) => action === 'woken')).toHaveLength(1);
      await expectTrueCounts(restarted.database);
    } finally {
      await restarted.destroy();
    }
  });
});
