import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod/mini';
import { alertSchema } from '#backend/contract/alert.ts';
import { changesSchema } from '#backend/contract/change.ts';
import { noticeListSchema } from '#backend/contract/notice.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

type Changes = z.infer<typeof changesSchema>;

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  [anna, ben] = [await server.signedIn(), await server.signedIn()];
  key = await server.addApiKey();
});
afterAll(async () => {
  await server.destroy();
});

const changes = async (member: TestClient, since?: string): Promise<Changes> => {
  const path = since === undefined ? '/api/changes' : `/api/changes?${new URLSearchParams({ since })}`;
  return changesSchema.parse(await (await member.get(path)).json());
};
const inShort = ({ events }: Changes) =>
  events.map((event) => {
    if (event.type === 'alert_updated') return [event.type, event.alert.id, event.alert.status, event.alert.version];
    return 'alertId' in event ? [event.type, event.alertId] : [event.type];
  });

test('what changed since a place is returned once for each alert, as everybody may see it', async () => {
  const [{ id: taken }, { id: deleted }] = [await anna.postAlert(key), await anna.postAlert(key)];
  const { place, isComplete, events } = await changes(anna);
  expect([isComplete, events]).toEqual([true, []]);
  expect(inShort(await changes(anna, place))).toEqual([]);
  const { id: fresh } = await anna.postAlert(key);
  await anna.send('POST', `/api/alerts/${taken}/accept`);
  await anna.send('PATCH', `/api/webhooks/${taken}/status`, { status: 'in-progress' });
  await ben.send('DELETE', `/api/webhooks/${deleted}`);
  await anna.send('POST', '/api/folders', { name: 'Mine', color: 'red' });
  const seen = await changes(anna, place);
  expect(seen.isComplete).toBe(true);
  expect(inShort(seen)).toEqual([
    ['alert_updated', fresh, 'pending', 1],
    ['alert_updated', taken, 'in-progress', 3],
    ['alert_deleted', deleted],
    ['folders_changed'],
  ]);
  const asIs = alertSchema.parse(await (await anna.get(`/api/alerts/${taken}`)).json());
  expect(seen.events[1]).toMatchObject({ alert: { id: asIs.id, version: asIs.version, status: asIs.status } });
  expect(inShort(await changes(ben, place)).slice(1)).toEqual([
    ['alert_accepted', taken],
    ['alert_deleted', deleted],
  ]);
  expect(inShort(await changes(anna, seen.place))).toEqual([]);
});

test('of what came since, what is still in the inbox and may notify says so', async () => {
  const { place } = await changes(ben);
  const [taken, left] = [await anna.postAlert(key), await anna.postAlert(key)];
  await anna.send('POST', `/api/alerts/${taken.id}/accept`);
  const admin = await server.signedIn({ role: 'admin' });
  const name = crypto.randomUUID();
  const rule = { name, search: `customer:"${name}"`, actions: { notify: 'never' } };
  expect((await admin.send('POST', '/api/rules', rule)).status).toBe(201);
  const silent = await anna.postAlert(key, { customer: name });
  const { events } = await changes(admin, place);
  const reasons = events.map((event) => (event.type === 'alert_updated' ? [event.alert.id, event.reason] : []));
  expect(reasons).toContainEqual([left.id, 'arrived']);
  expect(reasons).toContainEqual([taken.id, undefined]);
  expect(reasons).toContainEqual([silent.id, undefined]);
  // What changes of it later is no arrival.
  const { place: next } = await changes(ben);
  await anna.send('POST', `/api/alerts/${left.id}/accept`);
  await anna.send('POST', `/api/alerts/${left.id}/unaccept`);
  expect((await changes(ben, next)).events).toMatchObject([{ type: 'alert_updated', alert: { id: left.id } }]);
  expect((await changes(ben, next)).events[0]).not.toHaveProperty('reason');
});

/** What a sender says of one problem. */
const report = (action: string) =>
  anna.post(
    '',
    {
      routing_key: key,
      event_action: action,
      dedup_key: 'db-7/disk',
      payload: { summary: 'Disk full', source: 'db-7', severity: 'critical' },
    },
    {},
    '/v2/enqueue',
  );

test('an alert that completed itself is an alert that changed, to everybody', async () => {
  await report('trigger');
  const { place } = await changes(ben);
  await report('resolve');
  const { events } = await changes(ben, place);
  expect(events).toMatchObject([{ type: 'alert_updated', alert: { status: 'completed', state: 'resolved' } }]);
});

test('of events that came again the last counts: what was read, unread and read again is read', async () => {
  const { id } = await anna.postAlert(key);
  const mentions = [anna.id];
  await ben.send('POST', `/api/alerts/${id}/notes`, { text: 'Can you look?', mentions });
  const [notice] = noticeListSchema.parse(await (await anna.get('/api/notices')).json());
  const { place } = await changes(anna);
  for (const isRead of [true, false, true]) await anna.send('PATCH', '/api/notices', { ids: [notice?.id], isRead });
  const { events } = await changes(anna, place);
  expect(events.at(-1)).toEqual({ type: 'notices_changed', noticeIds: [notice?.id], isRead: true });
});

test('a list says at which place it was read', async () => {
  const placeOf = async (path: string) => (await anna.get(path)).headers.get('X-Place') ?? '';
  const admin = await server.signedIn({ role: 'admin' });
  const paths = ['inbox', 'mine', 'snoozed', 'all-folders'].map((list) => `/api/alerts/${list}?limit=1`);
  const places = await Promise.all(paths.map(placeOf));
  places.push((await admin.get('/api/alerts/all')).headers.get('X-Place') ?? '');
  const { id } = await anna.postAlert(key);
  for (const place of places)
    expect(inShort(await changes(anna, place))).toEqual([['alert_updated', id, 'pending', 1]]);
});

test('from a place that nobody knows everything is to be read again', async () => {
  for (const since of ['x', '1.2-3', `${Date.now()}.99999-1`]) {
    const { isComplete, events, place } = await changes(anna, since);
    expect([since, isComplete, events]).toEqual([since, false, []]);
    expect(inShort(await changes(anna, place))).toEqual([]);
  }
});

test('more than one answer holds is to be read again', async () => {
  const { place } = await changes(anna);
  const text = 'x'.repeat(900_000);
  for (let count = 0; count < 10; count += 1) await anna.postAlert(key, { text });
  expect((await changes(anna, place)).isComplete).toBe(false);
});
