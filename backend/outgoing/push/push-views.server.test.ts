import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { customerSchema } from '#backend/contract/mute.ts';
import { WEEKDAYS } from '#backend/contract/notification-settings.ts';
import { viewSchema } from '#backend/contract/view.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ALL_DAY = { isOn: true, days: WEEKDAYS, from: '00:00', to: '00:00', timeZone: 'Europe/Berlin' };

const customerListSchema = z.array(customerSchema);

let service: PushService;
let server: TestServer;
let key: string;
let admin: TestClient;
let anna: TestClient;
let ben: TestClient;
let annas: Device;
let bens: Device;

beforeAll(async () => {
  service = await startPushService();
  server = await startTestServer({}, { push: { ...service.parts, limits: { recipientsMs: 10, windowMs: 1 } } });
  key = await server.addApiKey();
  [admin, anna, ben] = [await server.signedIn({ role: 'admin' }), await server.signedIn(), await server.signedIn()];
  [annas, bens] = [await service.subscribe(anna), await service.subscribe(ben)];
});
afterAll(async () => {
  await server.destroy();
  await service.close();
  service.expectNoFaults();
});

const must = async (answer: Promise<Response>): Promise<Response> => {
  const response = await answer;
  expect([response.url, response.ok]).toEqual([response.url, true]);
  return response;
};
const save = async (member: TestClient, view: object): Promise<string> =>
  viewSchema.parse(
    await (await must(member.send('POST', '/api/views', { name: crypto.randomUUID(), list: 'inbox', ...view }))).json(),
  ).id;
const choose = (member: TestClient, id: string, notify: string) =>
  must(member.send('PUT', `/api/views/${id}/notify`, { notify, timeZone: 'Europe/Berlin' }));
const idsOf = (device: Device) => device.messages.flatMap((one) => (one.type === 'new_alert' ? [one.alertId] : []));

const EXCEPTIONS = '/api/notification-exceptions';
const customerId = async (): Promise<string> => {
  const customers = customerListSchema.parse(await (await anna.get('/api/customers')).json());
  return customers.find(({ name }) => name === 'Nordwind')?.id ?? '';
};

/** Posts an alert, and then one that everybody is notified of. Returns who was notified of the first. */
async function notified(alert: object): Promise<string> {
  const { id } = await anna.postAlert(key, { customer: 'Nordwind', ...alert });
  const { id: plain } = await anna.postAlert(key, {
    customer: 'Nobody muted this',
    type: crypto.randomUUID(),
    severity: 'critical',
  });
  await expect.poll(() => [annas, bens].map((device) => idsOf(device).includes(plain))).toEqual([true, true]);
  return [...(idsOf(annas).includes(id) ? ['anna'] : []), ...(idsOf(bens).includes(id) ? ['ben'] : [])].join(' ');
}

test('the most specific exception decides, of views the loudest, and each person’s own', async () => {
  await anna.postAlert(key, { customer: 'Nordwind', type: 'disk' });
  await must(anna.send('PATCH', '/api/notification-settings', { level: 'critical' }));
  expect(await notified({ severity: 'warning', type: 'disk' })).toBe('ben');

  // Views, of which the loudest counts.
  const shared = await save(admin, { isShared: true, search: 'nordwind', notify: 'never' });
  await choose(anna, shared, 'always');
  await choose(ben, shared, 'high');
  expect(await notified({ severity: 'warning', type: 'disk' })).toBe('anna');
  expect(await notified({ severity: 'high', type: 'disk' })).toBe('anna ben');
  const noise = await save(ben, { search: 'noise', notify: 'never' });
  expect(await notified({ severity: 'high', text: 'NOISE' })).toBe('anna ben');
  await choose(ben, shared, 'settings');
  expect(await notified({ severity: 'high', text: 'NOISE' })).toBe('anna');
  await must(ben.send('DELETE', `/api/views/${noise}`));
  expect(await notified({ severity: 'high', text: 'NOISE' })).toBe('anna ben');

  // A type is more specific, and a customer more than that.
  await must(anna.send('PUT', EXCEPTIONS, { kind: 'alert_type', id: 'disk', level: 'mine' }));
  expect(await notified({ severity: 'critical', type: 'disk' })).toBe('ben');
  await must(anna.send('PUT', EXCEPTIONS, { kind: 'customer', id: await customerId(), level: 'high' }));
  expect(await notified({ severity: 'high', type: 'disk' })).toBe('anna ben');
  expect(await notified({ severity: 'warning' })).toBe('ben');
  await must(anna.send('POST', '/api/customer-mutes', { customerId: await customerId() }));
  expect(await notified({ severity: 'critical' })).toBe('ben');
  await must(anna.send('DELETE', `/api/customer-mutes/${await customerId()}`));
  expect(await notified({ severity: 'info' })).toBe('anna ben');

  await must(anna.send('PATCH', '/api/notification-settings', { quietHours: ALL_DAY }));
  const { id } = await anna.postAlert(key, { customer: 'Nordwind', severity: 'critical' });
  await expect.poll(() => idsOf(bens).includes(id)).toBe(true);
  await must(anna.send('PATCH', '/api/notification-settings', { quietHours: { ...ALL_DAY, isOn: false } }));
  expect(idsOf(annas)).not.toContain(id);

  // Not shared any more: only the one who has it is notified by it.
  await must(admin.send('PATCH', `/api/views/${shared}`, { version: 1, isShared: false }));
  await waitFor(async () => expect(await notified({ severity: 'high' })).toBe('ben'));
  await must(anna.send('PATCH', '/api/notification-settings', { level: 'always' }));
});

/** What a page received of alerts and choices. */
const about = ({ events }: { events: object[] }) =>
  events.flatMap((event) =>
    'type' in event && (event.type === 'notice_chosen' || event.type === 'new_alert') ? [event] : [],
  );

test('a page receives its member’s choice before the alert, and nobody else’s', async () => {
  const view = await save(anna, { search: 'unheard-of', notify: 'always' });
  const [annasPage, bensPage] = [await listenLive(anna), await listenLive(ben)];
  const { id } = await ben.postAlert(key, { title: 'Unheard-of trouble' });
  const { id: other } = await ben.postAlert(key, { title: 'Usual trouble' });
  await waitFor(() => expect(about(bensPage)).toHaveLength(2));
  expect(about(annasPage)).toMatchObject([
    { type: 'notice_chosen', alertId: id, choice: 'always' },
    { type: 'new_alert', alert: { id } },
    { type: 'new_alert', alert: { id: other } },
  ]);
  expect(about(bensPage)).toMatchObject([{ type: 'new_alert' }, { type: 'new_alert' }]);
  await must(anna.send('DELETE', `/api/views/${view}`));
});
