import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alert, alertDetailsSchema, alertSchema } from '#backend/contract/alert.ts';
import { colleaguesSchema, handOverCountsSchema } from '#backend/contract/assignment.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { wakeDue } from './waking.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let cleo: TestClient;
let admin: TestClient;
beforeAll(async () => {
  // What is sent one after the other comes in one notice, also on a busy machine.
  server = await startTestServer({}, { noticesGatherMs: 9_000 });
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  cleo = await server.signedIn({ displayName: 'Cleo' });
  admin = await server.signedIn({ displayName: 'Ada', role: 'admin' });
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

const pending = async () => (await insertAlerts(server.database, [{ alertType: 'disk', title: 'Disk full' }]))[0] ?? '';
const owned = async (member: TestClient, status: 'accepted' | 'in-progress' = 'accepted') => {
  const id = await pending();
  await member.send('POST', `/api/alerts/${id}/accept`);
  if (status !== 'accepted') await member.send('PATCH', `/api/webhooks/${id}/status`, { status });
  return id;
};
const assign = (by: TestClient, id: string, to: { id: string }, ifOwner?: string) =>
  by.send('POST', `/api/alerts/${id}/assign`, { userId: to.id, ...(ifOwner !== undefined && { ifOwner }) });
const bulk = async (by: TestClient, body: object) =>
  bulkResultSchema.parse(await (await by.send('POST', '/api/alerts/bulk', body)).json());
const handOver = async (by: TestClient, body: object) =>
  bulkResultSchema.parse(await (await by.send('POST', '/api/alerts/hand-over', body)).json());
const read = async (reader: TestClient, id: string): Promise<Alert> =>
  alertDetailsSchema.parse(await (await reader.get(`/api/alerts/${id}`)).json());
const historyOf = async (id: string) =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json()).toReversed();
const folderOf = async (member: TestClient) =>
  folderSchema.parse(
    await (await member.send('POST', '/api/folders', { name: crypto.randomUUID(), color: 'red' })).json(),
  ).id;
/** Changes by which somebody was given an alert: what was done before a client listened may reach it all the same. */
const changes = ({ events }: LiveClient) =>
  events.filter((event) => event.type === 'alerts_changed' && event.assignment !== undefined);
const noticesOf = ({ events }: LiveClient) =>
  events.flatMap((event) => (event.type === 'member_notified' ? [event.notice] : []));

describe('one alert', () => {
  test('from the inbox it is theirs and accepted, and says who gave it until they change something', async () => {
    const id = await pending();
    const answer = alertSchema.parse(await (await assign(anna, id, ben)).json());
    expect(answer).toMatchObject({ status: 'accepted', ownerId: ben.id, ownerName: 'Ben' });
    expect(await read(ben, id)).toMatchObject({ assignment: { kind: 'assigned', byName: 'Anna' } });
    expect((await historyOf(id)).map(({ action, assigneeName }) => [action, assigneeName])).toEqual([
      ['received', undefined],
      ['assigned', 'Ben'],
    ]);
    await ben.send('PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' });
    const touched = await read(ben, id);
    expect(touched.assignment).toBeUndefined();
    expect(Date.parse(touched.touchedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  test('of one’s own it keeps its status and loses the folder; the other person may give it back', async () => {
    const id = await owned(anna, 'in-progress');
    await anna.send('PATCH', `/api/webhooks/${id}/move`, { folderId: await folderOf(anna) });
    expect((await assign(anna, id, ben)).status).toBe(200);
    const given = await read(ben, id);
    expect(given).toMatchObject({ status: 'in-progress', assignment: { kind: 'handed_over', byName: 'Anna' } });
    expect(given.folderId).toBeUndefined();
    expect((await anna.get(`/api/alerts/${id}`)).status).toBe(404);

    expect((await assign(ben, id, anna)).status).toBe(200);
    expect(await read(anna, id)).toMatchObject({ ownerId: anna.id, status: 'in-progress' });
    expect((await historyOf(id)).map(({ action }) => action)).toEqual([
      'received',
      'accepted',
      'status_change',
      'move_folder',
      'handed_over',
      'handed_over',
    ]);
  });

  test('the same twice is one entry, and to oneself from the inbox is accepting', async () => {
    const id = await pending();
    expect((await assign(anna, id, anna)).status).toBe(200);
    expect((await assign(anna, id, anna)).status).toBe(200);
    expect((await historyOf(id)).map(({ action }) => action)).toEqual(['received', 'accepted']);
    expect((await read(anna, id)).assignment).toBeUndefined();
  });

  test('is refused for what is somebody else’s, for the disabled, and when it has another owner by now', async () => {
    const id = await owned(anna);
    const taken = await assign(ben, id, cleo);
    expect([taken.status, await taken.text()]).toEqual([409, 'Already accepted by Anna.']);
    const late = await assign(admin, id, ben, 'none');
    expect([late.status, await late.text()]).toEqual([409, 'Already accepted by Anna.']);
    const disabled = await server.addUser({ displayName: 'Dora', isActive: false });
    const refused = await assign(anna, id, disabled);
    expect([refused.status, await refused.text()]).toEqual([
      422,
      'The account of Dora is disabled. Choose somebody else.',
    ]);
    expect((await assign(anna, id, { id: '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80' })).status).toBe(422);
    expect((await assign(anna, '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80', ben)).status).toBe(404);
    expect((await read(anna, id)).ownerId).toBe(anna.id);
    expect(await historyOf(id)).toHaveLength(2);
  });

  test('who gave it may take it back until its owner changes something, also by writing a note', async () => {
    const [returned, kept, noted] = [await pending(), await owned(anna), await owned(anna)];
    for (const id of [returned, kept, noted]) await assign(anna, id, ben);
    expect((await anna.send('POST', `/api/alerts/${returned}/unaccept`)).status).toBe(200);
    expect((await assign(anna, kept, anna)).status).toBe(200);
    await ben.send('POST', `/api/alerts/${noted}/notes`, { text: 'On it' });
    expect((await assign(anna, noted, anna)).status).toBe(409);
    expect((await read(admin, returned)).status).toBe('pending');
    expect((await read(admin, kept)).ownerId).toBe(anna.id);
    expect((await read(admin, noted)).ownerId).toBe(ben.id);
  });

  test('who gave it may take it back, too, once its snooze has ended', async () => {
    const id = await owned(anna);
    await anna.send('POST', `/api/alerts/${id}/snooze`, { minutes: 60 });
    await assign(anna, id, ben);
    const events = createEventBus((error) => expect.unreachable(String(error)));
    const deps = { database: server.database, events, logger: createLogger('silent') };
    await wakeDue({ ...deps, now: () => Date.now() + 2 * 3_600_000 }, new AbortController().signal);
    expect(await read(admin, id)).toMatchObject({ ownerId: ben.id, assignment: { byName: 'Anna' } });
    expect((await assign(anna, id, anna)).status).toBe(200);
  });
});

describe('many', () => {
  test('each is judged by itself; administrators reassign anybody’s', async () => {
    const [free, own, bens, cleos] = [await pending(), await owned(anna), await owned(ben), await owned(cleo)];
    const ids = [free, own, bens, cleos];
    expect(await bulk(anna, { action: 'assign', userId: ben.id, ids })).toEqual({
      changed: [
        { id: free, version: 2, status: 'pending' },
        { id: own, version: 3, status: 'accepted', ownerId: anna.id },
      ],
      unchanged: 1,
      lost: [{ id: cleos, reason: 'taken', ownerName: 'Cleo' }],
    });
    const result = await bulk(admin, { action: 'assign', userId: cleo.id, ids });
    expect(result.changed.map(({ ownerId }) => ownerId)).toEqual([ben.id, ben.id, ben.id]);
    for (const id of ids) expect((await read(admin, id)).ownerId).toBe(cleo.id);
  });

  test('a filter gives what it finds in the inbox', async () => {
    const customer = crypto.randomUUID();
    await insertAlerts(server.database, [{ customer }, { customer }]);
    const filter = { list: 'inbox', customer };
    const result = await bulk(anna, { action: 'assign', userId: ben.id, filter, expectedCount: 2 });
    expect(result.changed).toHaveLength(2);
    expect((await ben.alerts('/api/alerts/mine')).filter((alert) => alert.customer === customer)).toHaveLength(2);
  });
});

describe('a queue', () => {
  test('is counted, and goes over by status and folder in batches, with its note in each history', async () => {
    const giver = await server.signedIn({ displayName: 'Gina' });
    const taker = await server.signedIn({ displayName: 'Tom' });
    const folderId = await folderOf(giver);
    const mine = { ownerId: giver.id, status: 'accepted' } as const;
    const ids = await insertAlerts(server.database, [
      ...Array.from({ length: 120 }, () => ({ ...mine, severity: 'critical' as const })),
      { ...mine, status: 'in-progress' },
      { ...mine, folderId },
      { ...mine, status: 'completed' },
    ]);
    const counts = handOverCountsSchema.parse(await (await giver.get('/api/alerts/hand-over')).json());
    expect(counts).toEqual([
      { folderId: null, status: 'accepted', severity: 'critical', isSnoozed: false, alerts: 120 },
      { folderId: null, status: 'in-progress', severity: 'none', isSnoozed: false, alerts: 1 },
      { folderId, status: 'accepted', severity: 'none', isSnoozed: false, alerts: 1 },
    ]);
    const live = await listenLive(taker);
    const first = await handOver(giver, { userId: taker.id, note: ' Call Ines. ' });
    expect([first.changed.length, first.next !== undefined]).toEqual([100, true]);
    const second = await handOver(giver, { userId: taker.id, note: 'Call Ines.', before: first.next });
    expect([second.changed.length, second.next]).toEqual([21, undefined]);
    expect((await taker.alerts('/api/alerts/mine')).length).toBe(121);
    expect((await giver.alerts('/api/alerts/mine')).map(({ status }) => status)).toEqual(['completed']);
    expect((await historyOf(ids[0] ?? '')).at(-1)).toMatchObject({
      action: 'handed_over',
      userDisplayName: 'Gina',
      assigneeName: 'Tom',
      note: 'Call Ines.',
    });
    await expect.poll(() => noticesOf(live).length).toBe(1);
    expect(noticesOf(live)[0]).toMatchObject({
      kind: 'handed_over',
      alerts: 121,
      byName: 'Gina',
      text: 'Call Ines.',
      alertTitle: null,
    });
    expect(
      (await handOver(giver, { userId: taker.id, isWithQueue: false, folderIds: [folderId] })).changed,
    ).toMatchObject([{ folderId }]);
    live.socket.close();
  });

  test('snoozed alerts go, too, and keep their time; those of the disabled return awake', async () => {
    const giver = await server.signedIn();
    const taker = await server.signedIn();
    const id = await owned(giver, 'in-progress');
    await giver.send('POST', `/api/alerts/${id}/snooze`, { minutes: 60 });
    const { snoozedUntil } = await read(giver, id);
    const counts = handOverCountsSchema.parse(await (await giver.get('/api/alerts/hand-over')).json());
    expect(counts).toMatchObject([{ status: 'in-progress', isSnoozed: true, alerts: 1 }]);
    const { changed } = await handOver(giver, { userId: taker.id, status: 'in-progress' });
    expect(changed).toEqual([{ id, version: 5, status: 'in-progress', snoozedUntil, ownerId: giver.id }]);
    expect(await read(taker, id)).toMatchObject({ status: 'in-progress', snoozedUntil, ownerId: taker.id });
    await admin.send('PATCH', `/api/auth/users/${taker.id}/toggle-active`);
    await expect.poll(() => read(admin, id).then(({ status }) => status)).toBe('pending');
    expect((await read(admin, id)).snoozedUntil).toBeUndefined();
  });

  test('goes to nobody who is the same or disabled, and no request may name nothing', async () => {
    const giver = await server.signedIn();
    const disabled = await server.addUser({ isActive: false });
    const post = async (body: object) => (await giver.send('POST', '/api/alerts/hand-over', body)).status;
    expect(await post({ userId: giver.id })).toBe(409);
    expect(await post({ userId: disabled.id })).toBe(422);
    expect(await post({ userId: ben.id, isWithQueue: false })).toBe(422);
  });

  test('people are named with their open alerts, fewest first, without the disabled, and who is online', async () => {
    const busy = await server.signedIn({ displayName: 'Busy' });
    const idle = await server.signedIn({ displayName: 'Idle' });
    const disabled = await server.addUser({ isActive: false });
    await owned(busy);
    const live = await listenLive(idle);
    const people = colleaguesSchema.parse(await (await anna.get('/api/people')).json());
    const byId = new Map(people.map((person) => [person.id, person]));
    expect(byId.get(busy.id)).toMatchObject({ openAlerts: 1, isOnline: false });
    expect(byId.get(idle.id)).toMatchObject({ openAlerts: 0, isOnline: true });
    expect(byId.has(disabled.id)).toBe(false);
    expect(people.map(({ openAlerts }) => openAlerts)).toEqual(
      people.map(({ openAlerts }) => openAlerts).toSorted((one, other) => one - other),
    );
    live.socket.close();
  });
});

describe('live', () => {
  test('everybody learns whose it is, and each person is notified once of what concerns them', async () => {
    const [free, own] = [await pending(), await owned(ben)];
    const live = { anna: await listenLive(anna), ben: await listenLive(ben), cleo: await listenLive(cleo) };
    await assign(anna, free, cleo);
    await assign(admin, own, cleo);
    for (const client of Object.values(live)) {
      await expect.poll(() => changes(client).length).toBe(2);
      expect(changes(client)).toMatchObject([
        { change: 'accepted', alertIds: [free], ownerId: cleo.id, assignment: { kind: 'assigned', byName: 'Anna' } },
        { change: 'assigned', alertIds: [own], ownerId: cleo.id, assignment: { kind: 'assigned', byName: 'Ada' } },
      ]);
    }
    await expect.poll(() => noticesOf(live.cleo).length).toBe(2);
    await expect.poll(() => noticesOf(live.ben).length).toBe(1);
    expect(noticesOf(live.ben)).toMatchObject([{ kind: 'reassigned', alertId: own, byName: 'Ada', toName: 'Cleo' }]);
    // Each is of its own moment, and these may end in another order.
    for (const notice of [
      { kind: 'assigned', alertId: free, alertTitle: 'Disk full', byName: 'Anna' },
      { kind: 'assigned', alertId: own, byName: 'Ada' },
    ])
      expect(noticesOf(live.cleo)).toContainEqual(expect.objectContaining(notice));
    expect(noticesOf(live.anna)).toEqual([]);

    // What is taken back at once concerns nobody.
    const taken = await pending();
    await assign(anna, taken, cleo);
    await anna.send('POST', `/api/alerts/${taken}/unaccept`);
    const later = await pending();
    await assign(ben, later, cleo);
    await expect.poll(() => noticesOf(live.cleo).length).toBe(3);
    expect(noticesOf(live.cleo)[2]).toMatchObject({ alertId: later });
    for (const { socket } of Object.values(live)) socket.close();
  });
});
