import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { CLOSE_SESSION_ENDED, type LiveEvent } from '#backend/contract/live-event.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { TESTS_PER_MINUTE } from '#backend/outgoing/push/test-message.ts';
import { PER_ACCOUNT_AND_NETWORK } from '#backend/identity/users/sign-in-throttle.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import { type PushService, startPushService } from '#tests/support/push-service.ts';
import { mention, noticesOf } from '#tests/support/notice-calls.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** How soon a page on the other server is closed, in milliseconds: on a busy machine at once takes seconds. */
const CLOSED_MS = 10_000;

let redis: TestRedis;
let service: PushService;
let one: TestServer;
let other: TestServer;

/** The same signed-in member, on another server. */
function onServer(server: TestServer, member: TestClient): TestClient {
  const same = new TestClient(server.url);
  for (const [name, value] of member.cookies) same.cookies.set(name, value);
  return same;
}

const post = (server: TestServer, key: string, body: object = { title: 'Disk full', customer: 'Nordwind' }) =>
  fetch(`${server.url}/webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Auth': key },
    body: JSON.stringify(body),
  });
const postedId = async (server: TestServer, key: string, body?: object): Promise<string> =>
  ((await (await post(server, key, body)).json()) as { id: string }).id;
const typesOf = ({ events }: LiveClient, type: LiveEvent['type']) => events.filter((event) => event.type === type);

/** Alerts of other servers whose time to this server's pages was measured. */
const fromElsewhere = async (server: TestServer) => {
  const metrics = await (await server.anonymous().get('/metrics')).text();
  return metricValue(metrics, 'alertdesk_live_delivery_seconds_count{origin="elsewhere"}') ?? 0;
};

/** Whether a server shares through Redis, and how many servers it knows. */
const sharing = async (server: TestServer) => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return `${metricValue(metrics, 'alertdesk_cluster_redis_connected')} ${metricValue(metrics, 'alertdesk_cluster_servers')}`;
};

describe.skipIf(!hasCluster)('two servers that share a Redis', () => {
  beforeAll(async () => {
    [redis, service] = await Promise.all([startRedis(), startPushService()]);
    const limits = { recipientsMs: 10, windowMs: 10, gatherMs: 100 };
    one = await startTestServer({ REDIS_URL: redis.url }, { push: { ...service.parts, limits } });
    other = await one.startSecond();
  });
  afterAll(async () => {
    await other?.stop();
    await one?.destroy();
    await Promise.all([redis?.stop(), service?.close()]);
  });

  test('a new alert reaches pages of both with every digit, and its acceptance too', async () => {
    const [key, anna, ben] = await Promise.all([one.addApiKey('Digits'), one.signedIn(), other.signedIn()]);
    const [here, there] = await Promise.all([listenLive(anna), listenLive(ben)]);
    await expect.poll(() => post(other, key).then(({ status }) => status)).toBe(202);
    const response = await fetch(`${one.url}/webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Webhook-Auth': key },
      body: '{ "title": "Läuft heiß 🔥", "serial": 12345678901234567890 }',
    });
    const { id } = (await response.json()) as { id: string };
    const isIt = (event: LiveEvent) => event.type === 'new_alert' && event.alert.id === id;
    await expect.poll(() => there.events.some(isIt)).toBe(true);
    expect(there.events.find(isIt)).toEqual(here.events.find(isIt));
    expect(await (await ben.get(`/api/alerts/${id}`)).text()).toContain('"serial": 12345678901234567890');

    expect((await ben.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
    await expect.poll(() => typesOf(here, 'alert_accepted')).toMatchObject([{ alertId: id }]);
    for (const { socket } of [here, there]) socket.terminate();
  });

  test('the time from a webhook to a page of the other server has both servers’ parts and the trip between', async () => {
    const [key, ben] = await Promise.all([one.addApiKey('Timed'), other.signedIn()]);
    const { socket } = await listenLive(ben);
    const [atOne, atOther] = [await fromElsewhere(one), await fromElsewhere(other)];
    await postedId(one, key);
    await expect.poll(() => fromElsewhere(other)).toBe(atOther + 1);
    expect(await fromElsewhere(one)).toBe(atOne);
    socket.terminate();
  });

  test('a source that is made, renamed, paused or deleted is so on both', async () => {
    const admin = await one.signedIn({ role: 'admin' });
    const made = sourceWithSecretsSchema.parse(
      await (await admin.send('POST', '/api/sources', { name: 'Crossing' })).json(),
    );
    const key = made.plain.key ?? '';
    const path = `/api/sources/${made.source.id}`;
    // The other server has not heard of it, and looks.
    expect((await onServer(other, admin).get(path)).status).toBe(200);
    expect((await post(other, await one.addApiKey('Just made'))).status).toBe(202);
    expect((await post(other, key)).status).toBe(202);
    expect((await admin.send('PATCH', path, { name: 'Crossed' })).status).toBe(200);
    const nameNow = async () => {
      const id = await postedId(other, key);
      return ((await (await admin.get(`/api/alerts/${id}`)).json()) as { sourceName: string }).sourceName;
    };
    await expect.poll(nameNow).toBe('Crossed');
    expect((await admin.send('DELETE', path)).status).toBe(204);
    await expect.poll(() => post(other, key).then(({ status }) => status)).toBe(401);
  });

  test.each([
    ['disabled', 'PATCH', 'toggle-active', undefined],
    ['given another password', 'POST', 'reset-password', { newPassword: 'another horse' }],
  ])('a member who is %s loses the pages on the other server at once', async (_what, method, call, body) => {
    const [admin, user] = await Promise.all([one.signedIn({ role: 'admin' }), one.addUser()]);
    const member = other.anonymous();
    await member.signIn(user.email, TEST_PASSWORD);
    const { closed } = await listenLive(member);
    const asked = performance.now();
    expect((await admin.send(method, `/api/auth/users/${user.id}/${call}`, body)).status).toBe(200);
    expect(await closed).toBe(CLOSE_SESSION_ENDED);
    expect(performance.now() - asked).toBeLessThan(CLOSED_MS);
  });

  test('who signs out on one server is signed out of the pages of the other', async () => {
    const member = await one.signedIn();
    const { closed } = await listenLive(onServer(other, member));
    expect((await member.send('POST', '/api/auth/logout')).status).toBe(204);
    expect(await closed).toBe(CLOSE_SESSION_ENDED);
  });

  test('a device is notified once, and nothing is taken back whose page listens to the other server', async () => {
    const key = await one.addApiKey('Pushes');
    const [away, there] = await Promise.all([one.signedIn(), one.signedIn()]);
    const devices = [await service.subscribe(away), await service.subscribe(there)] as const;
    const page = await listenLive(onServer(other, there));
    const { id: listener } = (await (await there.get('/api/auth/session')).json()) as { id: string };
    await expect
      .poll(async () => {
        const people = (await (await away.get('/api/people')).json()) as { id: string; isOnline: boolean }[];
        return people.find(({ id }) => id === listener)?.isOnline;
      })
      .toBe(true);
    const id = await postedId(one, key);
    for (const device of devices) {
      await expect.poll(() => device.messages).toMatchObject([{ alertId: id }]);
    }
    // The other server takes back nothing that it did not show.
    await there.send('POST', `/api/alerts/${id}/accept`);
    await expect.poll(() => devices[0].messages).toHaveLength(2);
    expect(devices[0].messages.map(({ type }) => type)).toEqual(['new_alert', 'alert_withdrawn']);
    // Its page takes its notification back.
    expect(devices[1].messages.map(({ type }) => type)).toEqual(['new_alert']);
    page.socket.terminate();
  });

  test('a notice that is made on one server is on pages of the other, and what is read there is read on both', async () => {
    const [anna, ben] = [await one.signedIn(), await other.signedIn()];
    const benAtOne = onServer(one, ben);
    const pages = [await listenLive(ben), await listenLive(benAtOne)];
    await mention({ server: one, admin: anna }, ben);
    for (const page of pages) await expect.poll(() => typesOf(page, 'member_notified').length).toBe(1);
    const [notice] = await noticesOf(ben);
    const ids = [notice?.id];
    const marks = [ben, benAtOne].map((member) => member.send('PATCH', '/api/notices', { ids, isRead: true }));
    const answers = await Promise.all((await Promise.all(marks)).map((answer) => answer.json()));
    expect(answers.flatMap((answer) => (answer as { ids: string[] }).ids)).toEqual(ids);
    for (const page of pages) {
      await expect.poll(() => typesOf(page, 'notices_changed')).toMatchObject([{ noticeIds: ids, isRead: true }]);
      page.socket.terminate();
    }
    expect((await noticesOf(benAtOne))[0]).toHaveProperty('readAt');
  });

  test('a view is counted on the server that is asked', async () => {
    const [key, member] = await Promise.all([one.addApiKey('Counts'), one.signedIn()]);
    const there = onServer(other, member);
    const view = { name: 'Rare', list: 'inbox', search: 'customer:Rarely', sort: 'newest' };
    expect((await member.send('POST', '/api/views', view)).status).toBe(201);
    const count = async () => {
      const views = (await (await there.get('/api/views')).json()) as { name: string; alerts: number | null }[];
      return views.find(({ name }) => name === 'Rare')?.alerts;
    };
    await expect.poll(count).toBe(0);
    await post(one, key, { title: 'Seldom', customer: 'Rarely' });
    await expect.poll(count).toBe(1);
  });

  test('wrong passwords are counted by both together', async () => {
    const user = await one.addUser();
    const attempt = async (server: TestServer, password: string) => {
      const client = server.anonymous();
      return (await client.send('POST', '/api/auth/login', { email: user.email, password })).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count <= PER_ACCOUNT_AND_NETWORK; count += 1) {
      statuses.push(await attempt(count % 2 === 0 ? one : other, 'a guess'));
    }
    expect(statuses).toEqual([...Array.from({ length: PER_ACCOUNT_AND_NETWORK }, () => 401), 429]);
    expect(await attempt(other, TEST_PASSWORD)).toBe(429);
    const third = await one.startSecond();
    // Also by one that has only just started.
    expect(await attempt(third, TEST_PASSWORD)).toBe(429);
    await third.stop();
  });

  test('who looks at an alert is shown on the other, and is gone when they leave', async () => {
    const [key, jonas, maya] = await Promise.all([one.addApiKey('Looking'), one.signedIn(), other.signedIn()]);
    const [his, hers] = await Promise.all([listenLive(jonas), listenLive(maya)]);
    const alertId = await postedId(one, key);
    const lookers = () => {
      const last = hers.events.findLast((event) => event.type === 'looking_changed' && event.alertId === alertId);
      return last?.type === 'looking_changed' && last.people.map(({ id }) => id);
    };
    his.socket.send(JSON.stringify({ type: 'looking', alertId }));
    await expect.poll(lookers).toEqual([jonas.id]);
    his.socket.terminate();
    await expect.poll(lookers).toEqual([]);
    hers.socket.close();
  });

  test('an API token that is revoked on one is refused by the other at once', async () => {
    const member = await one.signedIn();
    const body = { name: 'Script', scope: 'read', expiresInDays: null };
    const made = createdApiTokenSchema.parse(await (await member.send('POST', '/api/auth/tokens', body)).json());
    const ask = () => fetch(`${other.url}/api/folders`, { headers: { Authorization: `Bearer ${made.plainToken}` } });
    expect((await ask()).status).toBe(200);
    await member.send('DELETE', `/api/auth/tokens/${made.id}`);
    expect((await ask()).status).toBe(401);
  });

  test('an API token of a member who has to have a second step is refused by the other at once', async () => {
    const member = await one.signedIn();
    const body = { name: 'Script', scope: 'read', expiresInDays: null };
    const made = createdApiTokenSchema.parse(await (await member.send('POST', '/api/auth/tokens', body)).json());
    const ask = () => fetch(`${other.url}/api/folders`, { headers: { Authorization: `Bearer ${made.plainToken}` } });
    for (const [requiredFor, status] of [
      ['everybody', 403],
      ['nobody', 200],
    ] as const) {
      await one.database.transaction((tx) => writeRule(tx, { requiredFor }));
      expect((await ask()).status).toBe(status);
    }
  });

  test('messages that try a device are counted by both together', async () => {
    const member = await one.signedIn();
    const device = await service.subscribe(member);
    const statuses: number[] = [];
    for (let count = 0; count <= TESTS_PER_MINUTE; count += 1) {
      const client = onServer(count % 2 === 0 ? one : other, member);
      statuses.push((await client.send('POST', '/api/push/test', { endpoint: device.endpoint })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: TESTS_PER_MINUTE }, () => 200), 429]);
  });

  test('a view that one server counts has its number on pages of the other, also when the first one leaves', async () => {
    const key = await one.addApiKey('Counted');
    const third = await one.startSecond();
    // It hears of the others within a second, and they of it.
    await expect.poll(() => Promise.all([one, other, third].map(sharing))).toEqual(['1 3', '1 3', '1 3']);
    const member = await one.signedIn();
    const page = await listenLive(onServer(other, member));
    const atThird = onServer(third, member);
    const view = { name: 'Rare words', list: 'inbox', search: 'unheard-of', sort: 'newest' };
    const { id } = (await (await atThird.send('POST', '/api/views', view)).json()) as { id: string };
    await atThird.get('/api/views');
    const number = () => typesOf(page, 'view_counted').findLast((event) => 'viewId' in event && event.viewId === id);
    await expect.poll(number).toMatchObject({ alerts: 0 });
    await postedId(other, key, { title: 'Unheard-of trouble' });
    await expect.poll(number).toMatchObject({ alerts: 1 });

    const asked = typesOf(page, 'views_changed').length;
    await third.stop();
    // The page asks again, and whichever server answers counts from now on.
    await expect.poll(() => typesOf(page, 'views_changed').length).toBeGreaterThan(asked);
    page.socket.terminate();
  });

  test('metrics say that Redis is connected, and how many servers there are', async () => {
    await expect.poll(() => sharing(one)).toBe('1 2');
  });
});
