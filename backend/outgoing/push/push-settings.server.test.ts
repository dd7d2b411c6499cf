import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { customerSchema } from '#backend/contract/mute.ts';
import { WEEKDAYS } from '#backend/contract/notification-settings.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';

const ALWAYS = { isOn: true, days: WEEKDAYS, from: '00:00', to: '00:00', timeZone: 'Europe/Berlin' };
const IN_AN_HOUR = () => new Date(Date.now() + 60 * 60_000).toISOString();

let service: PushService;
let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;
/** Each has two, and each device a session of its own. */
let annas: Device[];
let bens: Device[];

beforeAll(async () => {
  service = await startPushService();
  server = await startTestServer({}, { push: { ...service.parts, limits: { recipientsMs: 10, windowMs: 1 } } });
  key = await server.addApiKey();
  const devices: Device[][] = [];
  const members: TestClient[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { email } = await server.addUser();
    const sessions = [server.anonymous(), server.anonymous()];
    for (const session of sessions) await session.signIn(email, TEST_PASSWORD);
    devices.push(await Promise.all(sessions.map((session) => service.subscribe(session))));
    members.push(...sessions.slice(0, 1));
  }
  [anna, ben] = members as [TestClient, TestClient];
  [annas, bens] = devices as [Device[], Device[]];
});
afterAll(async () => {
  await server.destroy();
  await service.close();
  service.expectNoFaults();
});

const settings = (member: TestClient, change: object) => member.send('PATCH', '/api/notification-settings', change);
const customerId = async () => {
  const customers = z.array(customerSchema).parse(await (await anna.get('/api/customers')).json());
  return customers.find(({ name }) => name === 'Nordwind')?.id ?? '';
};
const pending = async () => {
  const metrics = await (await anna.get('/metrics')).text();
  const names = ['alertdesk_push_waiting_alerts', 'alertdesk_push_sending_messages'];
  return names.map((name) => metricValue(metrics, name));
};
/** Everybody was notified, or is not to be: nothing is pending, nothing is in flight. */
const settle = async () => {
  await expect.poll(pending).toEqual([0, 0]);
};
const idsOf = (device: Device) =>
  device.messages.map((one) => (one.type === 'new_alert' ? one.alertId : JSON.stringify(one)));

/** What is decided, one after the other, and who of the two is notified of three alerts from then on. */
const STEPS: [what: string, decide: () => Promise<unknown>, notified: Record<'plain' | 'customer' | 'type', string>][] =
  [
    ['nothing', async () => undefined, { plain: 'anna ben', customer: 'anna ben', type: 'anna ben' }],
    [
      'Anna mutes a customer',
      async () => anna.send('POST', '/api/customer-mutes', { customerId: await customerId() }),
      { plain: 'anna ben', customer: 'ben', type: 'anna ben' },
    ],
    [
      'Ben mutes a type',
      () => ben.send('POST', '/api/alert-types/mutes', { alertType: 'disk.full' }),
      { plain: 'anna ben', customer: 'ben', type: 'anna' },
    ],
    [
      'Ben’s quiet hours begin',
      () => settings(ben, { quietHours: ALWAYS }),
      { plain: 'anna', customer: '', type: 'anna' },
    ],
    ['Anna pauses', () => settings(anna, { pausedUntil: IN_AN_HOUR() }), { plain: '', customer: '', type: '' }],
    [
      'Ben’s quiet hours are on no day',
      () => settings(ben, { quietHours: { ...ALWAYS, days: [] } }),
      { plain: 'ben', customer: 'ben', type: '' },
    ],
    [
      'Ben pauses, and Anna goes on',
      async () => {
        await settings(ben, { pausedUntil: IN_AN_HOUR() });
        await settings(anna, { pausedUntil: null });
      },
      { plain: 'anna', customer: '', type: 'anna' },
    ],
    [
      'everything is taken back',
      async () => {
        await settings(ben, { pausedUntil: null });
        await ben.send('POST', '/api/alert-types/mutes/bulk', { muted: false });
        await anna.send('POST', '/api/customer-mutes/bulk', { muted: false });
      },
      { plain: 'anna ben', customer: 'anna ben', type: 'anna ben' },
    ],
  ];
const ALERTS = {
  plain: { customer: 'Harbor & Finch', type: 'order.failed' },
  customer: { customer: 'Nordwind', type: 'order.failed' },
  type: { customer: 'Harbor & Finch', type: 'disk.full' },
};

test('two members with two devices each are notified once on each device of what they want, and of nothing else', async () => {
  const expected = { anna: new Array<string>(), ben: new Array<string>() };
  for (const [what, decide, notified] of STEPS) {
    await decide();
    for (const name of ['plain', 'customer', 'type'] as const) {
      const { id } = await anna.postAlert(key, ALERTS[name]);
      for (const who of ['anna', 'ben'] as const) if (notified[name].includes(who)) expected[who].push(id);
      await settle();
    }
    const reached = { anna: annas.map(idsOf), ben: bens.map(idsOf) };
    expect([what, reached]).toEqual([
      what,
      { anna: [expected.anna, expected.anna], ben: [expected.ben, expected.ben] },
    ]);
  }
});
