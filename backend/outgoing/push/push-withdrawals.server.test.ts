import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { completeFromElsewhere } from '#backend/alerts/commands/alert-commands.ts';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

let service: PushService;
let server: TestServer;
let key: string;
/** Anna's desktop, where she works in a page, and her phone, where none is open; Ben's phone. */
let desktop: TestClient;
let ben: TestClient;
let devices: Record<'desktop' | 'phone' | 'bens', Device>;
let outcomes: PushOutcome[];

beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());
beforeEach(async () => {
  outcomes = [];
  // Long enough to undo what was done, on a busy machine too.
  const limits = { recipientsMs: 10, windowMs: 10, gatherMs: 1_500 };
  server = await startTestServer({}, { push: { ...service.parts, limits, onOutcome: (one) => outcomes.push(one) } });
  key = await server.addApiKey();
  const { email } = await server.addUser({ displayName: 'Anna Berg' });
  const phone = server.anonymous();
  desktop = server.anonymous();
  for (const session of [desktop, phone]) await session.signIn(email, TEST_PASSWORD);
  ben = await server.signedIn();
  devices = {
    desktop: await service.subscribe(desktop),
    phone: await service.subscribe(phone),
    bens: await service.subscribe(ben),
  };
  await listenLive(desktop);
});
afterEach(async () => {
  await server.destroy();
  service.expectNoFaults();
});

const wordsOf = ({ messages }: Device) =>
  messages.map((one) =>
    one.type === 'new_alert'
      ? one.alertId
      : one.type === 'alert_withdrawn'
        ? `not ${one.alertIds.join(' ')}`
        : one.type,
  );
const expectSent = async (expected: Record<keyof typeof devices, string[]>) => {
  const now = () => ({ desktop: wordsOf(devices.desktop), phone: wordsOf(devices.phone), bens: wordsOf(devices.bens) });
  await expect.poll(now).toEqual(expected);
};
const takenBack = ({ messages }: Device) =>
  messages.flatMap((one) => (one.type === 'alert_withdrawn' ? one.alertIds : [])).toSorted();
const report = (status: string) => desktop.postAlert(key, { dedup_key: 'disk', status });
const newAlert = async () => (await desktop.postAlert(key)).id;

test('an accepted alert is taken back on every device whose page does not receive it, and stays so', async () => {
  const id = await newAlert();
  await expectSent({ desktop: [id], phone: [id], bens: [id] });
  expect((await desktop.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
  await expectSent({ desktop: [id], phone: [id, `not ${id}`], bens: [id, `not ${id}`] });
  const push = devices.bens.received[1];
  expect(push?.message).toEqual({
    type: 'alert_withdrawn',
    alertIds: [id],
    title: 'Alert accepted',
    body: 'Accepted by Anna Berg',
    tag: id.replaceAll('-', ''),
    url: '/',
  });
  expect(push?.headers).toMatchObject({ ttl: '3600', urgency: 'normal', topic: id.replaceAll('-', '') });
  await expect.poll(() => outcomes.toSorted()).toEqual(['sent', 'sent', 'sent', 'withdrawn', 'withdrawn']);
  const metrics = await (await desktop.get('/metrics')).text();
  expect(metricValue(metrics, 'alertdesk_push_messages_total{outcome="withdrawn"}')).toBe(2);

  // Back in the inbox it is no news.
  await desktop.send('POST', `/api/alerts/${id}/unaccept`);
  const next = await newAlert();
  await expectSent({ desktop: [id, next], phone: [id, `not ${id}`, next], bens: [id, `not ${id}`, next] });
});

test('a morning’s work is taken back in few messages', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    ids.push(await newAlert());
    await expectSent({ desktop: ids, phone: ids, bens: ids });
  }
  await Promise.all(
    ids.map((id, index) =>
      index % 2 ? desktop.send('POST', `/api/alerts/${id}/accept`) : desktop.send('DELETE', `/api/webhooks/${id}`),
    ),
  );
  for (const device of [devices.phone, devices.bens]) {
    await expect.poll(() => takenBack(device)).toEqual(ids.toSorted());
    expect(device.messages.length).toBeLessThanOrEqual(ids.length + 2);
  }
  expect(takenBack(devices.desktop)).toEqual([]);
});

test('an alert that its sender resolves before anybody accepted it is taken back', async () => {
  const { id } = await report('firing');
  await expectSent({ desktop: [id], phone: [id], bens: [id] });
  await report('resolved');
  await expectSent({ desktop: [id], phone: [id, `not ${id}`], bens: [id, `not ${id}`] });
  expect(devices.bens.received[1]?.message).toMatchObject({ title: 'Alert resolved', body: 'Resolved by its sender' });
});

test('an alert whose ticket was closed is taken back', async () => {
  const id = await newAlert();
  await expectSent({ desktop: [id], phone: [id], bens: [id] });
  await server.database.transaction((tx) => completeFromElsewhere(tx, id, 'Jira OPS-1'));
  await expectSent({ desktop: [id], phone: [id, `not ${id}`], bens: [id, `not ${id}`] });
  expect(devices.bens.received[1]?.message).toMatchObject({ title: 'Alert completed', body: 'Nothing is left to do' });
});

const complete = {
  alone: (id: string) => ben.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' }),
  'in bulk': (id: string) => ben.send('POST', '/api/alerts/bulk', { action: 'status', status: 'completed', ids: [id] }),
};

test.each(['alone', 'in bulk'] as const)(
  'that an alert of mine is worse is taken back once I complete it %s',
  async (how) => {
    const { id } = await report('firing');
    await expectSent({ desktop: [id], phone: [id], bens: [id] });
    await ben.send('POST', `/api/alerts/${id}/accept`);
    await expectSent({ desktop: [id], phone: [id, `not ${id}`], bens: [id, `not ${id}`] });
    await desktop.postAlert(key, { dedup_key: 'disk', status: 'firing', severity: 'critical' });
    await expect.poll(() => wordsOf(devices.bens)).toEqual([id, `not ${id}`, id]);
    expect((await complete[how](id)).status).toBe(200);
    await expect.poll(() => wordsOf(devices.bens)).toEqual([id, `not ${id}`, id, `not ${id}`]);
  },
);

test('what a rule assigns as it arrives is pushed to its owner alone, as assigned', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  await makeRule({ admin }, { search: 'customer:Harbor', actions: { assigneeId: ben.id } });
  await desktop.postAlert(key, { customer: 'Harbor' });
  await expect.poll(() => wordsOf(devices.bens)).toEqual(['notice']);
  const next = await newAlert();
  await expectSent({ desktop: [next], phone: [next], bens: ['notice', next] });
});

test('an accept that is undone at once is nobody’s business', async () => {
  const id = await newAlert();
  await expectSent({ desktop: [id], phone: [id], bens: [id] });
  await desktop.send('POST', `/api/alerts/${id}/accept`);
  await desktop.send('POST', `/api/alerts/${id}/unaccept`);
  const next = await newAlert();
  await expectSent({ desktop: [id, next], phone: [id, next], bens: [id, next] });
  await desktop.send('DELETE', `/api/webhooks/${next}`);
  const last = `not ${next}`;
  await expect.poll(() => wordsOf(devices.bens).at(-1)).toBe(last);
  expect(wordsOf(devices.bens)).toEqual([id, next, last]);
});
