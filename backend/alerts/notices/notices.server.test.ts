import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sweep } from '#backend/transfer/retention/retention.ts';
import { MAX_MARKED_NOTICES, markedNoticesSchema, unreadNoticesSchema } from '#backend/contract/notice.ts';
import { noteSchema } from '#backend/contract/note.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { expectNotices, mention, noticesOf } from '#tests/support/notice-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { NoticeEntity, notifyMembers, pruneNotices } from './notice.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna Ashby' });
  admin = await server.signedIn({ role: 'admin', displayName: 'Ines Costa' });
});
afterAll(() => server.destroy());
beforeEach(async () => {
  ben = await server.signedIn({ displayName: 'Ben Okafor' });
});

const DAY_MS = 24 * 60 * 60 * 1000;
const inThreeDays = () => Date.now() + 3 * DAY_MS;

const newAlert = async (): Promise<string> => {
  const [id = ''] = await insertAlerts(server.database, [
    { title: 'Disk full', customer: 'Nordwind', severity: 'high' },
  ]);
  return id;
};
const mentionBen = (text?: string) => mention({ server, admin: anna }, ben, text);
const assignTo = (member: TestClient, by: TestClient, id: string) =>
  by.send('POST', `/api/alerts/${id}/assign`, { userId: member.id });
const unreadOf = async (member: TestClient) =>
  unreadNoticesSchema.parse(await (await member.get('/api/notices/unread')).json());
const mark = async (member: TestClient, ids: string[], isRead: boolean) =>
  markedNoticesSchema.parse(await (await member.send('PATCH', '/api/notices', { ids, isRead })).json());
const readAll = async (member: TestClient, upTo: string, only?: string) =>
  markedNoticesSchema.parse(await (await member.send('POST', '/api/notices/read-all', { upTo, only })).json());
const idsOf = (notices: readonly { id: string }[]) => notices.map(({ id }) => id);

describe('a notice', () => {
  test('of a mention is there for who was signed out, with what it is about', async () => {
    const away = await server.addUser();
    const id = await newAlert();
    await anna.send('POST', `/api/alerts/${id}/notes`, { text: 'Same as Tuesday', mentions: [away.id, ben.id] });
    const back = server.anonymous();
    await back.signIn(away.email, 'correct horse');
    const [notice] = await noticesOf(back);
    expect(notice).toMatchObject({
      kind: 'mentioned',
      byName: 'Anna Ashby',
      text: 'Same as Tuesday',
      alerts: 1,
      wasSignedOut: true,
      alert: { id, title: 'Disk full', customer: 'Nordwind', severity: 'high', state: 'event', access: 'visible' },
    });
    expect(notice).not.toHaveProperty('readAt');
    expect((await noticesOf(ben))[0]).toMatchObject({ wasSignedOut: false });
    expect(await noticesOf(anna)).toEqual([]);
  });

  test('of a hand-over is one for all of it, and the owner before is notified of what an administrator gives away', async () => {
    const cleo = await server.signedIn({ displayName: 'Cleo Brandt' });
    const ids = [await newAlert(), await newAlert(), await newAlert()];
    await ben.send('POST', '/api/alerts/bulk', { action: 'accept', ids });
    await ben.send('POST', '/api/alerts/hand-over', { userId: cleo.id, note: 'Quiet evening.' });
    await expectNotices(cleo, 1);
    expect((await noticesOf(cleo))[0]).toMatchObject({
      kind: 'handed_over',
      byName: 'Ben Okafor',
      text: 'Quiet evening.',
      alerts: 3,
      alert: { id: ids.at(-1), title: 'Disk full' },
    });
    await assignTo(ben, admin, ids[0] ?? '');
    await expectNotices(cleo, 2);
    expect((await noticesOf(cleo))[0]).toMatchObject({ kind: 'reassigned', toName: 'Ben Okafor' });
    await expectNotices(ben, 1);
    expect(await unreadOf(cleo)).toEqual({ total: 2, mentions: 0, handOvers: 1, assignments: 1 });
    expect((await noticesOf(cleo, '?only=hand-overs')).map(({ kind }) => kind)).toEqual(['handed_over']);
    expect((await noticesOf(cleo, '?only=assignments')).map(({ kind }) => kind)).toEqual(['reassigned']);
    expect(await noticesOf(cleo, '?only=mentions')).toEqual([]);
  });

  test('of an alert that was given and taken back at once is none', async () => {
    // Both come while notices are gathered, also on a busy machine.
    const own = await startTestServer({}, { noticesGatherMs: 9_000 });
    onTestFinished(() => own.destroy());
    const [giver, taker] = [await own.signedIn(), await own.signedIn()];
    const [id = '', other = ''] = await insertAlerts(own.database, [{}, {}]);
    await assignTo(taker, giver, id);
    await giver.send('POST', `/api/alerts/${id}/unaccept`);
    await assignTo(taker, giver, other);
    await expectNotices(taker, 1);
    expect((await noticesOf(taker))[0]).toMatchObject({ alerts: 1, alert: { id: other } });
  });

  test('stays when its alert is deleted, and says by whom', async () => {
    const id = await mentionBen();
    await admin.send('DELETE', `/api/webhooks/${id}`);
    expect((await noticesOf(ben))[0]).toMatchObject({
      text: 'Look',
      alert: { id, title: 'Disk full', customer: 'Nordwind', access: 'deleted', deletedBy: 'Ines Costa' },
    });
    const old = await mentionBen();
    await anna.send('POST', `/api/alerts/${old}/accept`);
    await anna.send('PATCH', `/api/webhooks/${old}/status`, { status: 'completed' });
    const logger = createLogger('silent');
    await sweep({ database: server.database, logger, days: 1, now: inThreeDays }, AbortSignal.timeout(10_000));
    const [notice] = await noticesOf(ben);
    expect(notice?.alert).toMatchObject({ id: old, access: 'deleted' });
    expect(notice?.alert).not.toHaveProperty('deletedBy');
  });

  test('shows of an alert that is somebody else’s by now what the member was shown then', async () => {
    const id = await mentionBen();
    await anna.send('POST', `/api/alerts/${id}/accept`);
    await server.database.transaction((tx) => tx.query('UPDATE alerts SET title = ? WHERE id = ?', ['Secret', id]));
    const [notice] = await noticesOf(ben);
    expect(notice?.alert).toMatchObject({ title: 'Disk full', access: 'taken', ownerName: 'Anna Ashby' });
  });

  test('says what its note says by now, and nothing of one that its author has deleted', async () => {
    const path = `/api/alerts/${await newAlert()}/notes`;
    const sent = await anna.send('POST', path, { text: 'The password is 1234', mentions: [ben.id] });
    const { id } = noteSchema.parse(await sent.json());
    await anna.send('PATCH', `${path}/${id}`, { text: 'Ask me', mentions: [ben.id] });
    expect((await noticesOf(ben)).map(({ text }) => text)).toEqual(['Ask me']);
    await anna.send('DELETE', `${path}/${id}`);
    expect((await noticesOf(ben)).map(({ text }) => text)).toEqual(['']);
  });

  test('that is dealt with a second time is kept and announced once', async () => {
    const live = await listenLive(ben);
    const notice = {
      id: newId(),
      kind: 'assigned' as const,
      alertId: await newAlert(),
      alertTitle: null,
      byName: 'Anna Ashby',
      text: '',
    };
    const notify = () => server.database.transaction((tx) => notifyMembers(tx, [{ userId: ben.id, notice }]));
    await notify();
    await mark(ben, [notice.id], true);
    await notify();
    await mentionBen('Later');
    await expect.poll(() => live.events.filter(({ type }) => type === 'member_notified').length).toBe(2);
    expect(idsOf(await noticesOf(ben))).toHaveLength(2);
    expect((await noticesOf(ben)).at(-1)).toHaveProperty('readAt');
    live.socket.close();
  });

  test('goes after 30 days', async () => {
    await mentionBen();
    const stopping = AbortSignal.timeout(10_000);
    await pruneNotices(server.database, stopping, Date.now() + 29 * DAY_MS);
    expect(await noticesOf(ben)).toHaveLength(1);
    await pruneNotices(server.database, stopping, Date.now() + 31 * DAY_MS);
    expect(await noticesOf(ben)).toEqual([]);
    expect(await server.database.reads.getRepository(NoticeEntity).count()).toBe(0);
  });
});

describe('reading', () => {
  test('marks on every page of the member, once, and can be taken back', async () => {
    await mentionBen('One');
    await mentionBen('Two');
    const [two = '', one = ''] = idsOf(await noticesOf(ben));
    const pages = [await listenLive(ben), await listenLive(ben)];
    const changes = () =>
      pages.map(({ events }) =>
        events.flatMap((event) => (event.type === 'notices_changed' ? [[event.noticeIds, event.isRead]] : [])),
      );
    expect(await mark(ben, [two], true)).toEqual({ ids: [two], hasMore: false });
    expect(await mark(ben, [two], true)).toEqual({ ids: [], hasMore: false });
    expect(await unreadOf(ben)).toMatchObject({ total: 1, mentions: 1 });
    expect(idsOf(await noticesOf(ben, '?only=unread'))).toEqual([one]);
    expect((await readAll(ben, two)).ids).toEqual([one]);
    expect(await readAll(ben, two)).toEqual({ ids: [], hasMore: false });
    expect((await mark(ben, [one], false)).ids).toEqual([one]);
    expect(idsOf(await noticesOf(ben, '?only=unread'))).toEqual([one]);
    const expected = [
      [[two], true],
      [[one], true],
      [[one], false],
    ];
    await expect.poll(changes).toEqual([expected, expected]);
    for (const { socket } of pages) socket.close();
  });

  test('of all leaves what came after the newest that was seen', async () => {
    await mentionBen('Seen');
    const [seen = ''] = idsOf(await noticesOf(ben));
    await mentionBen('News');
    expect((await readAll(ben, seen)).ids).toEqual([seen]);
    expect(await unreadOf(ben)).toMatchObject({ total: 1 });
  });

  test('of all of a list leaves what other lists have', async () => {
    await assignTo(ben, anna, await newAlert());
    await expectNotices(ben, 1);
    await mentionBen();
    const [mentioned = '', assigned = ''] = idsOf(await noticesOf(ben));
    expect((await readAll(ben, mentioned, 'hand-overs')).ids).toEqual([]);
    expect((await readAll(ben, mentioned, 'mentions')).ids).toEqual([mentioned]);
    expect(await unreadOf(ben)).toMatchObject({ total: 1, assignments: 1 });
    expect((await readAll(ben, mentioned, 'unread')).ids).toEqual([assigned]);
  });

  test('of many goes on where there are more than one call marks', async () => {
    const alertId = await newAlert();
    const notices = Array.from({ length: MAX_MARKED_NOTICES + 1 }, () => ({
      userId: ben.id,
      notice: { id: newId(), kind: 'assigned' as const, alertId, alertTitle: null, byName: 'Anna Ashby', text: '' },
    }));
    await server.database.transaction((tx) => notifyMembers(tx, notices));
    const upTo = notices.at(-1)?.notice.id ?? '';
    const first = await readAll(ben, upTo);
    expect([first.ids.length, first.hasMore]).toEqual([MAX_MARKED_NOTICES, true]);
    const rest = await readAll(ben, upTo);
    expect([rest.ids, rest.hasMore]).toEqual([[notices[0]?.notice.id], false]);
  });

  test('of two tabs at once changes each notice once', async () => {
    await mentionBen();
    const [id = ''] = idsOf(await noticesOf(ben));
    const answers = await Promise.all([mark(ben, [id], true), readAll(ben, id), mark(ben, [id], true)]);
    expect(answers.flatMap(({ ids }) => ids)).toEqual([id]);
  });

  test('is for the member alone: others neither see nor mark a notice, administrators neither', async () => {
    await mentionBen();
    const [id = ''] = idsOf(await noticesOf(ben));
    const others = await Promise.all([listenLive(anna), listenLive(admin)]);
    for (const other of [anna, admin]) {
      expect(idsOf(await noticesOf(other))).not.toContain(id);
      expect((await mark(other, [id], true)).ids).toEqual([]);
      expect((await readAll(other, id)).ids).not.toContain(id);
      expect(await unreadOf(other)).toMatchObject({ total: 0 });
    }
    expect((await noticesOf(ben))[0]).not.toHaveProperty('readAt');
    await mark(ben, [id], true);
    await mention({ server, admin: ben }, anna);
    await mention({ server, admin: ben }, admin);
    for (const { events, socket } of others) {
      await expect.poll(() => events.map(({ type }) => type)).toContain('member_notified');
      expect(JSON.stringify(events)).not.toContain(id);
      socket.close();
    }
  });

  test('of an alert that is opened marks what is about it alone', async () => {
    const id = await mentionBen();
    const other = await newAlert();
    await anna.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [id, other] });
    await anna.send('POST', '/api/alerts/hand-over', { userId: ben.id });
    await expectNotices(ben, 2);
    const answer = await ben.send('PATCH', '/api/notices', { alertId: id, isRead: true });
    expect(markedNoticesSchema.parse(await answer.json()).ids).toHaveLength(1);
    expect(await unreadOf(ben)).toMatchObject({ mentions: 0, handOvers: 1 });
    expect((await ben.send('PATCH', '/api/notices', { alertId: id, isRead: false })).status).toBe(422);
  });

  test('by pages goes on where the page before ended', async () => {
    for (const text of ['One', 'Two', 'Three']) await mentionBen(text);
    const first = await ben.get('/api/notices?limit=2&only=mentions');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    expect(next).toContain('only=mentions');
    const rest = (await (await ben.get(next)).json()) as { text: string }[];
    expect(rest.map(({ text }) => text)).toEqual(['One']);
  });

  test('refuses what is no list of ids', async () => {
    for (const body of [{ ids: [], isRead: true }, { ids: ['x'], isRead: true }, { ids: [newId()] }, {}]) {
      expect((await ben.send('PATCH', '/api/notices', body)).status).toBe(422);
    }
    expect((await ben.send('POST', '/api/notices/read-all', {})).status).toBe(422);
    expect((await ben.get('/api/notices?only=everything')).status).toBe(400);
  });
});

test('a page that was away is sent what was notified and read meanwhile', async () => {
  const { place } = (await (await ben.get('/api/changes')).json()) as { place: string };
  await mentionBen('Missed');
  const [id = ''] = idsOf(await noticesOf(ben));
  await mark(ben, [id], true);
  const answer = await ben.get(`/api/changes?${new URLSearchParams({ since: place })}`);
  const { events } = (await answer.json()) as { events: { type: string }[] };
  expect(events).toContainEqual({ type: 'notices_changed', noticeIds: [id], isRead: true });
  expect(events).toContainEqual(expect.objectContaining({ type: 'member_notified' }));
});
