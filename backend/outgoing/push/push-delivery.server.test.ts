import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { alertListSchema } from '#backend/contract/alert.ts';
import { customerSchema } from '#backend/contract/mute.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import { PushSubscriptionEntity } from './push-subscriptions.ts';
import { SESSION_LIFETIME_MS } from '#backend/identity/sessions/session-rules.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let service: PushService;
let server: TestServer;
let key: string;
let anna: TestClient;
let outcomes: PushOutcome[];
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());
const start = async (windowMs: number) => {
  outcomes = [];
  server = await startTestServer(
    { ADMIN_EMAIL: 'boss@example.com' },
    { push: { ...service.parts, limits: { recipientsMs: 20, windowMs }, onOutcome: (one) => outcomes.push(one) } },
  );
  key = await server.addApiKey();
  anna = await server.signedIn();
};
beforeEach(() => start(100));
afterEach(async () => {
  await server.destroy();
  service.expectNoFaults();
});

const idsOf = (device: Device) => device.messages.map((one) => (one.type === 'new_alert' ? one.alertId : one.type));
const expectSent = async (device: Device, ids: string[]) => {
  await expect.poll(() => idsOf(device)).toEqual(ids);
};
const post = async (customer: string, type: string) => (await anna.postAlert(key, { customer, type })).id;
const countAlerts = (messages: PushMessage[]) =>
  messages.reduce((sum, message) => sum + ('count' in message ? message.count : 1), 0);

test('a new alert is sent to a device, encrypted for it and signed for its push service', async () => {
  const device = await service.subscribe(anna);
  const { id } = await anna.postAlert(key, {
    customer: 'Harbor & Finch',
    type: 'order.payment_failed',
    amount: 'secret',
  });
  await expectSent(device, [id]);
  const [push] = device.received;
  expect(push?.message).toEqual({
    type: 'new_alert',
    alertId: id,
    title: 'New alert received: order.payment_failed',
    body: 'Alert from Harbor & Finch',
    tag: id.replaceAll('-', ''),
    url: `/alert/${id}`,
  });
  expect(push?.headers).toMatchObject({ ttl: '86400', urgency: 'high', topic: id.replaceAll('-', '') });
  expect(push?.subject).toBe('mailto:boss@example.com');
  const answered = await (await anna.get('/api/push/vapid-public-key')).json();
  expect(answered).toEqual({ publicKey: push?.publicKey });
  await expect.poll(() => outcomes).toEqual(['sent']);
  const metrics = await (await anna.get('/metrics')).text();
  expect(metricValue(metrics, 'alertdesk_push_messages_total{outcome="sent"}')).toBe(1);
});

test('every device of every member is notified once, over few connections', async () => {
  const before = service.connections;
  const ben = await server.signedIn();
  const devices = [
    await service.subscribe(anna),
    await service.subscribe(anna),
    await service.subscribe(ben),
    await service.subscribe(await server.signedIn({ role: 'super_user' })),
  ];
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await anna.postAlert(key)).id);
    for (const device of devices) await expectSent(device, ids);
  }
  expect(service.connections - before).toBeLessThanOrEqual(devices.length);
});

test('the time of the last success is kept', async () => {
  const device = await service.subscribe(anna);
  await anna.postAlert(key);
  const lastSuccess = async () =>
    (await server.database.reads.getRepository(PushSubscriptionEntity).findBy({ userId: anna.id }))[0]?.lastSuccessAt;
  await expect.poll(async () => Date.now() - ((await lastSuccess()) ?? 0)).toBeLessThan(60_000);
  expect(device.received).toHaveLength(1);
});

test('the key pair is the same after a restart', async () => {
  const device = await service.subscribe(anna);
  const first = await anna.postAlert(key);
  await expectSent(device, [first.id]);
  server = await server.restart();
  const second = await server.anonymous().postAlert(key);
  await expectSent(device, [first.id, second.id]);
  expect(device.received[1]?.publicKey).toBe(device.received[0]?.publicKey);
});

describe('who is notified', () => {
  test('nobody who muted the customer or the type, from the next alert on', async () => {
    const [annas, bens] = [await service.subscribe(anna), await service.subscribe(await server.signedIn())];
    const first = await post('Nordwind', 'disk.full');
    await expectSent(annas, [first]);

    const customers = z.array(customerSchema).parse(await (await anna.get('/api/customers')).json());
    const customerId = customers.find(({ name }) => name === 'Nordwind')?.id;
    await anna.send('POST', '/api/customer-mutes', { customerId });
    await anna.send('POST', '/api/alert-types/mutes', { alertType: 'disk.full' });
    const mutedCustomer = await post('Nordwind', 'order.failed');
    await expectSent(bens, [first, mutedCustomer]);
    const mutedType = await post('Atlas', 'disk.full');
    await expectSent(bens, [first, mutedCustomer, mutedType]);
    const neither = await post('Atlas', 'order.failed');
    await expectSent(bens, [first, mutedCustomer, mutedType, neither]);
    await expectSent(annas, [first, neither]);

    await anna.send('DELETE', `/api/customer-mutes/${customerId}`);
    const again = await post('Nordwind', 'order.failed');
    await expectSent(annas, [first, neither, again]);
  });

  test('nobody who muted the source', async () => {
    const other = await server.addApiKey();
    const [annas, bens] = [await service.subscribe(anna), await service.subscribe(await server.signedIn())];
    const first = await post('Atlas', 'order.failed');
    await expectSent(annas, [first]);
    const [alert] = alertListSchema.parse(await (await anna.get('/api/alerts/inbox?limit=1')).json());
    await anna.send('POST', '/api/source-mutes', { sourceId: alert?.sourceId });
    const muted = await post('Atlas', 'order.failed');
    await expectSent(bens, [first, muted]);
    const { id: heard } = await anna.postAlert(other, { customer: 'Atlas' });
    await expectSent(annas, [first, heard]);
  });

  test('nobody who is disabled, signed out, or has not come back for a week', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const [disabled, elsewhere, signedOut, away] = [
      await server.signedIn(),
      await server.signedIn(),
      await server.signedIn(),
      await server.signedIn(),
    ];
    const silent = [disabled, elsewhere, signedOut, away].map((member) => service.subscribe(member));
    const quiet = await Promise.all(silent);
    const control = await service.subscribe(anna);
    const first = await anna.postAlert(key);
    for (const device of [...quiet, control]) await expectSent(device, [first.id]);

    await admin.send('PATCH', `/api/auth/users/${disabled.id}/toggle-active`);
    await signedOut.send('POST', '/api/auth/logout');
    await server.database.transaction(async (tx) => {
      // As the command line does it: no event reaches this process.
      await tx.query('UPDATE users SET is_active = ? WHERE id = ?', [0, elsewhere.id]);
      await tx
        .getRepository(SessionEntity)
        .update({ userId: away.id }, { lastSeenAt: Date.now() - SESSION_LIFETIME_MS - 1 });
    });
    const [second, third] = [await anna.postAlert(key), await anna.postAlert(key)];
    await expectSent(control, [first.id, second.id, third.id]);
    const fourth = await anna.postAlert(key);
    await expectSent(control, [first.id, second.id, third.id, fourth.id]);
    for (const device of quiet) expect(idsOf(device)).toEqual([first.id]);
  });

  test('no session whose member has to set up a second step, until none is required any more', async () => {
    const ben = await server.signedIn();
    await addTotp(server, ben);
    const [device, control] = [await service.subscribe(anna), await service.subscribe(ben)];
    const ids = [(await anna.postAlert(key)).id];
    await expectSent(device, ids);
    await server.database.transaction((tx) => writeRule(tx, { requiredFor: 'everybody' }));
    for (let count = 0; count < 2; count += 1) {
      ids.push((await ben.postAlert(key)).id);
      await expectSent(control, ids);
    }
    expect(idsOf(device)).toEqual(ids.slice(0, 1));
    await server.database.transaction((tx) => writeRule(tx, { requiredFor: 'nobody' }));
    const { id } = await anna.postAlert(key);
    await expectSent(control, [...ids, id]);
    await anna.postAlert(key);
    await expect.poll(() => device.received.length).toBeGreaterThan(1);
  });

  test('no device that ended its subscription', async () => {
    const [ended, kept] = [await service.subscribe(anna), await service.subscribe(anna)];
    await anna.send('DELETE', '/api/push/subscribe', { endpoint: ended.endpoint });
    const ids = [(await anna.postAlert(key)).id];
    await expectSent(kept, ids);
    ids.push((await anna.postAlert(key)).id);
    await expectSent(kept, ids);
    expect(ended.received).toEqual([]);
  });
});

test('a storm is sent in few messages that count every alert', async () => {
  await server.destroy();
  // So long that a machine that takes its time with the storm fills few of them.
  await start(1_000);
  const [device, other] = [await service.subscribe(anna), await service.subscribe(await server.signedIn())];
  const storm = 400;
  await Promise.all(Array.from({ length: storm }, (_, index) => anna.postAlert(key, { customer: `C${index % 7}` })));
  for (const one of [device, other]) {
    await expect.poll(() => countAlerts(one.messages)).toBe(storm);
    expect(one.messages.length).toBeLessThan(storm / 4);
    const counts = one.received.filter(({ message }) => message.type === 'new_alerts');
    expect(counts.length).toBeGreaterThan(0);
    for (const { headers, message } of counts) {
      expect([headers['topic'], message.tag]).toEqual(['new-alerts', 'new-alerts']);
      expect(message.body).toMatch(/^\d+ new alerts from (?:C\d|\d customers)$/);
    }
  }
  expect(outcomes).not.toContain('dropped');
});
