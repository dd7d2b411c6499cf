import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { changesSchema } from '#backend/contract/change.ts';
import { CLOSE_SESSION_ENDED, LIVE_PING, type LiveEvent } from '#backend/contract/live-event.ts';
import { MAX_SOCKETS_PER_MEMBER } from './socket-quota.ts';
import { type LiveClient, listenLive, refusedAnswer, refusedStatus } from '#tests/support/live-client.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

const about = (client: LiveClient, id: string) =>
  client.events.filter(
    (event) => ('alertId' in event && event.alertId === id) || ('alert' in event && event.alert.id === id),
  );
const isNew = (event: LiveEvent) => event.type === 'new_alert';
/** What came beside the greeting and new alerts. */
const changesOf = ({ events }: LiveClient) => events.filter(({ type }) => type !== 'hello' && type !== 'new_alert');
const typesAbout = (client: LiveClient, id: string) => about(client, id).map(({ type }) => type);

describe('the upgrade', () => {
  test('is refused without a session', async () => {
    expect(await refusedStatus(server.anonymous(), {})).toBe(401);
    expect(await refusedStatus(server.anonymous(), { Cookie: 'sid=made-up' })).toBe(401);
  });

  test('is refused from a foreign origin, and under a foreign host name', async () => {
    const member = await server.signedIn();
    expect(await refusedStatus(member, { Origin: 'http://evil.example' })).toBe(403);
    expect(await refusedStatus(member, { Host: 'evil.example', Origin: 'http://evil.example' })).toBe(421);
  });

  test('is refused with the headers of every answer, and says when to come again', async () => {
    const own = await startTestServer({ PUBLIC_URL: 'https://alerts.example.com' });
    onTestFinished(() => own.destroy());
    const member = await own.signedIn();
    const ours = { Host: 'alerts.example.com' };
    const tabs = await Promise.all(
      Array.from({ length: MAX_SOCKETS_PER_MEMBER }, () => listenLive(member, '/ws?batch=1')),
    );
    const refused = [
      await refusedAnswer(own.anonymous(), ours),
      await refusedAnswer(member, { ...ours, Origin: 'http://evil.example' }),
      await refusedAnswer(member, { Host: 'evil.example' }),
      await refusedAnswer(member, ours),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 421, 429]);
    for (const { headers } of refused) {
      expect(headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringContaining('max-age=') as string,
      });
    }
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual([undefined, undefined, undefined, '5']);
    for (const { socket } of tabs) socket.terminate();
  });

  test('is refused beyond ten connections of one member', async () => {
    const member = await server.signedIn();
    const tabs = await Promise.all(Array.from({ length: MAX_SOCKETS_PER_MEMBER }, () => listenLive(member)));
    expect(await refusedStatus(member, {})).toBe(429);
    tabs[0]?.socket.close();
    await tabs[0]?.closed;
    await expect
      .poll(() =>
        listenLive(member).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
    for (const { socket } of tabs) socket.terminate();
  });
});

test('who follows the feed is sent the place up to which it knows everything', async () => {
  const member = await server.signedIn();
  const client = await listenLive(member, '/ws?batch=1&places=1');
  const changesSince = async (place: string) =>
    changesSchema.parse(await (await member.get(`/api/changes?since=${place}`)).json());
  const [hello] = client.events;
  const { id } = await member.postAlert(key);
  const places = () => client.events.flatMap((event) => (event.type === 'place' ? [event.place] : []));
  await expect.poll(async () => (await changesSince(places().at(-1) ?? '')).isComplete).toBe(true);
  expect(typesAbout(client, id)).toEqual(['new_alert']);
  expect((await changesSince(places().at(-1) ?? '')).events).toEqual([]);
  const { events } = await changesSince(hello?.type === 'hello' ? (hello.place ?? '') : '');
  expect(events).toMatchObject([{ type: 'alert_updated', alert: { id } }]);
  client.socket.terminate();
});

test('no more than ten connections of one member open when all ask at once', async () => {
  const member = await server.signedIn();
  const asked = await Promise.allSettled(Array.from({ length: 60 }, () => listenLive(member)));
  const open = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const errors = asked.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []));
  expect(open).toHaveLength(MAX_SOCKETS_PER_MEMBER);
  expect(new Set(errors)).toEqual(new Set(['Error: Unexpected server response: 429']));
  for (const { socket } of open) socket.terminate();
});

test('greets with the version and the number of alerts in the inbox', async () => {
  const member = await server.signedIn();
  await member.postAlert(key);
  const [hello] = (await listenLive(member)).events;
  const inboxCount = (await member.alerts('/api/alerts/inbox')).length;
  expect(hello).toEqual({ type: 'hello', version: '1.0.3', inboxCount, place: expect.any(String), userId: member.id });
});

test('notifies everybody of what happens in the inbox, in order, after it is stored', async () => {
  const [anna, ben] = [await server.signedIn({ displayName: 'Anna' }), await server.signedIn()];
  const live = await listenLive(ben);
  const { id } = await ben.postAlert(key, '{"customer":"Nordwind","order":900719925474099312345}');
  await anna.send('POST', `/api/alerts/${id}/accept`);
  await anna.send('POST', `/api/alerts/${id}/unaccept`);
  await ben.send('DELETE', `/api/webhooks/${id}`);
  await expect
    .poll(() => typesAbout(live, id))
    .toEqual(['new_alert', 'alert_accepted', 'alert_unaccepted', 'alert_deleted']);
  expect(about(live, id)[1]).toEqual({
    type: 'alert_accepted',
    alertId: id,
    ownerId: anna.id,
    ownerName: 'Anna',
    version: 2,
  });
  expect(about(live, id)[0]).toMatchObject({ alert: { customer: 'Nordwind', status: 'pending' } });
});

test('sends changes of an accepted alert to its owner and to those who see everything', async () => {
  const [owner, other, admin] = [
    await server.signedIn(),
    await server.signedIn(),
    await server.signedIn({ role: 'admin' }),
  ];
  const [atOwner, atOther, atAdmin] = await Promise.all([listenLive(owner), listenLive(other), listenLive(admin)]);
  const { id } = await owner.postAlert(key);
  await owner.send('POST', `/api/alerts/${id}/accept`);
  await owner.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  // What follows is sent to everybody, so whoever received it would have received the change before.
  const { id: last } = await owner.postAlert(key);
  for (const client of [atOwner, atOther, atAdmin])
    await expect.poll(() => typesAbout(client, last)).toEqual(['new_alert']);
  expect(typesAbout(atOwner, id)).toEqual(['new_alert', 'alert_accepted', 'alert_updated']);
  expect(typesAbout(atAdmin, id)).toEqual(['new_alert', 'alert_accepted', 'alert_updated']);
  expect(typesAbout(atOther, id)).toEqual(['new_alert', 'alert_accepted']);
});

test('sends one event per frame, or arrays of them to who asks', async () => {
  const member = await server.signedIn();
  const [single, batched] = [await listenLive(member, '/ws'), await listenLive(member)];
  const receipts = await Promise.all(Array.from({ length: 50 }, () => member.postAlert(key)));
  for (const client of [single, batched]) {
    await expect.poll(() => client.events.filter(isNew).length).toBe(50);
    expect(new Set(client.events.filter(isNew).map((event) => 'alert' in event && event.alert.id))).toEqual(
      new Set(receipts.map(({ id }) => id)),
    );
  }
  expect(single.frames.every((frame) => !Array.isArray(frame))).toBe(true);
  expect(batched.frames.every((frame) => Array.isArray(frame))).toBe(true);
  expect(batched.frames.length).toBeLessThan(single.frames.length);
});

test('ends with the session', async () => {
  const member = await server.signedIn();
  const live = await listenLive(member);
  const other = await listenLive(await server.signedIn());
  await member.send('POST', '/api/auth/logout');
  expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
  expect(other.socket.readyState).toBe(other.socket.OPEN);
});

test('a folder of 3,000 alerts is deleted in one event, which hurts no listening administrator', async () => {
  const owner = await server.signedIn();
  const [atAdmin, atOwner, atOther] = [
    await listenLive(await server.signedIn({ role: 'admin' })),
    await listenLive(owner),
    await listenLive(await server.signedIn()),
  ];
  const folder = (await (
    await owner.send('POST', '/api/folders', { name: 'Full', color: 'red', icon: 'folder', order: 0 })
  ).json()) as { id: string };
  const payload = JSON.stringify({ text: 'x'.repeat(1000) });
  await insertAlerts(
    server.database,
    Array.from({ length: 3000 }, () => ({
      status: 'accepted' as const,
      ownerId: owner.id,
      folderId: folder.id,
      payload,
    })),
  );
  expect((await owner.send('DELETE', `/api/folders/${folder.id}`)).status).toBe(204);
  const changed = { type: 'lists_changed', lists: ['mine', 'folder', 'all'], ownerId: owner.id };
  const { id: last } = await owner.postAlert(key);
  for (const client of [atAdmin, atOwner, atOther])
    await expect.poll(() => typesAbout(client, last)).toEqual(['new_alert']);
  // A large folder is emptied in steps, after the answer.
  const mine = async () => (await owner.get('/api/alerts/mine?limit=1')).headers.get('X-Total-Count');
  await expect.poll(mine).toBe('3000');
  // What the source's delivery log reports to administrators comes when it has been written, here or later.
  expect(changesOf(atAdmin).filter(({ type }) => type !== 'source_changed')).toEqual([changed]);
  // The first one is that the folder was made.
  expect(changesOf(atOwner)).toEqual([{ type: 'folders_changed' }, changed, { type: 'folders_changed' }]);
  expect(changesOf(atOther)).toEqual([]);
});

test('says goodbye when the server stops', async () => {
  const own = await startTestServer();
  const live = await listenLive(await own.signedIn());
  await own.destroy();
  expect(await live.closed).toBe(1001);
});

test.each([
  ['/ws', { type: 'pong' }],
  ['/ws?batch=1', [{ type: 'pong' }]],
])('a ping over %s is answered, to who asks alone', async (path, pong) => {
  const member = await server.signedIn();
  const [asking, silent] = await Promise.all([listenLive(member, path), listenLive(member, path)]);
  asking.socket.send(LIVE_PING);
  asking.socket.send('{"type":"something else"}');
  asking.socket.send(LIVE_PING);
  await expect.poll(() => asking.frames.slice(1)).toEqual([pong, pong]);
  expect(silent.frames.slice(1)).toEqual([]);
  for (const { socket } of [asking, silent]) socket.terminate();
});
